import { countAtLarge } from './common-words.ts'
import { isFiller, isParticle } from './filler-words.ts'
import { hashText } from './int-multimap.ts'
import { letterMask } from '../text/letter-mask.ts'
import { hasShortForms, variantGroup } from './name-variants.ts'
import { numberOf } from './numbers.ts'
import { consonantsOf, isVowelless, soundOf } from './sound.ts'

/** What is known of one word by itself, whichever name it stands in. */
export interface WordTraits {
  readonly word: string
  readonly sound: string
  readonly soundHash: number
  /** See `consonantsOf`. */
  readonly consonants: string
  readonly vowelless: boolean
  /** See `letterMask`. */
  readonly letters: number
  /** Has short forms or is one; see `areShortForms`. */
  readonly hasShortForms: boolean
  /** See `variantGroup`. */
  readonly group: number
  /** The number that the word writes in digits, letters or Roman numerals, or -1. */
  readonly number: number
  readonly hasDigit: boolean
  readonly filler: boolean
  readonly particle: boolean
  /** `Ivanovich`, `Ivanovna`: tells fathers apart, and people leave it out. */
  readonly patronymic: boolean
  /** See `countAtLarge`. */
  readonly atLarge: number
}

const PATRONYMIC =
  /(?:[aeo]v(?:i[ct]h?|it[cjs]h?|its|itsch|ici|na)|owi(?:cz|tsch)|ewi(?:cz|tsch)|ogly|oglu|kyzy|qizi)$/

/** True for a word formed like a father's name: `Ivanovich`. */
export function isPatronymic(word: string): boolean {
  return word.length > 6 && PATRONYMIC.test(word)
}

/** The traits of a word of a normal form. */
export function traitsOf(word: string): WordTraits {
  const sound = soundOf(word)
  return {
    word,
    sound,
    soundHash: hashText(sound),
    consonants: consonantsOf(word, sound),
    vowelless: isVowelless(word),
    letters: letterMask(word),
    hasShortForms: hasShortForms(word),
    group: variantGroup(word),
    number: numberOf(word),
    hasDigit: /[0-9]/.test(word),
    filler: isFiller(word),
    particle: isParticle(word),
    patronymic: isPatronymic(word),
    atLarge: countAtLarge(word),
  }
}
