import type { Alias, ListedAddress, ListId, WatchlistEntry } from '../entry.ts'
import { toEntries } from './entry-draft.ts'
import type { EntryDraft } from './entry-draft.ts'
import type { ListFile } from './list-files.ts'
import { craft, kindOf, listedAddress } from './ofac-enhanced.ts'
import { readXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

/** Words that the parties refer to by number; the file has them before the parties. */
const WORDS = ['AliasType', 'FeatureType', 'NamePartType', 'PartySubType']
const SHAPE = { root: 'Sanctions', elements: [...WORDS, 'DistinctParty', 'SanctionsEntry'] }

type Words = ReadonlyMap<string, string>

/**
 * Entries of an OFAC list in the layout of `SDN_ADVANCED.XML`: names in parts and scripts, weak
 * aliases, wallets.
 *
 * @throws ListRefused when the file is not well-formed or does not read whole.
 */
export function readOfacAdvanced(list: ListId, name: string, file: ListFile): WatchlistEntry[] {
  const words = new Map<string, string>()
  const drafts: EntryDraft[] = []
  const programs = new Map<string, string[]>()
  readXml(list, name, file, SHAPE, (element) => {
    if (element.name === 'DistinctParty') drafts.push(toDraft(element, words))
    else if (element.name === 'SanctionsEntry') readPrograms(element, programs)
    else words.set(`${element.name} ${element.attributes['ID'] ?? ''}`, element.text)
  })
  return toEntries(
    list,
    name,
    drafts.map((draft) => ({ ...draft, programs: programs.get(draft.entryId) ?? [] })),
  )
}

const word = (words: Words, kind: string, element: XmlElement): string =>
  words.get(`${kind} ${element.attributes[`${kind}ID`] ?? ''}`) ?? ''

function* descendants(element: XmlElement, name: string): Generator<XmlElement> {
  for (const one of element.children) {
    if (one.name === name) yield one
    yield* descendants(one, name)
  }
}

function toDraft(party: XmlElement, words: Words): EntryDraft {
  const [profile] = descendants(party, 'Profile')
  const type = profile === undefined ? 'entity' : craft(word(words, 'PartySubType', profile))
  const individual = type === 'entity' && isPerson(party, words) ? 'individual' : type
  const names = [...descendants(party, 'Identity')].flatMap((identity) =>
    readNames(identity, words),
  )
  const primary = names.find((name) => name.primary)
  return {
    entryId: party.attributes['FixedRef'] ?? '',
    type: individual,
    primaryName: primary?.alias.name ?? '',
    aliases: names.map(({ alias }) => alias),
    addresses: [...descendants(party, 'Feature')].flatMap((feature) => readWallet(feature, words)),
    programs: [],
  }
}

/** The layout names no sub-type for persons: whoever has a last name is one. */
function isPerson(party: XmlElement, words: Words): boolean {
  return [...descendants(party, 'NamePartGroup')].some(
    (group) => word(words, 'NamePartType', group) === 'Last Name',
  )
}

function readNames(identity: XmlElement, words: Words): { alias: Alias; primary: boolean }[] {
  const lastNames = new Set(
    [...descendants(identity, 'NamePartGroup')]
      .filter((group) => word(words, 'NamePartType', group) === 'Last Name')
      .map((group) => group.attributes['ID']),
  )
  return [...descendants(identity, 'Alias')].flatMap((alias) =>
    [...descendants(alias, 'DocumentedName')].map((documented) => ({
      primary: alias.attributes['Primary'] === 'true',
      alias: {
        name: nameOf(documented, lastNames),
        quality: alias.attributes['LowQuality'] === 'true' ? 'weak' : 'strong',
        kind: kindOf(word(words, 'AliasType', alias)),
      },
    })),
  )
}

/** Parts in the order of the CSV files: `LAST, First Middle`. */
function nameOf(documented: XmlElement, lastNames: ReadonlySet<string | undefined>): string {
  const parts = [...descendants(documented, 'NamePartValue')]
  const isLast = (part: XmlElement) => lastNames.has(part.attributes['NamePartGroupID'])
  const join = (some: readonly XmlElement[]) => some.map(({ text }) => text).join(' ')
  const last = join(parts.filter(isLast))
  const others = join(parts.filter((part) => !isLast(part)))
  return last === '' || others === '' ? last + others : `${last}, ${others}`
}

function readWallet(feature: XmlElement, words: Words): ListedAddress[] {
  const type = word(words, 'FeatureType', feature)
  return [...descendants(feature, 'VersionDetail')].flatMap(({ text }) => listedAddress(type, text))
}

function readPrograms(entry: XmlElement, programs: Map<string, string[]>): void {
  const named = [...descendants(entry, 'SanctionsMeasure')]
    .map((measure) => [...descendants(measure, 'Comment')][0]?.text ?? '')
    .filter((program) => program !== '')
  programs.set(entry.attributes['ProfileID'] ?? '', [...new Set(named)])
}
