import type { Alias, WatchlistEntry } from '../entry.ts'
import type { ListFile } from './list-files.ts'
import { toEntries } from './entry-draft.ts'
import type { EntryDraft } from './entry-draft.ts'
import { childText, readXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

const FILE = 'consolidated.xml'
const SHAPE = { root: 'CONSOLIDATED_LIST', elements: ['INDIVIDUAL', 'ENTITY'] }
const NAME_PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME']

/**
 * Entries of the United Nations Security Council's consolidated list, under their permanent
 * reference numbers. Names stand in up to four parts; aliases of low quality are weak; names in the
 * original script are strong.
 *
 * @throws ListRefused when the file is not well-formed or does not read whole.
 */
export function readUn(file: ListFile): WatchlistEntry[] {
  const drafts: EntryDraft[] = []
  readXml('UN_SC', FILE, file, SHAPE, (element) => drafts.push(toDraft(element)))
  return toEntries('UN_SC', FILE, drafts)
}

function toDraft(element: XmlElement): EntryDraft {
  return {
    entryId: childText(element, 'REFERENCE_NUMBER') || childText(element, 'DATAID'),
    type: element.name === 'INDIVIDUAL' ? 'individual' : 'entity',
    primaryName: NAME_PARTS.map((part) => childText(element, part))
      .filter((part) => part !== '')
      .join(' ')
      .replace(/\s+/g, ' '),
    aliases: [
      ...element.children.filter(({ name }) => name.endsWith('_ALIAS')).flatMap(readAlias),
      ...splitNames(childText(element, 'NAME_ORIGINAL_SCRIPT')).map(original),
    ],
    addresses: [],
    programs: [childText(element, 'UN_LIST_TYPE')].filter((program) => program !== ''),
  }
}

const original = (name: string): Alias => ({ name, quality: 'strong', kind: 'aka' })

function readAlias(element: XmlElement): Alias[] {
  const quality = childText(element, 'QUALITY')
  return splitNames(childText(element, 'ALIAS_NAME')).map((name) => ({
    name,
    quality: quality === 'Low' ? 'weak' : 'strong',
    kind: quality === 'f.k.a.' ? 'fka' : 'aka',
  }))
}

/**
 * Names that one field holds: separated by semicolons or by letters as in `b)`, and the spelling in
 * another script in parentheses: `Jin Tiesan (金铁三)`.
 */
function splitNames(text: string): string[] {
  return text
    .split(/;|\s[a-z]\)\s/)
    .flatMap((part) => {
      const [, latin = part, other = ''] =
        /^(.*?)\s*\(([^()\p{Script=Latin}]+)\)\s*$/u.exec(part) ?? []
      return /\p{L}/u.test(other) ? [latin, other] : [part]
    })
    .map((name) => name.replace(/\s+/g, ' ').trim())
    .filter((name) => name !== '')
}

/** When the list was generated, as published; null when the file does not say. */
export function publishedUn(head: string): string | null {
  return /dateGenerated="([^"]+)"/.exec(head)?.[1] ?? null
}
