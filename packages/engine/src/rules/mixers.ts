/** Mixers and privacy protocols that R14 knows, by the names that people and APIs give them. */

/** Display name, and the spellings that denote it when only letters and digits are left. */
const MIXERS: readonly (readonly [name: string, ...spellings: string[]])[] = [
  ['Tornado Cash', 'tornadocash', 'torncash', 'tornadonova', 'tornadopool', 'tornado'],
  ['Blender.io', 'blenderio', 'blender'],
  ['Sinbad.io', 'sinbadio', 'sinbad'],
  ['ChipMixer', 'chipmixer'],
  ['Helix', 'helixmixer', 'gramshelix', 'helixlight'],
  ['Bitcoin Fog', 'bitcoinfog', 'btcfog'],
  ['Samourai Whirlpool', 'samouraiwhirlpool', 'samouraiwallet', 'samourai', 'whirlpool'],
  ['Wasabi CoinJoin', 'wasabicoinjoin', 'wasabiwallet', 'wasabi', 'wabisabi', 'coinjoin'],
  ['JoinMarket', 'joinmarket'],
  ['Mixero', 'mixero'],
  ['YoMix', 'yomix'],
  ['Cryptomixer', 'cryptomixer', 'cryptomixerio'],
  ['MixTum', 'mixtum'],
  ['Wizard Mixer', 'wizardmixer', 'wzrd'],
  ['eXch', 'exch', 'exchcx'],
  ['Railgun', 'railgun', 'railgunproject', 'railwaywallet', 'railwayxyz'],
  ['Aztec Connect', 'aztecconnect', 'zkmoney'],
  ['Cyclone Protocol', 'cycloneprotocol', 'cyclonexyz'],
  ['Typhoon Cash', 'typhooncash', 'typhoonnetwork'],
  ['Privacy Pools', 'privacypools', '0xbow'],
  ['Umbra', 'umbracash', 'umbraprotocol', 'umbra'],
  ['Hinkal', 'hinkal', 'hinkalprotocol'],
  ['Nocturne', 'nocturnelabs', 'nocturnexyz', 'nocturne'],
  ['Elusiv', 'elusiv'],
  ['Light Protocol', 'lightprotocolprivacy'],
  ['Secret Network', 'secretnetwork', 'scrt'],
  ['Zcash shielded pool', 'zcashshielded', 'zcash'],
  ['Monero', 'monero', 'xmr'],
]

/**
 * Names that are honest words or firms too: Blender Market, Whirlpool Corporation, Wasabi Protocol.
 * They denote the mixer only where they stand alone, or with what is said of mixers.
 */
const ORDINARY = new Set([
  ...['tornado', 'blender', 'sinbad', 'samourai', 'whirlpool', 'wasabi', 'wabisabi'],
  ...['umbra', 'nocturne', 'exch', 'scrt'],
])

/** Words that people put after a name: `tornado.cash mixer v2`, `Railgun (privacy pool)`. */
const MIXING_WORDS =
  /(?:privacypool|privacyprotocol|mixer|mixing|tumbler|router|contract|classic|nova|eth|v\d+)$/

/** Words that any project puts after its name. */
const PROJECT_WORDS = /(?:protocol|pool|finance|labs|network|app|dao)$/

const SPELLINGS = new Map(
  MIXERS.flatMap(([name, ...spellings]) => spellings.map((spelling) => [spelling, name] as const)),
)

/** Spellings this long that are no ordinary word are found anywhere in a text. */
const DISTINCTIVE_LENGTH = 7

const DISTINCTIVE = [...SPELLINGS].filter(
  ([spelling]) => spelling.length >= DISTINCTIVE_LENGTH && !ORDINARY.has(spelling),
)

/** A service that calls itself one. A mixer alone may be a kitchen machine. */
const SELF_DESCRIBED = [
  /\bcoin\s?join\b/,
  /\b(?:bit|bitcoin|btc|coin|crypto|eth|ethereum|token|privacy)[\s._-]*(?:mixer|mixing|tumbler)\b/,
  /^\W*(?:mixer|tumbler)\W*$/,
]

/** The mixer that a protocol text denotes, whatever its case, punctuation and decoration. */
export function knownMixer(protocol: string): string | undefined {
  const text = folded(protocol)
  const letters = text.replace(/[^a-z0-9]/g, '')
  const name = nameOf(letters)
  if (name !== undefined) return name
  if (SELF_DESCRIBED.some((form) => form.test(text))) return `\`${protocol.trim()}\``
  return DISTINCTIVE.find(([spelling]) => letters.includes(spelling))?.[1]
}

function nameOf(letters: string): string | undefined {
  let ordinaryWordsCount = true
  for (let rest = letters; rest !== '';) {
    const name = SPELLINGS.get(rest)
    if (name !== undefined && (ordinaryWordsCount || !ORDINARY.has(rest))) return name
    let shorter = rest.replace(MIXING_WORDS, '')
    if (shorter === rest) {
      shorter = rest.replace(PROJECT_WORDS, '')
      ordinaryWordsCount = false
    }
    if (shorter === rest) return undefined
    rest = shorter
  }
  return undefined
}

/** Cyrillic and Greek letters that look like Latin ones, so that none of them hides a name. */
const LOOKALIKE = 'аеорсухіјѕкмтнԁαορνικτυ'
const LATIN_FORM = 'aeopcyxijskmthdaopvikty'
const LATIN_OF = new Map([...LOOKALIKE].map((letter, at) => [letter, LATIN_FORM[at] ?? letter]))

/** Lower case, without accents and compatibility forms. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, (letter) => LATIN_OF.get(letter) ?? letter)
