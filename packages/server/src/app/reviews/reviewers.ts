/** Who reviews, as far as a name can tell. */
import { normalise } from '@portcullis/watchlist'

/**
 * `J. Smith` and `j smith` are one person, and so is `Smith, J`: case, accents, dots, spaces and
 * the order of the words make no second one.
 */
export const isSameReviewer = (one: string, other: string): boolean =>
  keyOf(one) === keyOf(other) || wordsOf(one) === wordsOf(other)

const keyOf = (name: string): string => normalise(name).replaceAll(' ', '')
const wordsOf = (name: string): string => normalise(name).split(' ').sort().join('')

/** Whether somebody can be meant: a letter or a digit that can be seen. */
export const namesSomebody = (text: string): boolean =>
  /[\p{L}\p{N}]/u.test(text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ''))
