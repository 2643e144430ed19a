import type { Alias, EntryType, ListedAddress, ListId, WatchlistEntry } from '../entry.ts'
import { toEntries } from './entry-draft.ts'
import type { EntryDraft } from './entry-draft.ts'
import type { ListFile } from './list-files.ts'
import { child, childrenIn, childText, readXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

const SHAPE = { root: 'sanctionsData', elements: ['entity'] }
const WALLET = /^Digital Currency Address - (\S+)$/

/**
 * Entries of an OFAC list in the layout of `SDN_ENHANCED.XML` and `CONS_ENHANCED.XML`: it says more
 * than the CSV files, namely names in their original script and which names are weak.
 *
 * @throws ListRefused when the file is not well-formed or does not read whole.
 */
export function readOfacEnhanced(list: ListId, name: string, file: ListFile): WatchlistEntry[] {
  const drafts: EntryDraft[] = []
  readXml(list, name, file, SHAPE, (element) => drafts.push(toDraft(element)))
  return toEntries(list, name, drafts)
}

function toDraft(entity: XmlElement): EntryDraft {
  const info = child(entity, 'generalInfo')
  const names = childrenIn(entity, 'names', 'name')
  const primary = names.find((name) => childText(name, 'isPrimary') === 'true')
  return {
    entryId: entity.attributes['id'] ?? '',
    type: craft(info === undefined ? '' : childText(info, 'entityType')),
    primaryName: primary === undefined ? '' : (spellings(primary)[0] ?? ''),
    aliases: names.flatMap(readName),
    addresses: childrenIn(entity, 'features', 'feature').flatMap(readWallet),
    programs: childrenIn(entity, 'sanctionsPrograms', 'sanctionsProgram').map(({ text }) => text),
  }
}

/** OFAC's words for what is listed; everything that is no person and no craft is an entity. */
export function craft(word: string): EntryType {
  const type = word.toLowerCase()
  return type === 'individual' || type === 'vessel' || type === 'aircraft' ? type : 'entity'
}

/** A name in every script, the main spelling first. */
function spellings(name: XmlElement): string[] {
  return childrenIn(name, 'translations', 'translation')
    .toSorted((a, b) => Number(isMain(b)) - Number(isMain(a)))
    .map((translation) => childText(translation, 'formattedFullName'))
    .filter((spelling) => spelling !== '')
}

const isMain = (translation: XmlElement): boolean => childText(translation, 'isPrimary') === 'true'

function readName(name: XmlElement): Alias[] {
  const quality = childText(name, 'isLowQuality') === 'true' ? 'weak' : 'strong'
  const kind = kindOf(childText(name, 'aliasType'))
  return spellings(name).map((spelling) => ({ name: spelling, quality, kind }))
}

/** `F.K.A.` and `N.K.A.` in any spelling; everything else is also known as. */
export function kindOf(aliasType: string): Alias['kind'] {
  const letters = aliasType.toLowerCase().replaceAll('.', '')
  return letters === 'fka' || letters === 'nka' ? letters : 'aka'
}

function readWallet(feature: XmlElement): ListedAddress[] {
  return listedAddress(childText(feature, 'type'), childText(feature, 'value'))
}

/** A feature as a wallet, when it is one. Tickers are open-ended. */
export function listedAddress(feature: string, value: string): ListedAddress[] {
  const ticker = WALLET.exec(feature)?.[1]
  return ticker === undefined || value === ''
    ? []
    : [{ ticker: ticker.toUpperCase(), address: value }]
}
