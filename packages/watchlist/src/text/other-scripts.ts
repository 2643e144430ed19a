import anyAscii from 'any-ascii'

/**
 * Scripts without a table of our own. Hardly any list spells a name in them, and that is the point:
 * a payment to `व्लादिमीर पुतिन` must meet the entry in Latin letters.
 */
const BRAHMIC = [
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Tibetan',
  'Myanmar',
  'Khmer',
  'Thai',
  'Lao',
]
const OTHERS = ['Ethiopic', 'Mongolian', 'Thaana', 'Syriac', 'Bopomofo', 'Tifinagh']

const scripts = (names: readonly string[]): string =>
  names.map((name) => `\\p{Script=${name}}`).join('')

/** For a class of characters: the scripts that `asciiOf` is asked for. */
export const OTHER_SCRIPTS = scripts([...BRAHMIC, ...OTHERS])

/** Likewise: of them those that leave vowels out, the short a that follows every consonant. */
export const OTHER_UNVOCALISED = scripts([...BRAHMIC, 'Thaana', 'Syriac'])

const NO_LETTER = /[^a-z0-9]+/g

/** One character in Latin letters and digits as `any-ascii` romanises it; empty for a mark. */
export const asciiOf = (character: string): string =>
  anyAscii(character).toLowerCase().replace(NO_LETTER, '')
