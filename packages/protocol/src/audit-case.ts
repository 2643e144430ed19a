/** A proof of one entry, and a case file with several, checked offline (docs/verifying-audit). */
import { base64, utf8 } from '@scure/base'
import { canonicalJson, hashOf, hexOf } from './audit-entry.ts'
import { type Checkpoint, isSigned, jwsParts, verifyCheckpoint } from './checkpoint.ts'
import { isJsonObject, type Reading, refused } from './compact-jws.ts'
import { leafHash, sameBytes, type Sha256, verifyInclusion } from './merkle.ts'
import { verifyReceipt } from './receipt.ts'
import type { JSONWebKeySet } from 'jose'
import type { CaseFile } from './schemas/reviews.ts'

export const CASE_FORMAT = 'portcullis-case/2'
/** What every version of the format begins with. */
export const CASE_NAME = 'portcullis-case/'
export const CASE_TYP = 'kya-case-file+jwt'

/** What the signature over a case file says: this file, whole, and when it was made. */
export interface CaseClaims {
  readonly origin: string
  readonly txnId: string
  readonly exportedAt: string
  /** SHA-256 of the RFC 8785 form of the file without its `manifest`; lower-case hex. */
  readonly digest: string
}

export type UnsignedCase = Omit<CaseFile, 'manifest'>

export const caseClaims = (file: UnsignedCase, origin: string, hash: Sha256): CaseClaims => ({
  origin,
  txnId: file.txnId,
  exportedAt: file.exportedAt,
  digest: hexOf(hash(utf8.decode(canonicalJson(file)))),
})

export interface ProofCheck {
  readonly jwks: JSONWebKeySet
  /** The issuer that the reader trusts; the log's origin is derived from it. */
  readonly issuer: string
  readonly origin: string
  readonly hash: Sha256
}

type Members = Readonly<Record<string, unknown>>

export interface ProvenEntry {
  readonly checkpoint: Checkpoint
  readonly leafIndex: number
  /** What the log holds; undefined once it was purged. */
  readonly entry: Members | undefined
}

/** The answer of `GET /v1/audit/:txnId/proof`: a signed checkpoint, and the entry below it. */
export async function verifyProof(
  proof: unknown,
  { jwks, origin, hash }: ProofCheck,
): Promise<Reading<ProvenEntry>> {
  if (!isJsonObject(proof)) return refused('the proof is no JSON object')
  const checkpoint = await verifyCheckpoint(proof['checkpoint'], jwks, origin)
  if (!checkpoint.ok) return refused(`the checkpoint: ${checkpoint.reason}`)
  const { size, rootHash } = checkpoint.value
  const { leafIndex, leafData, treeSize } = proof
  const [leaf, root] = [hashOf(proof['leafHash']), hashOf(rootHash)]
  const given = Array.isArray(proof['hashes']) ? proof['hashes'].map(hashOf) : [undefined]
  const hashes = given.filter((one) => one !== undefined)
  if (leaf === undefined || root === undefined || hashes.length < given.length) {
    return refused('the hashes of the proof cannot be read')
  }
  if (typeof leafIndex !== 'number' || treeSize !== size) {
    return refused('the proof is not of the size of its checkpoint')
  }
  if (!verifyInclusion({ leafIndex, treeSize: size, leaf, root, hashes }, hash)) {
    return refused('the proof does not lead to the signed root')
  }
  const proven = { checkpoint: checkpoint.value, leafIndex }
  if (leafData === null) return { ok: true, value: { ...proven, entry: undefined } }
  const bytes = bytesOf(leafData)
  if (bytes === undefined || !sameBytes(leafHash(bytes, hash), leaf)) {
    return refused('the data of the entry does not have its hash')
  }
  const entry = objectOf(utf8.encode(bytes))
  if (entry === undefined || entry['txnId'] !== proof['txnId']) {
    return refused('the proof names another record than its data')
  }
  return { ok: true, value: { ...proven, entry } }
}

/**
 * Everything that a case file says about the past must stand in the log, as it says it; and the
 * file must be, as a whole, what the service signed.
 */
export async function verifyCaseFile(
  file: CaseFile,
  check: ProofCheck,
): Promise<Reading<ProvenEntry>> {
  const format: string = file.format
  if (format !== CASE_FORMAT) {
    return refused(`it is a ${format}, which is not signed as a whole: ask for it again`)
  }
  const proven = await verifyProof(file.proof, check)
  if (!proven.ok) return proven
  const wrong = wrongScreen(file, proven.value.entry) ?? (await wrongReceipt(file, check))
  if (wrong !== undefined) return refused(wrong)
  const further: Members[] = []
  for (const proof of file.furtherProofs) {
    const one = await verifyProof(proof, check)
    if (!one.ok) return refused(`a further proof: ${one.reason}`)
    if (one.value.entry?.['txnId'] !== file.txnId) return refused('a proof of another record')
    further.push(one.value.entry)
  }
  const undecided =
    wrongDisposition(file, further) ?? wrongProposals(file, further) ?? wrongHold(file, further)
  if (undecided !== undefined) return refused(undecided)
  const unsigned = await wrongManifest(file, check)
  return unsigned === undefined ? proven : refused(unsigned)
}

/** Asked last: what the log contradicts is named before. */
async function wrongManifest(
  { manifest, ...file }: CaseFile,
  { jwks, origin, hash }: ProofCheck,
): Promise<string | undefined> {
  if (typeof manifest !== 'string' || !(await isSigned(manifest, jwks))) {
    return 'the signature over the whole file does not verify'
  }
  const { typ, payload } = jwsParts(manifest)
  const due = canonicalJson(caseClaims(file, origin, hash))
  if (typ === CASE_TYP && canonicalJson(payload) === due) return undefined
  return 'the file is not whole: it is not what was signed'
}

function wrongScreen(file: CaseFile, entry: Members | undefined): string | undefined {
  if (entry?.['kind'] !== 'screen' || entry['txnId'] !== file.txnId) {
    return 'the proof is not of this record'
  }
  const logged = objectOf(entry['record'])
  if (logged === undefined) return 'the logged record cannot be read'
  const shown = file.record as unknown as Members
  const member = Object.keys(logged).find((name) => !isSame(shown[name], logged[name]))
  if (member !== undefined) return `\`record.${member}\` is not what was logged`
  const added = Object.keys(shown).find((name) => !(name in logged) && !DECIDED.includes(name))
  if (added !== undefined) return `\`record.${added}\` was never logged`
  if (!isSame(file.facts, objectOf(entry['facts']))) return '`facts` are not what was logged'
  if (!isSame(file.evidence, logged['matches'])) return '`evidence` is not what was logged'
  const { atScreen = null } = file.history
  if (!isSame(atScreen, logged['priorScreenings'] ?? null)) {
    return '`history.atScreen` is not what was logged'
  }
  return file.receipt.jws === logged['receipt'] ? undefined : '`receipt` is not what was logged'
}

async function wrongReceipt(
  { record, receipt }: CaseFile,
  { jwks, issuer }: ProofCheck,
): Promise<string | undefined> {
  const verified = await verifyReceipt(receipt.jws, jwks, issuer)
  if (!verified.ok) return `the receipt: ${verified.reason}`
  const { txnId, verdict } = verified.value
  if (txnId !== record.txnId || verdict !== record.verdict)
    return 'the receipt is of another screen'
  return undefined
}

/** Members of a record that come after the screen. */
const DECISION = ['disposition', 'reviewedBy', 'reviewedAt', 'notes'] as const
const DECIDED: readonly string[] = [
  ...[...DECISION, 'sarEscalated', 'proposal'],
  ...['legalHold', 'hold'],
]

function wrongDisposition({ record }: CaseFile, entries: readonly Members[]): string | undefined {
  const logged = entries.find(({ kind }) => kind === 'disposition')
  const decided = logged && objectOf(logged['record'])
  if (decided === undefined) {
    return record.disposition === undefined ? undefined : 'the disposition was never logged'
  }
  const member = DECISION.find((name) => !isSame(record[name], decided[name]))
  if (member !== undefined) return `\`record.${member}\` is not what was logged`
  return record.sarEscalated === (decided['disposition'] === 'ESCALATE_SAR')
    ? undefined
    : '`record.sarEscalated` is not what was logged'
}

function wrongProposals({ record, history }: CaseFile, entries: readonly Members[]) {
  const logged = entries.filter(({ kind }) => kind === 'proposal').map((one) => one['record'])
  const steps = logged.map((text) => objectOf(text))
  if (!isSame(history.proposals, steps)) return '`history.proposals` are not what was logged'
  const { proposal } = record
  return proposal === undefined || isSame(proposal, steps.at(-1))
    ? undefined
    : '`record.proposal` is not what was logged'
}

function wrongHold({ record }: CaseFile, entries: readonly Members[]): string | undefined {
  const newest = entries.findLast(({ kind }) => kind === 'hold' || kind === 'release')
  const isHeld = newest?.['kind'] === 'hold'
  const due = isHeld ? { ...objectOf(newest['record']), at: newest['at'] } : null
  if ((record.legalHold ?? false) !== isHeld) return '`record.legalHold` is not what was logged'
  return isSame(record.hold ?? null, due) ? undefined : '`record.hold` is not what was logged'
}

const isSame = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && canonicalJson(one) === canonicalJson(other)

function objectOf(text: unknown): Members | undefined {
  try {
    const value: unknown = JSON.parse(String(text))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function bytesOf(text: unknown): Uint8Array | undefined {
  try {
    return typeof text === 'string' ? base64.decode(text) : undefined
  } catch {
    return undefined
  }
}
