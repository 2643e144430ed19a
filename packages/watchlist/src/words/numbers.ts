/** Words for numbers, whose place in the list is the number. Ordinals say the same number. */
const CARDINALS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen ' +
  'sixteen seventeen eighteen nineteen twenty'
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth ' +
  'thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
const ROMAN =
  'n i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv ' +
  'xxvi xxvii xxviii xxix xxx'

const NUMBER_OF: ReadonlyMap<string, number> = new Map(
  [CARDINALS, ORDINALS, ROMAN].flatMap((words) =>
    words.split(' ').map((word, number) => [word, number] as const),
  ),
)
/**
 * Roman numerals that are rather initials, words or names, unless the other side says otherwise.
 */
const AMBIGUOUS: ReadonlySet<string> = new Set(['n', 'i', 'v', 'x', 'zero', 'one'])

/** The number that a word of a normal form stands for: `2`, `2nd`, `two`, `second`, `ii`; or -1. */
export function numberOf(word: string): number {
  const known = NUMBER_OF.get(word)
  if (known !== undefined) return word === 'n' ? -1 : known
  const digits = /^([0-9]{1,9})(?:st|nd|rd|th)?$/.exec(word)
  return digits === null ? -1 : Number(digits[1])
}

/** True for a numeral that may as well be an initial or a word: alone it is no evidence. */
export function isAmbiguousNumber(word: string): boolean {
  return AMBIGUOUS.has(word)
}
