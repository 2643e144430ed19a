/**
 * JSON without the liberties of `JSON.parse`. Two readers of one text must see one value, or a
 * proxy, a limit and a receipt could each act on another amount: so duplicate members, numbers that
 * a double cannot hold, ill-formed strings and deep nesting are refused.
 *
 * RFC 8259 sections 4 and 6 warn of the first two; RFC 7493 (I-JSON) forbids them.
 */

export const MAX_DEPTH = 32

/** A double keeps every decimal of up to this many significant digits. */
const EXACT_DIGITS = 15

/** Below it a double keeps fewer digits: 1.23456789012345e-320 is read as 1.2347e-320. */
const SMALLEST_NORMAL = 2 ** -1022

/** Why a text was refused; `path` names the member when one is to blame. */
export class JsonRefused extends Error {
  override readonly name = 'JsonRefused'
  readonly kind: 'syntax' | 'duplicate' | 'number' | 'text' | 'depth'
  readonly member: string | undefined
  constructor(kind: JsonRefused['kind'], message: string, member?: string) {
    super(message)
    this.kind = kind
    this.member = member
  }
}

/** Parses `text`, or throws {@link JsonRefused}. `__proto__` becomes an ordinary own member. */
export const parseStrictJson = (text: string): unknown => parseWith(text, refuseInexact)

/**
 * For answers of services that are not ours to be strict with, a score of 0.30000000000000004 being
 * one: numbers may be rounded. Everything else is refused as by {@link parseStrictJson}, above all
 * a backslash in a member name, which would change how this process reads later requests.
 */
export const parseForeignJson = (text: string): unknown => parseWith(text, refuseIllFormed)

type Reviver = (member: string, value: unknown, context?: { source?: string }) => unknown

function parseWith(text: string, reviver: Reviver): unknown {
  const structure = scan(text)
  if (structure.depth > MAX_DEPTH) {
    throw new JsonRefused('depth', `nested deeper than ${MAX_DEPTH} levels`)
  }
  const value = parse(text, reviver)
  if (countMembers(value) !== structure.members) {
    throw new JsonRefused('duplicate', 'an object has the same member twice')
  }
  return value
}

function parse(text: string, reviver: Reviver): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch (error) {
    if (error instanceof SyntaxError) throw new JsonRefused('syntax', 'not valid JSON')
    throw error
  }
}

function refuseInexact(member: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'number' && !isExact(context?.source ?? '')) {
    throw new JsonRefused('number', 'has more digits than can be kept exactly', member)
  }
  return refuseIllFormed(member, value)
}

/** No half of a surrogate pair, and no Infinity, which JSON cannot say. */
function refuseIllFormed(member: string, value: unknown): unknown {
  if (value === Infinity || value === -Infinity) {
    throw new JsonRefused('number', 'is larger than a number can be', member)
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new JsonRefused('text', 'holds half of a surrogate pair', member)
  }
  if (!member.isWellFormed()) {
    throw new JsonRefused('text', 'a member name holds half of a surrogate pair')
  }
  return value
}

/** Whether the double is the very number written: no rounding, no overflow, no underflow. */
function isExact(source: string): boolean {
  const value = Number(source)
  if (!Number.isFinite(value)) return false
  const digits = source
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '')
  return digits === '' || (Math.abs(value) >= SMALLEST_NORMAL && digits.length <= EXACT_DIGITS)
}

/**
 * Counts what the text holds, without parsing it: `JSON.parse` drops a duplicate member silently,
 * and then the text has one colon more than the value has members.
 */
function scan(text: string): { members: number; depth: number } {
  let members = 0
  let depth = 0
  let deepest = 0
  let lastString = ''
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === QUOTE) {
      const start = i
      i = endOfString(text, start)
      lastString = text.slice(start, i)
    } else if (char === COLON) {
      members++
      if (ESCAPED_BACKSLASH.test(lastString)) {
        throw new JsonRefused('text', 'a member name holds a backslash')
      }
      lastString = ''
    } else if (char === OPEN_BRACE || char === OPEN_BRACKET) deepest = Math.max(deepest, ++depth)
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth--
  }
  return { members, depth: deepest }
}

/**
 * V8 takes an escaped member name for an earlier one that holds a backslash: once `cpWalle\\` was
 * read, `cpWalle\u0074` is read as that (nodejs/node#63785). So no such name is ever read.
 */
const ESCAPED_BACKSLASH = /\\(?:\\|u005c)/i

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

function endOfString(text: string, start: number): number {
  for (let end = start + 1; ; end++) {
    end = text.indexOf('"', end)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const children = Object.values(value)
  let count = Array.isArray(value) ? 0 : children.length
  for (const child of children) count += countMembers(child)
  return count
}
