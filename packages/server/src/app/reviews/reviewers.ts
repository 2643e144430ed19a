/** Who reviews, as far as a name can tell. */
import { normalise } from '@portcullis/watchlist'

/** `J. Smith` and `j smith` are one person: case, accents, dots and spaces make no second one. */
export const isSameReviewer = (one: string, other: string): boolean => keyOf(one) === keyOf(other)

const keyOf = (name: string): string => normalise(name).replaceAll(' ', '')
