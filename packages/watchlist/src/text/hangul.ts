/**
 * Revised romanisation of the parts of a Hangul syllable, in the order in which Unicode composes.
 */
const INITIALS = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ')
const VOWELS = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const FINALS = ' k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ')

const FIRST = 0xac00
const LAST = 0xd7a3
/** A name of more syllables is a company's or a word: it stays one word. */
const NAME_SYLLABLES = 4
/**
 * Family names that are written otherwise than they are read, as Koreans and published lists spell
 * them.
 */
const FAMILY_NAMES: ReadonlyMap<string, string> = new Map([
  ['김', 'kim'],
  ['이', 'lee'],
  ['리', 'ri'],
  ['박', 'pak'],
  ['최', 'choe'],
  ['정', 'jong'],
  ['강', 'kang'],
  ['조', 'jo'],
  ['류', 'ryu'],
  ['유', 'yu'],
  ['로', 'ro'],
  ['노', 'no'],
  ['구', 'ku'],
])

/**
 * The text with every Hangul syllable in Latin letters. A run of up to four syllables is a personal
 * name: each is a word of its own, and the first may be a family name.
 */
export function syllablesOfHangul(text: string): string {
  return text.replace(/[\uac00-\ud7a3]+/g, (run) => {
    const syllables = [...run]
    if (syllables.length > NAME_SYLLABLES || syllables.length === 1)
      return syllables.map((one, at) => romanise(one, at === 0 && syllables.length === 1)).join('')
    return ` ${syllables.map((one, at) => romanise(one, at === 0)).join(' ')} `
  })
}

function romanise(syllable: string, first: boolean): string {
  const family = first ? FAMILY_NAMES.get(syllable) : undefined
  if (family !== undefined) return family
  const code = syllable.charCodeAt(0)
  if (code < FIRST || code > LAST) return syllable
  const at = code - FIRST
  const initial = INITIALS[Math.floor(at / 588)] ?? ''
  const vowel = VOWELS[Math.floor((at % 588) / 28)] ?? ''
  return initial + vowel + (FINALS[at % 28] ?? '')
}

/**
 * A name of another language in Latin letters as Hangul writes its sounds: without the vowel put
 * behind a consonant that has none, and with z for what Korean has no letter for.
 */
export function lettersOfHangul(run: string): string {
  const plain = [...run].map((syllable) => {
    const at = syllable.charCodeAt(0) - FIRST
    const bare = at % 588 >= SUPPORT * 28 && at % 588 < SUPPORT * 28 + 1
    const latin = romanise(syllable, false)
    if (!bare || at < 0 || syllable.charCodeAt(0) > LAST) return latin
    return latin.slice(0, -2).replace(/^j$/, 'z')
  })
  return plain.join('').replaceAll('lr', 'l')
}

/** Place of the vowel `eu` among the vowels. */
const SUPPORT = 18
