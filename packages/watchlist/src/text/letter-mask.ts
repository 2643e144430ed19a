/**
 * One bit for each letter a to z of the word: a quick way to see that two have little in common.
 */
export function letterMask(word: string): number {
  let mask = 0
  for (let at = 0; at < word.length; at++) {
    const bit = word.charCodeAt(at) - 97
    if (bit >= 0 && bit < 26) mask |= 1 << bit
  }
  return mask
}

/** The mask of the vowels. */
export const VOWELS = letterMask('aeiou')

/** How many bits of 32 are set. */
export function bitsOf(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
