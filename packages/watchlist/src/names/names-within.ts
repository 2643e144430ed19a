/** Marks that a name is published together with other names of the same person. */
const SEVERAL = /\ba\.?k\.?a\.?\b|\s\/|\/\s|\p{L}{3}\/\p{L}{3}|\(/iu
const BREAK = /\s*(?:[;(),/]|\ba\.?k\.?a\.?(?=[\s:])|\bor\b|\balso known as\b)\s*/iu

/**
 * The names that a person's published name holds beside each other: `A B (a.k.a. C D, E F)` or `A
 * B / C D`. None for a plain name; names of one word are left out, and so is what stands in
 * brackets without saying what it is.
 */
export function namesWithin(name: string): string[] {
  if (!SEVERAL.test(name)) return []
  const named = /\ba\.?k\.?a\.?\b|\//i.test(name)
  const parts = named ? name.split(BREAK) : [name.replace(/\([^)]*\)/g, ' ')]
  const words = (part: string) => part.split(/\s+/).filter((word) => /\p{L}{2}/u.test(word)).length
  return parts.map((part) => part.trim()).filter((part) => words(part) > 1)
}
