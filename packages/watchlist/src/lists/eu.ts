import type { Alias, EntryType, WatchlistEntry } from '../entry.ts'
import { toEntries } from './entry-draft.ts'
import type { EntryDraft } from './entry-draft.ts'
import type { ListFile } from './list-files.ts'
import { readXml } from './xml.ts'
import type { XmlElement } from './xml.ts'

const FILE = 'xmlFullSanctionsList_1_1.xml'
const SHAPE = { root: 'export', elements: ['sanctionEntity'] }

/**
 * Entries of the European Union's consolidated financial sanctions list, under their EU reference
 * numbers. The first strong name is the main one; the list marks none.
 *
 * @throws ListRefused when the file is not well-formed or does not read whole.
 */
export function readEu(file: ListFile): WatchlistEntry[] {
  const drafts = new Map<string, EntryDraft>()
  readXml('EU_FSF', FILE, file, SHAPE, (element) => {
    const draft = toDraft(element)
    const known = drafts.get(draft.entryId)
    drafts.set(draft.entryId, known === undefined ? draft : merged(known, draft))
  })
  return toEntries('EU_FSF', FILE, drafts.values())
}

/** A party may stand in the file more than once: it has the names of all its elements. */
function merged(first: EntryDraft, second: EntryDraft): EntryDraft {
  return {
    ...first,
    type: first.type === 'entity' ? second.type : first.type,
    aliases: [...first.aliases, ...second.aliases],
    programs: [...new Set([...first.programs, ...second.programs])],
  }
}

function toDraft({ attributes, children }: XmlElement): EntryDraft {
  const programs = children
    .filter(({ name }) => name === 'regulation')
    .map((regulation) => regulation.attributes['programme'] ?? '')
  const subject = children.find(({ name }) => name === 'subjectType')
  return {
    entryId: attributes['euReferenceNumber'] || (attributes['logicalId'] ?? ''),
    type: subject === undefined ? 'entity' : typeOf(subject.attributes),
    primaryName: '',
    aliases: children.filter(({ name }) => name === 'nameAlias').flatMap(readName),
    addresses: [],
    programs: [...new Set(programs)].filter((program) => program !== ''),
  }
}

function typeOf({ code, classificationCode }: Readonly<Record<string, string>>): EntryType {
  return code === 'person' || classificationCode === 'P' ? 'individual' : 'entity'
}

function readName({ attributes }: XmlElement): Alias[] {
  const parts = [attributes['firstName'], attributes['middleName'], attributes['lastName']]
  const name = attributes['wholeName'] || parts.filter((part) => part).join(' ')
  const quality = attributes['strong'] === 'false' ? 'weak' : 'strong'
  return name === '' ? [] : [{ name, quality, kind: 'aka' }]
}

/** When the list was generated, as published; null when the file does not say. */
export function publishedEu(head: string): string | null {
  return /generationDate="([^"]+)"/.exec(head)?.[1] ?? null
}
