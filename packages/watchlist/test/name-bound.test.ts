import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergedEvidence } from '../src/words/merged-words.ts'
import { alignName, contextOf } from '../src/names/name-align.ts'
import { mayReach } from '../src/names/name-bound.ts'
import { buildNameIndex } from '../src/names/name-index.ts'
import { readNameQuery } from '../src/names/name-query.ts'
import { scoreAlignment } from '../src/names/name-score.ts'
import {
  LEAST_DROP,
  leastDistance,
  letterDistance,
  soundDistance,
} from '../src/words/sound-distance.ts'
import { consonantsOf, soundOf } from '../src/words/sound.ts'
import { NAME_REVIEW_SCORE } from '../src/thresholds.ts'
import { wordEvidence } from '../src/words/word-evidence.ts'
import { isUnlike, profilesFor, setProfile } from '../src/words/word-profile.ts'
import { letterMask } from '../src/text/letter-mask.ts'
import { runOf } from '../src/words/word-runs.ts'
import { traitsOf } from '../src/words/word-traits.ts'
import { entryOf } from './sample-lists.ts'

/** Words that names are made of, and what people make of them. */
const listed = fc.constantFrom(
  ...(
    'muhammad mohammed yusuf joseph joe ivan ivanovich sidorenko petrova al abd rahman abdulrahman nasir ' +
    'din nasiruddin kim jong un jongun trading company limited llc bank 7 vii 12 seventh plant a j jc jean ' +
    'claude khaled khalid mhmmd hmd technologies technology cia castro castillo i tchnlgs aktiengesellschaft ' +
    'mario maria josephine nicolas nicole louis louise peter petra supply supplies companies zero one mk12 x'
  ).split(' '),
)
const letter = fc.constantFrom(...'abcdhiklmnoprstuwyz1')
const slip = fc.record({
  at: fc.nat(11),
  kind: fc.constantFrom('none', 'none', 'drop', 'add', 'swap'),
  letter,
})
type Slip = typeof slip extends fc.Arbitrary<infer Value> ? Value : never

function slipped(text: string, { at, kind, letter: other }: Slip): string {
  const place = Math.min(at, text.length - 1)
  if (kind === 'none' || text.length < 2) return text
  if (kind === 'drop') return text.slice(0, place) + text.slice(place + 1)
  return text.slice(0, place) + other + text.slice(kind === 'add' ? place : place + 1)
}

const word = fc.tuple(listed, slip).map(([text, one]) => slipped(text, one))
/** Any two words, and two that were one. */
const twoWords = fc.oneof(
  fc.tuple(word, word),
  fc
    .tuple(word, slip, slip)
    .map(([text, ...slips]) => [text, slips.reduce(slipped, text)] as const),
)
/** A listed name beside what somebody writes: words spelt otherwise, run together, left out. */
const pair = fc
  .array(fc.tuple(listed, word, fc.constantFrom('same', 'same', 'joined', 'other', 'left out')), {
    minLength: 1,
    maxLength: 5,
  })
  .map((words) => ({
    one: words.map(([text]) => text).join(' '),
    asked: words
      .map(([text, other, how]) => {
        if (how === 'left out') return ''
        return how === 'other' ? ` ${other}` : how === 'joined' ? text : ` ${text}`
      })
      .join(''),
  }))

test('no name that would be reported is passed over before it is aligned', () => {
  const type = fc.constantFrom('individual' as const, 'entity' as const, 'vessel' as const)
  fc.assert(
    fc.property(pair, type, fc.boolean(), ({ one, asked }, kind, turned) => {
      const index = buildNameIndex([entryOf(turned ? asked : one, { type: kind })])
      for (const query of readNameQuery(index.table, turned ? one : asked))
        for (let at = 0; at < index.nameText.length; at++) {
          const score = scoreAlignment(index, query, alignName(index, query, at))
          if (score < NAME_REVIEW_SCORE) continue
          const context = contextOf(index, query, at)
          assert.ok(mayReach(index, query, at, context, NAME_REVIEW_SCORE), `${asked} | ${one}`)
        }
    }),
    { numRuns: 5000 },
  )
})

test('words that are passed over as unlike are no evidence for each other', () => {
  fc.assert(
    fc.property(twoWords, fc.boolean(), ([a, b], person) => {
      fc.pre(a !== b)
      const profiles = profilesFor(1)
      setProfile(profiles, 0, traitsOf(b))
      if (!isUnlike(profiles, 0, traitsOf(a))) return
      const context = { person, unvocalised: false, homophonous: false }
      assert.equal(wordEvidence(traitsOf(a), traitsOf(b), context), undefined)
    }),
    { numRuns: 20_000 },
  )
})

test('words parted elsewhere are found whatever the filter of letters says', () => {
  const parts = fc.array(word, { minLength: 2, maxLength: 3 })
  fc.assert(
    fc.property(parts, word, fc.boolean(), fc.boolean(), (texts, other, joins, unvocalised) => {
      const joined = texts.join('')
      const one = joins ? respelt(joined) : other
      fc.pre(one.length > 3 && joined.length > 4 && Math.abs(one.length - joined.length) < 5)
      const same = soundOf(one) === soundOf(joined)
      const consonants = consonantsOf(one)
      const bare = consonants.length > 3 && consonants === consonantsOf(joined)
      fc.pre(one[0] === joined[0] && (same || bare))
      const run = runOf(texts.map(traitsOf), 0, texts.length)
      const context = { person: true, unvocalised, homophonous: false }
      assert.notEqual(mergedEvidence(traitsOf(one), run, context), undefined, `${one} ${joined}`)
    }),
    { numRuns: 5000 },
  )
})

/** The same sounds in other letters. */
function respelt(text: string): string {
  return text.replaceAll('ph', 'f').replaceAll('k', 'q').replaceAll('u', 'ou').replaceAll('e', 'i')
}

test('words are never nearer each other than their letters alone allow', () => {
  const any = fc.string({ unit: letter, minLength: 1, maxLength: 9 })
  fc.assert(
    fc.property(fc.oneof(word, any), fc.oneof(word, any), (a, b) => {
      const least = leastDistance(letterMask(a), letterMask(b))
      assert.ok(least <= soundDistance(a, b), `${a} ${b}`)
      assert.ok(Math.abs(a.length - b.length) * LEAST_DROP <= soundDistance(a, b), `${a} ${b}`)
    }),
    { numRuns: 20_000 },
  )
})

test('a distance of letters is that of words of one letter', () => {
  const one = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzSCJT1é')
  fc.assert(
    fc.property(one, one, (a, b) => {
      assert.equal(letterDistance(a, b), soundDistance(a, b))
    }),
  )
})

test('a distance of sounds with a limit is the distance up to it, and more beyond', () => {
  const short = fc.string({ unit: fc.constantFrom(...'dnb'), minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(short, short, fc.integer({ min: 0, max: 24 }), (a, b, limit) => {
      const whole = soundDistance(a, b)
      const limited = soundDistance(a, b, limit)
      if (whole <= limit) assert.equal(limited, whole)
      else assert.ok(limited > limit)
    }),
    { numRuns: 10_000 },
  )
})
