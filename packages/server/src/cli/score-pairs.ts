/** `portcullis lists score`: pairs of names in, scores out, line by line in the same order. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { scorePair } from '@portcullis/watchlist'
import { Command } from 'commander'

const EXIT_USAGE = 2

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
Each line gives { "score": 0 to 1, "method": how it matched or null, "verdict": BLOCK, REVIEW or CLEAR }.`,
    )
    .action(async ({ pairs }: { readonly pairs: string }) => {
      const input = pairs === '-' ? process.stdin : createReadStream(pairs)
      let number = 0
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        number++
        if (line.trim() === '') continue
        const pair = readPair(line)
        if (pair === undefined) {
          process.stderr.write(`line ${number} is no { "query", "candidate" } of texts\n`)
          process.exitCode = EXIT_USAGE
          return
        }
        const scored = scorePair(pair.query, pair.candidate, pair.schema)
        process.stdout.write(`${JSON.stringify(scored)}\n`)
      }
    })

function readPair(line: string): Pair | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  const { query, candidate, schema } = (value ?? {}) as Record<string, unknown>
  if (typeof query !== 'string' || typeof candidate !== 'string') return undefined
  return { query, candidate, ...(typeof schema === 'string' && { schema }) }
}
