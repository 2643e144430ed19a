/**
 * Every number that decides between BLOCK, REVIEW and CLEAR for a name, and the bounds that keep a
 * look-up short. Scores run from 0 to 1.
 */

/** At or above this, a name match is a BLOCK. */
export const NAME_BLOCK_SCORE = 0.9

/**
 * At or above this, and below `NAME_BLOCK_SCORE`, a name match is a near match: REVIEW. Below it,
 * nothing is reported.
 */
export const NAME_REVIEW_SCORE = 0.8

/**
 * The words of the listed name in another order that is no rotation: still exact, told apart in the
 * ranking only.
 */
export const REORDERED_SCORE = 0.98

/** The most that an alignment scores: it is never as good as the name itself. */
export const ALIGNED_SCORE = 0.99

/** The listed name with nothing but titles, organisation forms or payment words around it. */
export const SURROUNDED_SCORE = 0.97

/** The listed name letter for letter, with the words parted elsewhere. */
export const REJOINED_SCORE = 0.96

/**
 * The whole listed name in look-alike letters. Disguise is evidence of intent, so this blocks; see
 * `LOOKALIKE_LETTERS`.
 */
export const LOOKALIKE_SCORE = 0.95

/** A telling listed name inside a longer one. */
export const SUBSTRING_SCORE = 0.92

/** Evidence that a person should see and that is not enough to block. */
export const NEAR_MATCH_SCORE = 0.85

/**
 * What a match with a weak alias keeps of its score: an exact one stays a near match, an inexact
 * one mostly falls away.
 */
export const WEAK_ALIAS_FACTOR = 0.88

/**
 * Letters that a name needs before a look-alike or rejoined match of it can block: short words
 * collide by chance.
 */
export const LOOKALIKE_LETTERS = 8
/** The same for a name of two words or more. */
export const LOOKALIKE_LETTERS_IN_WORDS = 6

/**
 * The same for a whole text that is a name with digits for letters or letter by letter, and for one
 * in letters of another script: nobody writes so by accident.
 */
export const DISGUISED_LETTERS = 4
export const FOREIGN_LETTERS = 3

/** Words of filler that are a name all the same when a list has them as one: `I&S HOLDING CO`. */
export const FORMS_ONLY_WORDS = 3

/** The same for a part of a text in whose words letters of several alphabets mix. */
export const MIXED_LETTERS = 3

/**
 * How telling the words of a listed name must be together, in nats (a word on one name in 43,700
 * has 10.7, `ALI` has 4), for the name to block inside a longer one. Below `SUBSTRING_REVIEW_NATS`
 * it is passed over.
 */
export const SUBSTRING_BLOCK_NATS = 17
export const SUBSTRING_REVIEW_NATS = 14

/**
 * An entity's name of one word inside a longer one is worth a look from this many letters and nats
 * on; it never blocks. One-word names of people and craft (`ALEXANDRA`, `SUPERIOR`) stand in too
 * many other names.
 */
export const SUBSTRING_WORD_LETTERS = 8
export const SUBSTRING_WORD_NATS = 9

/** What a listed name of one telling word needs to block with nothing but filler beside it. */
export const SURROUNDED_LETTERS = 4
export const SURROUNDED_NATS = 6

/** How telling the shared words must be together, in nats, for an alignment to count at all. */
export const ALIGNED_NATS = 11
/** The same as a share of the name, for names that tell less than that altogether. */
export const ALIGNED_SHARE = 0.8

/**
 * Similarities of words that are not the same: what each kind of evidence is worth. Spelling is
 * worth one less the distance for each letter.
 */
export const MERGED_SIMILARITY = 0.98
export const LOOKALIKE_SIMILARITY = 0.97
export const PLAIN_LOOKALIKE_SIMILARITY = 0.9
export const NUMBER_SIMILARITY = 0.96
export const VARIANT_SIMILARITY = 0.95
export const SOUND_SIMILARITY = 0.94
export const FAR_SOUND_SIMILARITY = 0.86
export const MERGED_SOUND_SIMILARITY = 0.94
export const CONSONANTS_SIMILARITY = 0.95
export const COUNTERPART_SIMILARITY = 0.84
export const SHORT_FORM_SIMILARITY = 0.85
export const INITIAL_SIMILARITY = 0.7
/** Below `DISTANT_SIMILARITY`: `Maria` is hardly a slip for `Mario`. */
export const OTHER_GENDER_SIMILARITY = 0.7

/**
 * What consonants lose when one word ends in i and the other does not, and when they are but two.
 */
export const NISBA_PENALTY = 0.12
export const FEW_CONSONANTS_PENALTY = 0.1

/** Words less similar than this have nothing to do with each other. */
export const LEAST_SIMILARITY = 0.62

/** A match that rests on a word less similar than this does not block. */
export const DISTANT_SIMILARITY = 0.75

/** A person's name of so few letters in another spelling does not block either. */
export const SHORT_NAME_LETTERS = 4

/** What words that begin with another sound are further apart, in edits. */
export const ONSET_PENALTY = 0.5

/**
 * Letters that a name of one telling word needs to be found when it is spelt otherwise, and to
 * block then: too many words are a letter away from a short one.
 */
export const EDIT_ONE_WORD_LETTERS = 6
export const BLOCK_ONE_WORD_LETTERS = 8
/** The same when its vowels are left out. */
export const BARE_ONE_WORD_LETTERS = 4

/** The same when it sounds the same and is asked for in another script: `ХАМАС` for `HAMAS`. */
export const SOUNDED_ONE_WORD_LETTERS = 5
/** How similar a long word must be to be worth a look with more than one letter changed. */
export const NEARLY_SPELT_SIMILARITY = 0.8

/** The one distinctive word of an organisation, with common words beside it, and its letters. */
export const SHORTENED_SCORE = 0.82
export const SHORTENED_LETTERS = 7
/** The letters of that word when the list has the common words and the query has not. */
export const ABRIDGED_LETTERS = 5

/** A word that weighs more than this is what a party is known by. */
export const DISTINCTIVE_WEIGHT = 0.6

/** What the one distinctive word of a name must be similar for the name to count. */
export const ONE_WORD_SIMILARITY = 0.8
/** The same for a person whose other names are common ones. */
export const ONE_FAMILY_NAME_SIMILARITY = 0.7

/**
 * What a pair of words a letter or two apart loses when the word asked for is itself a listed word:
 * another name.
 */
export const KNOWN_WORD_PENALTY = 0.15

/**
 * How much of a score is the better of the two coverages, of the name and of the query; the rest is
 * the worse. People leave parts of their names out; a company with a word more is another company.
 */
export const PERSON_LEAN = 0.53
export const ENTITY_LEAN = 0.33
/** The same where all of the query is in the name, which only leaves something out. */
export const OMISSION_LEAN = 0.45

/** A word left over on either side that weighs more than this is a conflict. */
export const CONFLICT_WEIGHT = 0.3

/** A word that weighs more than this tells one party from another. */
export const TELLING_WEIGHT = 0.2

/**
 * Two names that differ in a number alone and share so many telling words are of one series: worth
 * a look, at this score.
 */
export const SERIES_WORDS = 3
export const SERIES_SCORE = 0.82

/**
 * What a score loses when a company is asked for and a person is listed, or the other way round.
 */
export const TYPE_MISMATCH = 0.1

/** Weights in an alignment of words that tell little whatever their number on the lists. */
export const ALIGNED_FILLER_WEIGHT = 0.01
export const ALIGNED_PARTICLE_WEIGHT = 0.05
export const ALIGNED_INITIAL_WEIGHT = 0.35
export const PATRONYMIC_FACTOR = 0.45

/**
 * Weight of a filler word beside 1 for a word on one name only. A power of two, so that 32-bit
 * arrays hold it exactly.
 */
export const FILLER_WEIGHT = 0.0625

/**
 * Edits tolerated in a word of that many letters: none below 4, one below 8, two below 13, then
 * three.
 */
export function toleratedEdits(letters: number): number {
  return letters < 4 ? 0 : letters < 8 ? 1 : letters < 13 ? 2 : 3
}

/** Weighted distance, in edits, tolerated in a word of that many letters. */
export function toleratedDistance(letters: number): number {
  return letters < 4 ? 0.8 : letters < 5 ? 1 : letters < 6 ? 1.6 : letters < 9 ? 2.1 : 3
}

/**
 * Names that a list is taken to have at least. The thresholds in nats are made for a whole OFAC
 * list; in a short one, such as the embedded fallback, a rare word is as rare as it is there.
 */
export const REFERENCE_NAMES = 40_000

/**
 * Words of one query compared by similarity, and words from which letters are joined; exact and
 * look-alike look-up consider all words.
 */
export const SIMILAR_WORD_LIMIT = 32
export const JOINED_WORD_LIMIT = 128

/**
 * Names visited through the words of one query, and names aligned letter by letter: they bound the
 * time of a look-up.
 */
export const POSTING_LIMIT = 4000
export const ALIGNMENT_LIMIT = 128

/** Matches returned beside the exact ones, which are all returned. */
export const SIMILAR_MATCH_LIMIT = 20

/**
 * Names remembered with their matches, per snapshot: an operator's name is screened at every call.
 */
export const MEMO_LIMIT = 10_000
/** Longest name remembered, in UTF-16 units, so that the memory is bounded too. */
export const MEMO_TEXT_LIMIT = 200

/**
 * Signs of Han or Hangul that are written together as one person's name at most. In a longer run,
 * which holds other words as well, a name may begin and end anywhere.
 */
export const WRITTEN_NAME_SIGNS = 3

/** Tenths of an edit between two spellings of one sound that are near each other, at most. */
export const soundSlack = (longer: number): number => Math.max(10, longer + 3)
