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
const A = 97
const H = 104
const LETTERS = 26

/** `DIGRAPHS` by the places of both letters in the alphabet, and `SINGLES` by that of one. */
const SOUND_OF_PAIR = new Array<string | undefined>(LETTERS * LETTERS).fill(undefined)
for (const [pair, sound] of Object.entries(DIGRAPHS))
  SOUND_OF_PAIR[(pair.charCodeAt(0) - A) * LETTERS + pair.charCodeAt(1) - A] = sound
const SOUND_OF_LETTER = Array.from({ length: LETTERS }, (_, at) => {
  const letter = String.fromCharCode(A + at)
  return SINGLES[letter] ?? letter
})
const IS_VOWEL = Array.from({ length: LETTERS }, (_, at) =>
  VOWELS.includes(String.fromCharCode(A + at)),
)
const TRIGRAPH_STARTS = new Set([...Object.keys(TRIGRAPHS)].map((three) => three.charCodeAt(0)))

/** The sounds of a lower-case word; words outside a to z are returned unchanged. */
export function soundOf(word: string): string {
  if (!isLatin(word)) return word
  let sound = ''
  let last = ''
  for (let at = 0; at < word.length;) {
    const letter = word.charCodeAt(at)
    const trigraph = at + 2 < word.length && TRIGRAPH_STARTS.has(letter)
    const three = trigraph ? TRIGRAPHS[word.slice(at, at + 3)] : undefined
    const two = three === undefined ? soundOfPair(word, at, letter - A) : undefined
    const next = three ?? two ?? soundOfLetter(word, at, letter - A)
    for (const one of next) if (one !== last) sound += last = one
    at += three !== undefined ? 3 : two !== undefined ? 2 : 1
  }
  return sound.length > 2 && last === 'h' ? sound.slice(0, -1) : sound
}

/** True for a word of the letters a to z alone, the empty one excepted. */
function isLatin(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const place = word.charCodeAt(at) - A
    if (place < 0 || place >= LETTERS) return false
  }
  return word !== ''
}

function soundOfPair(word: string, at: number, place: number): string | undefined {
  if (at + 1 === word.length) return undefined
  const second = word.charCodeAt(at + 1)
  // The h of `Ahmad` and `Mahmud` is a sound; the one of `Sarah` and `Ahlam` is told by what
  // follows.
  if (second === H && IS_VOWEL[place] === true && at + 2 < word.length) return undefined
  return SOUND_OF_PAIR[place * LETTERS + second - A]
}

function soundOfLetter(word: string, at: number, place: number): string {
  if (place === 2) return 'eiy'.includes(word[at + 1] ?? '-') ? 's' : 'k'
  return SOUND_OF_LETTER[place] ?? ''
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
 * it writes u. `w` and `y` are taken for vowels. `wholeSound` is the sound of the word, if known.
 */
export function consonantsOf(word: string, wholeSound = soundOf(word)): string {
  if (!isLatin(word)) return word
  let key = VOWELS.includes(word.charAt(0)) ? 'A' : ''
  const silent = word.indexOf('w', 1) > 0
  for (const sound of silent
    ? soundOf(word.charAt(0) + word.slice(1).replaceAll('w', ''))
    : wholeSound) {
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
  let bare = ''
  let before = ''
  for (let at = 0; at < word.length; at++) {
    const place = word.charCodeAt(at) - A
    if (at > 0 && place >= 0 && place < LETTERS && IS_VOWEL[place] === true) continue
    const letter = word.charAt(at)
    if (letter !== before) bare += letter
    before = letter
  }
  return bare
}
