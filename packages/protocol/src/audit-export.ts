/** The export of the audit log as lines of JSON: what stands in it (docs/verifying-audit.md). */
import { base64, utf8 } from '@scure/base'
import { type Checkpoint, isSigned, jwsParts, verifyCheckpoint } from './checkpoint.ts'
import { hashOf } from './audit-entry.ts'
import { isJsonObject } from './compact-jws.ts'
import { leafHash, sameBytes, type Sha256, verifyInclusion } from './merkle.ts'
import type { JSONWebKeySet } from 'jose'
import type { JwksDocument } from './schemas/health.ts'

export const EXPORT_TYP = 'kya-audit-export+jwt'
export const EXPORT_NAME = 'portcullis-audit-export'

/** Leaves from the first on, and how many. */
export type LeafRun = readonly [first: number, count: number]

export interface ExportHeader {
  readonly type: 'header'
  readonly format: typeof EXPORT_NAME
  readonly version: 1
  readonly exportedAt: string
  /** Null for the whole log. */
  readonly operatorId: string | null
  readonly from: string | null
  readonly to: string | null
  readonly checkpoint: Checkpoint
  /** For convenience; whoever checks brings keys that he trusts. */
  readonly jwks: JwksDocument
}

export interface ExportEntry {
  readonly type: 'entry'
  readonly leafIndex: number
  readonly txnId: string | null
  readonly kind: string
  readonly leafHash: string
  /** Base64 of the RFC 8785 bytes; null for a purged entry. */
  readonly leafData: string | null
  readonly hashes: readonly string[]
  /** Of a screen that was not purged. */
  readonly receipt: string | null
}

/** What the signature at the end says: exactly these leaves, in this order. */
export interface ExportClaims {
  readonly origin: string
  readonly size: number
  readonly rootHash: string
  readonly operatorId: string | null
  readonly entries: number
  readonly leaves: readonly LeafRun[]
  /** Of these, those that were purged. */
  readonly purged: readonly LeafRun[]
}

export interface ExportEnd {
  readonly type: 'end'
  readonly entries: number
  readonly manifest: string
}

/** Adds a leaf at the end of runs. */
export function addToRuns(runs: [number, number][], leafIndex: number): void {
  const last = runs.at(-1)
  if (last !== undefined && last[0] + last[1] === leafIndex) last[1]++
  else runs.push([leafIndex, 1])
}

export function* leavesOfRuns(runs: readonly LeafRun[]): Generator<number> {
  for (const [first, count] of runs) for (let i = 0; i < count; i++) yield first + i
}

export type DamageKind = 'altered' | 'missing' | 'inserted' | 'reordered' | 'truncated'

/** The first thing that is wrong, and where. */
export interface Damage {
  readonly kind: DamageKind
  /** Line of the file, from 1. */
  readonly line: number
  readonly leafIndex: number | null
  readonly txnId: string | null
  readonly message: string
}

export type ExportReading =
  | {
      readonly ok: true
      readonly entries: number
      readonly purged: number
      readonly checkpoint: Checkpoint
    }
  | { readonly ok: false; readonly damage: Damage }

export interface ExportCheck {
  readonly jwks: JSONWebKeySet
  readonly origin: string
  readonly hash: Sha256
  /** Called now and then with the lines done. */
  readonly progress?: (lines: number) => void
}

/** A line as it was read: its leaf, and what is wrong with the line by itself. */
interface ReadLine {
  readonly leafIndex: number
  readonly txnId: string | null
  readonly purged: boolean
  readonly wrong: string | undefined
}

const PROGRESS_EVERY = 1_000

/** Checks every line by itself, then the order of all of them against the signature at the end. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  { jwks, origin, hash, progress }: ExportCheck,
): Promise<ExportReading> {
  let checkpoint: Checkpoint | undefined
  let end: ExportEnd | undefined
  let root = new Uint8Array()
  let line = 0
  const read: ReadLine[] = []
  for await (const text of lines) {
    if (text === '' && end !== undefined) continue
    line++
    const value = parsed(text)
    if (end !== undefined) return damaged('inserted', line, 'something stands after the end')
    if (checkpoint === undefined) {
      const header = value?.['format'] === EXPORT_NAME ? value : {}
      const verified = await verifyCheckpoint(header['checkpoint'], jwks, origin)
      if (!verified.ok) return damaged('altered', 1, `the header: ${verified.reason}`)
      checkpoint = verified.value
      root = hashOf(checkpoint.rootHash) as Uint8Array<ArrayBuffer>
    } else if (value?.['type'] === 'end') {
      end = value as unknown as ExportEnd
    } else {
      read.push(readLine(value, checkpoint.size, root, hash))
    }
    if (line % PROGRESS_EVERY === 0) progress?.(line)
  }
  if (checkpoint === undefined) return damaged('truncated', 1, 'the file is empty')
  if (end === undefined) return truncated(read)
  if (!(await isSigned(end.manifest, jwks))) {
    return damaged('altered', line, 'the signature at the end does not verify')
  }
  const { typ, payload } = jwsParts(end.manifest)
  const claims = payload as ExportClaims
  if (typ !== EXPORT_TYP || claims.rootHash !== checkpoint.rootHash) {
    return damaged('altered', line, 'the signature at the end is of another export')
  }
  const damage = firstDamage(read, claims)
  if (damage !== undefined) return { ok: false, damage }
  const purged = read.filter((entry) => entry.purged).length
  return { ok: true, entries: read.length, purged, checkpoint }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const NO_LEAF = -1

function readLine(
  value: Record<string, unknown> | undefined,
  treeSize: number,
  root: Uint8Array,
  hash: Sha256,
): ReadLine {
  if (value?.['type'] !== 'entry') {
    return { leafIndex: NO_LEAF, txnId: null, purged: false, wrong: 'the line is no entry' }
  }
  const entry = value as unknown as ExportEntry
  const { leafIndex, txnId, leafData } = entry
  const line = { leafIndex, txnId, purged: leafData === null }
  const leaf = hashOf(entry.leafHash)
  const hashes = Array.isArray(entry.hashes) ? entry.hashes.map(hashOf) : [undefined]
  if (leaf === undefined || !hashes.every((one) => one !== undefined)) {
    return { ...line, wrong: 'its hashes cannot be read' }
  }
  if (leafData !== null) {
    const wrong = wrongData(entry, leaf, hash)
    if (wrong !== undefined) return { ...line, wrong }
  }
  const proven = verifyInclusion({ leafIndex, treeSize, leaf, root, hashes }, hash)
  return { ...line, wrong: proven ? undefined : 'its proof does not lead to the signed root' }
}

/** The members beside the data repeat what the data says; they must say the same. */
function wrongData(entry: ExportEntry, leaf: Uint8Array, hash: Sha256): string | undefined {
  const bytes = bytesOf(entry.leafData)
  if (bytes === undefined) return 'its data cannot be read'
  if (!sameBytes(leafHash(bytes, hash), leaf)) return 'its data does not have its hash'
  const data = parsed(utf8.encode(bytes))
  if (data?.['txnId'] !== entry.txnId || data['kind'] !== entry.kind) {
    return 'it names another record than its data'
  }
  if (data['kind'] !== 'screen') return entry.receipt === null ? undefined : 'it has a receipt'
  const record = parsed(String(data['record']))
  return record?.['receipt'] === entry.receipt ? undefined : 'its receipt is not that of its data'
}

function bytesOf(text: unknown): Uint8Array | undefined {
  try {
    return typeof text === 'string' ? base64.decode(text) : undefined
  } catch {
    return undefined
  }
}

/** The header is line 1, so the n-th entry stands on line n + 2. */
const lineOf = (position: number): number => position + 2

function firstDamage(read: readonly ReadLine[], claims: ExportClaims): Damage | undefined {
  const expected = [...leavesOfRuns(claims.leaves)]
  const purged = new Set(leavesOfRuns(claims.purged))
  for (let position = 0; position < Math.max(read.length, expected.length); position++) {
    const [line, due] = [read[position], expected[position]]
    if (line === undefined) {
      return missing(read, position, due ?? NO_LEAF)
    }
    const { leafIndex, txnId, wrong } = line
    const at = { line: lineOf(position), leafIndex, txnId }
    if (leafIndex === due && wrong === undefined) {
      if (line.purged === purged.has(leafIndex)) continue
      return { ...at, kind: 'altered', message: 'its data was taken out without a purge' }
    }
    const belongs = expected.includes(leafIndex)
    const elsewhere = read.some((other, index) => index !== position && isSound(other, leafIndex))
    if (wrong !== undefined) {
      const kind = belongs && !elsewhere && read.length <= expected.length ? 'altered' : 'inserted'
      return { ...at, kind, message: wrong }
    }
    if (!belongs) return { ...at, kind: 'inserted', message: 'the export was not signed with it' }
    const before = read.slice(0, position).some((other) => isSound(other, leafIndex))
    if (before) return { ...at, kind: 'inserted', message: 'it stands here a second time' }
    const later = read.slice(position + 1).some((other) => isSound(other, due ?? NO_LEAF))
    if (!later) return missing(read, position, due ?? NO_LEAF)
    return { ...at, kind: 'reordered', message: `leaf ${due ?? '?'} should stand here` }
  }
  return undefined
}

const isSound = ({ leafIndex, wrong }: ReadLine, wanted: number): boolean =>
  leafIndex === wanted && wrong === undefined

function missing(read: readonly ReadLine[], position: number, leafIndex: number): Damage {
  const before = read[position - 1]?.txnId ?? 'the header'
  const after = read[position]?.txnId ?? 'the end'
  return {
    kind: 'missing',
    line: lineOf(position),
    leafIndex,
    txnId: null,
    message: `leaf ${leafIndex} is missing between ${before} and ${after}`,
  }
}

const damaged = (kind: DamageKind, line: number, message: string): ExportReading => ({
  ok: false,
  damage: { kind, line, leafIndex: null, txnId: null, message },
})

/** Cut off at the end: whatever was damaged before the cut comes first. */
function truncated(read: readonly ReadLine[]): ExportReading {
  const broken = read.findIndex(({ wrong }) => wrong !== undefined)
  const whole = broken === -1 ? read.length : broken
  const last = read[whole - 1]
  const cut = broken === -1 || broken === read.length - 1
  return {
    ok: false,
    damage: {
      kind: cut ? 'truncated' : 'altered',
      line: lineOf(whole),
      leafIndex: last?.leafIndex ?? null,
      txnId: last?.txnId ?? null,
      message: `it ends without its signature; the last whole entry is ${last?.txnId ?? 'none'}`,
    },
  }
}
