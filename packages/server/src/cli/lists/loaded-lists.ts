/** The lists as a command sees them: loaded once, nothing running. */
import pino from 'pino'
import { prepareDataDir } from '../../adapters/data-dir.ts'
import { openLists, shelfFolder } from '../../adapters/lists/open-lists.ts'
import { holdingPause, systemClock } from '../../adapters/system.ts'
import type { ListSync } from '../../app/lists/list-sync.ts'
import type { Config } from '../../config.ts'

/**
 * What LISTS_DIR or the shelf holds, or the embedded fallback. Faults go to the error output.
 *
 * @throws StartRefused when it is to write and nothing can be written.
 */
export async function loadedLists(
  config: Config,
  { writes }: { readonly writes: boolean },
): Promise<ListSync> {
  if (writes) prepareDataDir(shelfFolder(config))
  const log = pino({ level: 'error' }, pino.destination(2))
  const lists = openLists(config, { clock: systemClock, pause: holdingPause, log }, { writes })
  await lists.load()
  return lists
}
