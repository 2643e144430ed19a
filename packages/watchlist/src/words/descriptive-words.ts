/**
 * Words that say where an organisation is or what it does, and that people add to its name or leave
 * out: `Sberbank of Russia`. A table of our own, without words that are family names too.
 */
const DESCRIPTIVE: ReadonlySet<string> = new Set(
  (
    'bank oil gas energy petroleum mining steel metal metals shipping trading airlines airline aviation ' +
    'insurance telecom defense defence aerospace electronics pharma pharmaceuticals ' +
    'russia russian iran iranian china chinese syria syrian cuba venezuela belarus ukraine lebanon iraq ' +
    'korea europe asia africa india germany france italy spain turkey egypt libya yemen qatar dubai moscow'
  ).split(' '),
)

/** True for a word of a normal form that says where an organisation is or what it does. */
export function isDescriptive(word: string): boolean {
  return DESCRIPTIVE.has(word)
}
