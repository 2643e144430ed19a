import type { WatchlistEntry } from '../entry.ts'
import { ListRefused } from './list-refused.ts'
import { textOf } from './list-files.ts'
import type { ListFiles } from './list-files.ts'
import { readOfacAdvanced } from './ofac-advanced.ts'
import { readOfacEnhanced } from './ofac-enhanced.ts'
import { enrich } from './ofac-enrich.ts'
import { OFAC_FILE_NAMES, readOfacSdn } from './ofac-sdn.ts'
import type { OfacListId } from './ofac-sdn.ts'

/**
 * Entries of an OFAC list from its files: the CSV files, and what the XML files that are there say
 * more.
 *
 * @throws ListRefused when a file that is needed is missing, or any file does not read whole.
 */
export function readOfac(list: OfacListId, files: ListFiles): WatchlistEntry[] {
  const names = OFAC_FILE_NAMES[list]
  const text = (name: string): string => {
    const file = files.get(name)
    if (file === undefined) throw new ListRefused(list, `${name} is missing`)
    return textOf(file)
  }
  const comments = files.get(names.comments)
  const entries = readOfacSdn(
    {
      sdn: text(names.sdn),
      alt: text(names.alt),
      ...(comments !== undefined && { comments: textOf(comments) }),
    },
    list,
  )
  const enhanced = files.get(names.enhanced)
  const advanced = files.get(names.advanced)
  const enriched =
    enhanced === undefined
      ? entries
      : enrich(entries, readOfacEnhanced(list, names.enhanced, enhanced))
  return advanced === undefined
    ? enriched
    : enrich(enriched, readOfacAdvanced(list, names.advanced, advanced))
}
