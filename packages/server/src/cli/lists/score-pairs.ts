/** `portcullis lists score`: pairs of names in, scores out, line by line in the same order. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { scorePair } from '@portcullis/watchlist'
import { Command } from 'commander'

const EXIT_USAGE = 2
/** What some editors put before the first line. */
const BYTE_ORDER_MARK = '\ufeff'
/** Faults that are named on the error output; the rest are counted. */
const NAMED = 20

interface Pair {
  readonly query: string
  readonly candidate: string
  readonly schema?: string
}

export const scoreCommand = (): Command =>
  new Command('score')
    .description('score pairs of names: JSONL of { query, candidate, schema? } to JSONL')
    .requiredOption('--pairs <file>', 'JSONL file, or - for standard input')
    .addHelpText(
      'after',
      `
Each line gives { "score": 0 to 1, "method": how it matched or null, "verdict": BLOCK, REVIEW or CLEAR }.
Empty lines are passed over. A line that is no pair gives { "line", "error" } in its place, and the rest is scored.
Exit codes: 0 done, 2 a line is no pair, or the file cannot be read.`,
    )
    .action(async ({ pairs }: { readonly pairs: string }) => {
      try {
        const faults = await scoreAll(pairs)
        if (faults > NAMED) process.stderr.write(`and ${faults - NAMED} more\n`)
        if (faults > 0) process.exitCode = EXIT_USAGE
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined) throw error
        process.stderr.write(`${pairs} cannot be read (${code})\n`)
        process.exitCode = EXIT_USAGE
      }
    })

/** Answers how many lines were no pairs. */
async function scoreAll(pairs: string): Promise<number> {
  const input = pairs === '-' ? process.stdin : createReadStream(pairs)
  let number = 0
  let faults = 0
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = number++ === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text
    if (line.trim() === '') continue
    const pair = readPair(line)
    if (typeof pair === 'string' && faults++ < NAMED)
      process.stderr.write(`line ${number} ${pair}\n`)
    const answer =
      typeof pair === 'string'
        ? { line: number, error: pair }
        : scorePair(pair.query, pair.candidate, pair.schema)
    if (!process.stdout.write(`${JSON.stringify(answer)}\n`)) await once(process.stdout, 'drain')
  }
  return faults
}

/** The pair, or what is wrong with the line. */
function readPair(line: string): Pair | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is no JSON'
  }
  const { query, candidate, schema } = (value ?? {}) as Record<string, unknown>
  if (typeof query !== 'string' || typeof candidate !== 'string')
    return 'is no { "query", "candidate" } of texts'
  return { query, candidate, ...(typeof schema === 'string' && { schema }) }
}
