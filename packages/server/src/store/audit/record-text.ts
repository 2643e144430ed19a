/**
 * How an audit record lies in its row: without what it says twice. The claims of its receipt stand
 * there as they are and not in base64, and the list versions, the same in a million records and
 * twice in each, are kept once in `audit_texts`. What is read, hashed and exported is the whole
 * text, byte for byte.
 */
import { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import type { AuditRecord } from '@portcullis/protocol'
import { all, first, type Script } from '../script.ts'
import type { Statements } from '../statements.ts'

/** JSON never holds these characters: it escapes them. */
const CLAIMS = '\u001f'
const SHARED = '\u001e'

const DIGEST_CHARACTERS = 16

interface Short {
  readonly text: string
  /** What {@link SHARED} stands for; undefined when nothing is shared. */
  readonly shared: { readonly digest: string; readonly text: string } | undefined
}

/** `whole` is the record's JSON text; answers the text to keep. */
export function* keepRecord(sql: Statements, record: AuditRecord, whole: string): Script<string> {
  const { text, shared } = shortened(record, whole)
  if (shared === undefined) return text
  const { digest } = shared
  const known = yield* first(sql.hasSharedText({ digest }))
  if (known === undefined) yield* all(sql.insertSharedText(shared))
  return text
}

function shortened(record: AuditRecord, whole: string): Short {
  const { receipt, lists } = record as Partial<AuditRecord>
  const text = withOpenClaims(whole, receipt ?? '')
  if (lists === undefined) return { text, shared: undefined }
  const shared = sharedText(`"lists":${JSON.stringify(lists)}`)
  const mark = `${SHARED}${shared.digest}${SHARED}`
  return { text: text.replaceAll(shared.text, () => mark), shared }
}

/** Screens that follow each other share one. */
let latest = { digest: '', text: '' }

function sharedText(text: string): { digest: string; text: string } {
  if (latest.text !== text) {
    latest = { digest: hash('sha256', text).slice(0, DIGEST_CHARACTERS), text }
  }
  return latest
}

function withOpenClaims(text: string, receipt: string): string {
  const [header, claims = '', signature, ...more] = receipt.split('.')
  const open = Buffer.from(claims, 'base64url').toString('utf8')
  const isExact = Buffer.from(open, 'utf8').toString('base64url') === claims
  if (signature === undefined || more.length > 0 || !isExact) return text
  return text.replace(receipt, () => [header, open, signature].join(CLAIMS))
}

/** The record as it was given, whole. One that was tampered with comes out as another text. */
export function* wholeRecord(sql: Statements, text: string): Script<string> {
  return (yield* wholeRecords(sql, [{ record: text }]))[0]?.record ?? text
}

/** Whole records of rows that are read together. */
export function* wholeRecords<Row extends { readonly record: string }>(
  sql: Statements,
  rows: readonly Row[],
): Script<readonly Row[]> {
  const texts = new Map<string, string | undefined>()
  const whole: Row[] = []
  for (const row of rows) {
    const parts = row.record.split(SHARED)
    for (let at = 1; at < parts.length; at += 2) {
      const digest = parts[at] ?? ''
      if (!texts.has(digest)) {
        texts.set(digest, (yield* first(sql.findSharedText({ digest })))?.text)
      }
      parts[at] = texts.get(digest) ?? digest
    }
    whole.push({ ...row, record: withClosedClaims(parts.join('')) })
  }
  return whole
}

function withClosedClaims(text: string): string {
  const [before, claims, after] = text.split(CLAIMS)
  if (claims === undefined || after === undefined) return text
  return `${before}.${Buffer.from(claims, 'utf8').toString('base64url')}.${after}`
}
