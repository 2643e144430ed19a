/** Letters that stand for other letters. */

type Letters = Readonly<Record<string, string>>

/** The letter at each place of the first text stands for the one at that place of the second. */
function table(from: string, to: string): Letters {
  const others = [...to]
  return Object.fromEntries([...from].map((letter, at) => [letter, others[at] ?? letter]))
}

const LOOKALIKES = {
  cyrillic: table('aceiopsxyABCEHIKMOPSTX', 'асеіорѕхуАВСЕНІКМОРЅТХ'),
  greek: table('ABEHIKMNOPTXYZov', 'ΑΒΕΗΙΚΜΝΟΡΤΧΥΖον'),
  leet: table('aAeEiIoOsS', '4433110055'),
} as const

const MARKED_AS: Letters = table('AaEeIiOoUuNnCS', 'ÁáÉéÍíÖöÜüÑñÇŞ')

/** The name in letters that look like its own: all that there are, or the first `most`. */
export function lookalike(
  name: string,
  kind: keyof typeof LOOKALIKES,
  most = Number.POSITIVE_INFINITY,
): string {
  const letters: Letters = LOOKALIKES[kind]
  let left = most
  return name.replace(/[A-Za-z]/g, (letter) => {
    const other = letters[letter]
    return other === undefined || left-- <= 0 ? letter : other
  })
}

/** The name with marks on its letters. */
export function marked(name: string): string {
  return name.replace(/[A-Za-z]/g, (letter) => MARKED_AS[letter] ?? letter)
}

/** Characters moved to another block of Unicode, in which they look like themselves. */
export function styled(name: string, which: RegExp, by: (letter: string) => number): string {
  return name.replace(which, (one) => String.fromCodePoint(one.charCodeAt(0) + by(one)))
}

/** The longest word, the first of those that are equally long. */
export function longestOf(words: readonly string[]): string {
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}
