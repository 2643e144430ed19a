/**
 * How a word sounds, so that romanisations of one name agree: `Khaled` and `Khalid` nearly, `Yusuf`
 * and `Youssouf` wholly. Letters are lower case; capitals stand for one sound of two letters:
 * `S` sh, `C` ch, `J` zh, `T` ts.
 */
const DIGRAPHS: Readonly<Record<string, string>> = {
  ph: 'f',
  ck: 'k',
  sh: 'S',
  sz: 'S',
  ch: 'C',
  cz: 'C',
  kh: 'h',
  gh: 'g',
  th: 't',
  dh: 'd',
  zh: 'J',
  dj: 'j',
  dz: 'z',
  ts: 'T',
  tz: 'T',
  tj: 'C',
  ou: 'u',
  oo: 'u',
  ee: 'i',
  ea: 'e',
  ie: 'i',
  ei: 'e',
  ey: 'e',
  ay: 'ai',
  iy: 'i',
  yi: 'i',
  ij: 'i',
  yy: 'i',
  ye: 'e',
  yo: 'io',
  ya: 'ia',
  yu: 'iu',
  ju: 'ju',
  eo: 'o',
  eu: 'u',
  oe: 'o',
  ae: 'e',
  ue: 'u',
  oh: 'o',
  ah: 'a',
  uh: 'u',
  dg: 'j',
  qu: 'ku',
  wh: 'v',
}
const TRIGRAPHS: Readonly<Record<string, string>> = {
  sch: 'S',
  tch: 'C',
  tsh: 'C',
  dzh: 'j',
  tsc: 'C',
}
const SINGLES: Readonly<Record<string, string>> = { q: 'k', w: 'v', y: 'i', x: 'ks' }
const VOWELS = 'aeiou'

/** The sounds of a lower-case word; words outside a to z are returned unchanged. */
export function soundOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  let sound = ''
  for (let at = 0; at < word.length;) {
    const three = word.length - at > 2 ? TRIGRAPHS[word.slice(at, at + 3)] : undefined
    const two = three === undefined ? soundOfPair(word, at) : undefined
    const next = three ?? two ?? soundOfLetter(word, at)
    for (const one of next) if (one !== sound[sound.length - 1]) sound += one
    at += three !== undefined ? 3 : two !== undefined ? 2 : 1
  }
  return sound.length > 2 && sound.endsWith('h') ? sound.slice(0, -1) : sound
}

function soundOfPair(word: string, at: number): string | undefined {
  const pair = word.slice(at, at + 2)
  const sound = DIGRAPHS[pair]
  // The h of `Ahmad` and `Mahmud` is a sound; the one of `Sarah` and `Ahlam` is told by what
  // follows.
  if (pair[1] === 'h' && VOWELS.includes(pair[0] ?? '') && at + 2 < word.length) return undefined
  return sound
}

function soundOfLetter(word: string, at: number): string {
  const letter = word[at] ?? ''
  if (letter === 'c') return 'eiy'.includes(word[at + 1] ?? '-') ? 's' : 'k'
  return SINGLES[letter] ?? letter
}

const COARSE: Readonly<Record<string, string>> = {
  p: 'b',
  v: 'W',
  q: 'k',
  g: 'k',
  C: 'S',
  J: 'j',
  T: 's',
}

/**
 * The consonants of a word, coarsely: what remains of it in a script that writes no vowels, or when
 * vowels are left out. A vowel at the beginning stands as `A`, a v as `W`, which Arabic writes as
 * it writes u. `w` and `y` are taken for vowels.
 */
export function consonantsOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  let key = VOWELS.includes(word[0] ?? '') ? 'A' : ''
  for (const sound of soundOf(word.replace(/(?<=.)w(?=.)|(?<=.)w$/g, ''))) {
    if (VOWELS.includes(sound)) continue
    key += COARSE[sound] ?? sound
  }
  return key.length > 2 && key.endsWith('h') ? key.slice(0, -1) : key
}

/** True for a word of several letters with no vowel behind the first. */
export function isVowelless(word: string): boolean {
  return word.length > 1 && /^[a-z][b-df-hj-np-tv-z]+$/.test(word)
}

/**
 * The letters of a word without the vowels behind the first letter, and no letter twice in a row.
 */
export function bareOf(word: string): string {
  return (word.slice(0, 1) + word.slice(1).replace(/[aeiou]+/g, '')).replace(/(.)\1+/g, '$1')
}
