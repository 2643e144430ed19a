/** Every kind of entry of the audit log, once: what it is about, and when its text goes. */

interface KindOfEntry {
  /** Whose it is: that of a screen, of an operator, or of the log itself. */
  readonly about: 'screen' | 'operator' | 'log'
  /** Personal data goes with that of its screen, or after its own time; some has none to go. */
  readonly goes: 'with its screen' | 'after its time' | 'never'
}

// prettier-ignore
const KINDS = {
  /** A payment was screened. */
  'screen':        { about: 'screen',   goes: 'with its screen' },
  /** With four eyes: a disposition that a second reviewer must confirm. */
  'proposal':      { about: 'screen',   goes: 'with its screen' },
  /** What a compliance officer decided of a REVIEW. */
  'disposition':   { about: 'screen',   goes: 'with its screen' },
  /** A legal hold was set, or lifted. */
  'hold':          { about: 'screen',   goes: 'with its screen' },
  'release':       { about: 'screen',   goes: 'with its screen' },
  /** Somebody who was screened before is listed now; what an officer decided of that. */
  'alert':         { about: 'operator', goes: 'after its time' },
  'alert-decided': { about: 'operator', goes: 'after its time' },
  /** An operator switched four eyes on or off: who could decide alone, and when. */
  'four-eyes-on':  { about: 'operator', goes: 'never' },
  'four-eyes-off': { about: 'operator', goes: 'never' },
  /** Texts were taken: which leaves', and the digest of what was left of each. */
  'purge':         { about: 'log',      goes: 'never' },
} as const satisfies Record<string, KindOfEntry>

export type EntryKind = keyof typeof KINDS

const kindsWhere = (holds: (kind: KindOfEntry) => boolean): readonly EntryKind[] =>
  (Object.keys(KINDS) as EntryKind[]).filter((name) => holds(KINDS[name]))

/** Entries of an operator that belong to no screen. */
export const OPERATOR_KINDS = kindsWhere(({ about }) => about === 'operator')
/** Entries that a purge takes by their own time. */
export const EXPIRING_KINDS = kindsWhere(({ goes }) => goes === 'after its time')
