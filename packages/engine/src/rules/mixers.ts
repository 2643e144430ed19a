/** Mixers and privacy protocols that R14 knows, by the names that people and APIs give them. */

/** Display name, and the spellings that denote it once everything but letters and digits is gone. */
const MIXERS: readonly (readonly [name: string, ...spellings: string[]])[] = [
  ['Tornado Cash', 'tornadocash', 'torncash', 'tornadonova', 'tornado'],
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
  ['Railgun', 'railgun', 'railgunproject', 'railway'],
  ['Aztec Connect', 'aztecconnect', 'zkmoney'],
  ['Cyclone Protocol', 'cycloneprotocol', 'cyclonexyz'],
  ['Typhoon Cash', 'typhooncash', 'typhoonnetwork'],
  ['Privacy Pools', 'privacypools', '0xbow'],
  ['Umbra', 'umbracash', 'umbraprotocol'],
  ['Hinkal', 'hinkal', 'hinkalprotocol'],
  ['Nocturne', 'nocturnelabs', 'nocturnexyz'],
  ['Elusiv', 'elusiv'],
  ['Light Protocol', 'lightprotocolprivacy'],
  ['Secret Network', 'secretnetwork', 'scrt'],
  ['Zcash shielded pool', 'zcashshielded', 'zcash'],
  ['Monero', 'monero', 'xmr'],
]

/** Words that people put around a name: `tornado.cash mixer v2`, `Railgun (privacy pool)`. */
const DECORATION =
  /(?:privacypool|privacyprotocol|protocol|mixer|mixing|tumbler|router|pool|contract|finance|labs|network|classic|nova|app|dao|eth|v\d+)$/

const SPELLINGS = new Map(
  MIXERS.flatMap(([name, ...spellings]) => spellings.map((spelling) => [spelling, name] as const)),
)

/** Spellings this long never hide inside an honest word, so they are found anywhere in a text. */
const DISTINCTIVE_LENGTH = 7

const DISTINCTIVE = [...SPELLINGS].filter(([spelling]) => spelling.length >= DISTINCTIVE_LENGTH)

/** The mixer that a protocol text denotes, whatever its case, punctuation and decoration. */
export function knownMixer(protocol: string): string | undefined {
  const letters = lettersAndDigits(protocol)
  for (let rest = letters; rest !== '';) {
    const name = SPELLINGS.get(rest)
    if (name !== undefined) return name
    const shorter = rest.replace(DECORATION, '')
    if (shorter === rest) break
    rest = shorter
  }
  if (/\b(?:mixer|tumbler|coinjoin)\b/i.test(protocol)) return `\`${protocol.trim()}\``
  return DISTINCTIVE.find(([spelling]) => letters.includes(spelling))?.[1]
}

const lettersAndDigits = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
