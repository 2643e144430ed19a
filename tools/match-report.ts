/**
 * What the name matcher reaches on `../shared/data`: the table of `docs/matching.md`.
 *
 *     node tools/match-report.ts [--json] [--misses N] [--only TEXT] [--seed N]
 */
import { parseArgs } from 'node:util'
import { hasSharedData, ofacEntries, watchlistOf } from './match-data.ts'
import { measureAliasLeftOut, measureCongress, measureRanking } from './match-lists.ts'
import {
  measureClean,
  measureEvasion,
  measureListed,
  measureNameBench,
  measureScripts,
  measureTreatedNames,
} from './match-measures.ts'
import type { Measure } from './match-measures.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    misses: { type: 'string', default: '0' },
    seed: { type: 'string', default: '4' },
    only: { type: 'string', default: '' },
  },
})

if (!hasSharedData()) {
  process.stderr.write('left out: ../shared/data is not beside this repository\n')
  process.exit(0)
}

const entries = ofacEntries()
const ofac = watchlistOf(entries)
const all: Record<string, () => Measure[]> = {
  bench: measureNameBench,
  scripts: measureScripts,
  treated: measureTreatedNames,
  listed: () => measureListed(entries, ofac),
  evasion: () => measureEvasion(entries, ofac, Number(values.seed)),
  clean: () => measureClean(ofac),
  congress: measureCongress,
  ranking: measureRanking,
  aliases: () => measureAliasLeftOut(entries),
}
const measures = Object.entries(all)
  .filter(([name]) => name.includes(values.only))
  .flatMap(([, measure]) => measure())

if (values.json) process.stdout.write(`${JSON.stringify(measures, null, 2)}\n`)
else
  for (const { what, value, goal, met, misses } of measures) {
    const mark = met === null ? ' ' : met ? '+' : '-'
    process.stdout.write(`${mark} ${what.padEnd(62)} ${value.padEnd(54)} ${goal}\n`)
    for (const miss of misses.slice(0, Number(values.misses)))
      process.stdout.write(`      ${miss}\n`)
  }
