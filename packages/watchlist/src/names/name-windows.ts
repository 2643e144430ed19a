import { HASH_SEED, hashText, hasKey, slotOf, valueIn } from '../words/int-multimap.ts'
import { hashOfWord } from './name-index.ts'
import type { NameIndex } from './name-index.ts'
import type { NameQuery } from './name-query.ts'
import { JOINED_WORD_LIMIT } from '../thresholds.ts'

/**
 * Longest run of letters joined into one look-up: longer than any listed name that is worth
 * rejoining.
 */
const JOINED_LETTERS = 80
/** The same from the beginning of the text, where a listed name may be all of it. */
const JOINED_WHOLE_LETTERS = 250

/** A listed name found in the words `start .. end` of a query. */
export type VisitWindow = (name: number, start: number, end: number) => void

/** Every listed name whose words are those of a stretch of the query, in any order. */
export function eachNameInWords(index: NameIndex, query: NameQuery, visit: VisitWindow): void {
  const { ids } = query
  const { byWords } = index
  for (let start = 0; start < ids.length; start++) {
    let sum = 0
    const last = Math.min(ids.length, start + index.longestName)
    for (let end = start + 1; end <= last && ids[end - 1]! >= 0; end++) {
      sum = (sum + hashOfWord(ids[end - 1]!)) | 0
      for (let slot = slotOf(byWords, sum); slot >= 0; slot = slotOf(byWords, sum, slot + 1)) {
        const name = valueIn(byWords, slot)
        if (sameMembers(wordsOfName(index, name), ids.subarray(start, end))) visit(name, start, end)
      }
    }
  }
}

/** Every listed name whose words look like those of a stretch of the query, in any order. */
export function eachNameInSkeletons(index: NameIndex, query: NameQuery, visit: VisitWindow): void {
  const { skeletonHash } = query
  const { bySkeleton } = index
  const listed = Uint8Array.from(skeletonHash, (hash) =>
    Number(hasKey(index.table.bySkeleton, hash)),
  )
  for (let start = 0; start < skeletonHash.length; start++) {
    let sum = 0
    const last = Math.min(skeletonHash.length, start + index.longestName)
    for (let end = start + 1; end <= last && listed[end - 1] === 1; end++) {
      sum = (sum + skeletonHash[end - 1]!) | 0
      for (
        let slot = slotOf(bySkeleton, sum);
        slot >= 0;
        slot = slotOf(bySkeleton, sum, slot + 1)
      ) {
        const name = valueIn(bySkeleton, slot)
        const words = wordsOfName(index, name)
        const skeletons = Uint32Array.from(words, (id) => index.table.skeletonHash[id]!)
        if (sameMembers(skeletons, skeletonHash.subarray(start, end))) visit(name, start, end)
      }
    }
  }
}

/**
 * Every listed name whose letters, without spaces, are those of a stretch of the query. Stretches
 * that begin beyond `JOINED_WORD_LIMIT` are not looked at.
 */
export function eachNameInLetters(index: NameIndex, query: NameQuery, visit: VisitWindow): void {
  const { words } = query
  const { byLetters } = index
  const starts = Math.min(words.length, JOINED_WORD_LIMIT)
  for (let start = 0; start < starts; start++) {
    let letters = 0
    let hash = HASH_SEED
    for (let end = start + 1; end <= words.length; end++) {
      const word = words[end - 1]!
      letters += word.length
      if (letters > (start === 0 ? JOINED_WHOLE_LETTERS : JOINED_LETTERS)) break
      hash = hashText(word, hash)
      let slot = slotOf(byLetters, hash)
      if (slot < 0) continue
      const joined = words.slice(start, end).join('')
      for (; slot >= 0; slot = slotOf(byLetters, hash, slot + 1)) {
        const name = valueIn(byLetters, slot)
        if (sameLetters(index, name, joined)) visit(name, start, end)
      }
    }
  }
}

/** Numbers of the words of a name, as published. */
export function wordsOfName(index: NameIndex, name: number): Int32Array {
  return index.nameWords.subarray(index.nameStart[name], index.nameStart[name + 1])
}

/**
 * True when the stretch holds the words of the name as published, or turned round as `LAST, First`
 * is.
 */
export function inPublishedOrder(
  index: NameIndex,
  query: NameQuery,
  name: number,
  start: number,
): boolean {
  const words = wordsOfName(index, name)
  for (let turn = 0; turn < words.length; turn++) {
    let same = 0
    while (same < words.length && words[(turn + same) % words.length] === query.ids[start + same])
      same++
    if (same === words.length) return true
  }
  return false
}

function sameMembers(a: Int32Array | Uint32Array, b: Int32Array | Uint32Array): boolean {
  if (a.length !== b.length) return false
  const left = a.slice().sort()
  const right = b.slice().sort()
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

function sameLetters(index: NameIndex, name: number, letters: string): boolean {
  const words = Array.from(wordsOfName(index, name), (id) => index.table.words[id]!)
  for (let turn = 0; turn < index.nameTurns[name]!; turn++) {
    if ([...words.slice(turn), ...words.slice(0, turn)].join('') === letters) return true
  }
  return false
}
