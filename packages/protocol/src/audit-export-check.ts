/** The export of the audit log, checked without any store: every line, and the order of them. */
import { base64, utf8 } from '@scure/base'
import { hashOf } from './audit-entry.ts'
import {
  addToRuns,
  EXPORT_NAME,
  EXPORT_TYP,
  type ExportClaims,
  type ExportEnd,
  type ExportEntry,
  type ExportScope,
  type LeafRun,
  leavesOfRuns,
  purgedDigest,
} from './audit-export.ts'
import { type Checkpoint, isSigned, jwsParts, verifyCheckpoint } from './checkpoint.ts'
import { isJsonObject } from './compact-jws.ts'
import { leafHash, sameBytes, type Sha256, verifyInclusion } from './merkle.ts'
import type { JSONWebKeySet } from 'jose'

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
      /** What it was asked for: it says nothing of what lies outside. */
      readonly scope: ExportScope
    }
  | { readonly ok: false; readonly damage: Damage }

export interface ExportCheck {
  readonly jwks: JSONWebKeySet
  readonly origin: string
  readonly hash: Sha256
}

/** A line as it was read: its leaf, and what is wrong with the line by itself. */
export interface ReadLine {
  readonly leafIndex: number
  readonly txnId: string | null
  readonly kind: string
  readonly purged: boolean
  readonly wrong: string | undefined
}

/** Of the lines that were read and are good: which leaves they hold, in the order of the file. */
export interface ReadSoFar {
  /** Lines of the file, its header included. */
  readonly lines: number
  readonly leaves: readonly LeafRun[]
  readonly purged: readonly LeafRun[]
  readonly purgedDigest: string
}

/** Reads an export line by line, so that a long one can be left and gone on with. */
export interface ExportReader {
  /** The first line. Answers what is wrong with it. */
  begin(header: string): Promise<Damage | undefined>
  /** The next line. */
  take(text: string): void
  /** Undefined once a line was wrong: then there is nothing to go on with. */
  soFar(): ReadSoFar | undefined
  /** Puts the order of all lines against the signature at the end. */
  finish(): Promise<ExportReading>
}

/** Checks every line by itself, then the order of all of them against the signature at the end. */
export async function verifyExport(
  lines: AsyncIterable<string> | Iterable<string>,
  check: ExportCheck,
): Promise<ExportReading> {
  const reader = exportReader(check)
  let begun = false
  for await (const text of lines) {
    if (begun) {
      reader.take(text)
      continue
    }
    const damage = await reader.begin(text)
    if (damage !== undefined) return { ok: false, damage }
    begun = true
  }
  return reader.finish()
}

/** `from` is what an earlier reader of the same file had read; its lines are not taken again. */
export function exportReader(check: ExportCheck, from?: ReadSoFar): ExportReader {
  const read = [...linesRead(from)]
  let checkpoint: Checkpoint | undefined
  let head: Record<string, unknown> = {}
  let digest = from?.purgedDigest ?? ''
  let readEntry: (text: string) => ReadLine = () => NO_ENTRY
  let end: ExportEnd | undefined
  let afterEnd: number | undefined
  return {
    async begin(text) {
      const value = parsed(text)
      head = value?.['format'] === EXPORT_NAME ? value : {}
      if (value !== head) return damageAt('altered', 1, 'it is not the header of an export')
      const verified = await verifyCheckpoint(head['checkpoint'], check.jwks, check.origin)
      if (!verified.ok) return damageAt('altered', 1, `the header: ${verified.reason}`)
      if (JSON.stringify(value) !== text) return damageAt('altered', 1, NOT_OURS)
      checkpoint = verified.value
      readEntry = entryReader(checkpoint, check.hash)
      return undefined
    },
    take(text) {
      if (end !== undefined) {
        if (text !== '') afterEnd ??= lineOf(read.length) + 1
        return
      }
      const value = parsed(text)
      if (value?.['type'] === 'end' && isEnd(text, value)) {
        end = value as unknown as ExportEnd
        return
      }
      const line = readEntry(text)
      if (line.purged) digest = purgedDigest(digest, line, check.hash)
      read.push(line)
    },
    soFar: () =>
      end === undefined && read.every(({ wrong }) => wrong === undefined)
        ? { lines: 1 + read.length, ...runsOf(read), purgedDigest: digest }
        : undefined,
    finish: () => finish(check, { checkpoint, head, read, end, digest, afterEnd }),
  }
}

interface AllRead {
  readonly checkpoint: Checkpoint | undefined
  readonly head: Record<string, unknown>
  readonly read: readonly ReadLine[]
  readonly end: ExportEnd | undefined
  readonly digest: string
  /** The line of what stands after the end. */
  readonly afterEnd: number | undefined
}

async function finish(
  { jwks }: ExportCheck,
  { checkpoint, head, read, end, digest, afterEnd }: AllRead,
): Promise<ExportReading> {
  if (checkpoint === undefined) return damaged('truncated', 1, 'the file is empty')
  if (afterEnd !== undefined) {
    return damaged('inserted', afterEnd, 'something stands after the end')
  }
  if (end === undefined) return { ok: false, damage: truncated(read) }
  const line = lineOf(read.length)
  if (!(await isSigned(end.manifest, jwks))) {
    return damaged('altered', line, 'the signature at the end does not verify')
  }
  const { typ, payload } = jwsParts(end.manifest)
  const claims = payload as ExportClaims
  if (typ !== EXPORT_TYP || claims.rootHash !== checkpoint.rootHash) {
    return damaged('altered', line, 'the signature at the end is of another export')
  }
  if (end.entries !== claims.entries) {
    return damaged('altered', line, 'the end counts other entries than its signature')
  }
  const renamed = HEADER.find((name) => head[name] !== claims[name])
  if (renamed !== undefined) return damaged('altered', 1, `\`${renamed}\` is not what was signed`)
  const damage = damageFinder(claims)(read)
  if (damage !== undefined) return { ok: false, damage }
  if (digest !== claims.purgedDigest) {
    const first = lineOf(read.findIndex((entry) => entry.purged))
    const message = 'a purged entry, this or a later one, has another id or kind than was signed'
    return damaged('altered', first, message)
  }
  const purged = read.filter((entry) => entry.purged).length
  const { operatorId, from, to, verdict, agentId } = claims
  const scope = { operatorId, from, to, verdict, agentId }
  return { ok: true, entries: read.length, purged, checkpoint, scope }
}

/** Members of the header that the signature at the end repeats. */
const HEADER = ['operatorId', 'exportedAt', 'from', 'to', 'verdict', 'agentId'] as const

function* linesRead(from: ReadSoFar | undefined): Generator<ReadLine> {
  const purged = new Set(leavesOfRuns(from?.purged ?? []))
  for (const leafIndex of leavesOfRuns(from?.leaves ?? [])) {
    yield { ...NO_ENTRY, leafIndex, purged: purged.has(leafIndex), wrong: undefined }
  }
}

function runsOf(read: readonly ReadLine[]) {
  const runs = { leaves: [] as [number, number][], purged: [] as [number, number][] }
  for (const { leafIndex, purged } of read) {
    addToRuns(runs.leaves, leafIndex)
    if (purged) addToRuns(runs.purged, leafIndex)
  }
  return runs
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
const NO_ENTRY: ReadLine = {
  leafIndex: NO_LEAF,
  txnId: null,
  kind: '',
  purged: false,
  wrong: 'the line is no entry',
}

/** Reads a line of an entry and checks it by itself, against the signed root. */
export function entryReader(checkpoint: Checkpoint, hash: Sha256): (text: string) => ReadLine {
  const root = hashOf(checkpoint.rootHash)
  if (root === undefined) throw new RangeError('a verified checkpoint has a root')
  return (text) => {
    const value = parsed(text)
    const line = readLine(value, checkpoint.size, root, hash)
    const foreign = line.wrong === undefined && !isOurs(text, value)
    return foreign ? { ...line, wrong: NOT_OURS } : line
  }
}

/** What this reading drops, another may show: a second `txnId`, or a member of somebody's own. */
const isOurs = (text: string, value: Record<string, unknown> | undefined): boolean =>
  JSON.stringify(value) === text && Object.keys(value ?? {}).join() === MEMBERS

const isEnd = (text: string, value: Record<string, unknown>): boolean =>
  JSON.stringify(value) === text && Object.keys(value).join() === 'type,entries,manifest'

const NOT_OURS = 'it is not written as the service writes it'
const MEMBERS = 'type,leafIndex,txnId,kind,leafHash,leafData,hashes,receipt'

function readLine(
  value: Record<string, unknown> | undefined,
  treeSize: number,
  root: Uint8Array,
  hash: Sha256,
): ReadLine {
  if (value?.['type'] !== 'entry') return NO_ENTRY
  const entry = value as unknown as ExportEntry
  const { leafIndex, txnId, kind, leafData } = entry
  const line = { leafIndex, txnId, kind, purged: leafData === null }
  const leaf = hashOf(entry.leafHash)
  const hashes = Array.isArray(entry.hashes) ? entry.hashes.map(hashOf) : [undefined]
  if (leaf === undefined || !hashes.every((one) => one !== undefined)) {
    return { ...line, wrong: 'its hashes cannot be read' }
  }
  if (leafData === null) {
    if (entry.receipt !== null) return { ...line, wrong: 'it has a receipt and no data' }
  } else {
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

type DamageFinder = (read: readonly ReadLine[]) => Damage | undefined

/** Finds what is wrong with the order of the lines, or with the first that is wrong by itself. */
export function damageFinder(claims: Pick<ExportClaims, 'leaves' | 'purged'>): DamageFinder {
  const expected = [...leavesOfRuns(claims.leaves)]
  const purged = new Set(leavesOfRuns(claims.purged))
  return (read) => firstDamage(read, expected, purged)
}

function firstDamage(
  read: readonly ReadLine[],
  expected: readonly number[],
  purged: ReadonlySet<number>,
): Damage | undefined {
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

const damageAt = (kind: DamageKind, line: number, message: string): Damage => ({
  kind,
  line,
  leafIndex: null,
  txnId: null,
  message,
})

const damaged = (kind: DamageKind, line: number, message: string): ExportReading => ({
  ok: false,
  damage: damageAt(kind, line, message),
})

/** Cut off at the end: whatever was damaged before the cut comes first. */
export function truncated(read: readonly ReadLine[]): Damage {
  const broken = read.findIndex(({ wrong }) => wrong !== undefined)
  const whole = broken === -1 ? read.length : broken
  const last = read[whole - 1]
  const cut = broken === -1 || broken === read.length - 1
  return {
    kind: cut ? 'truncated' : 'altered',
    line: lineOf(whole),
    leafIndex: last?.leafIndex ?? null,
    txnId: last?.txnId ?? null,
    message: `it ends without its signature; the last whole entry is ${last?.txnId ?? 'none'}`,
  }
}
