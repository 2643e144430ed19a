/** `portcullis receipt verify`: is a receipt genuine, checked here and not by the service? */
import { readFileSync } from 'node:fs'
import { DEFAULT_ISSUER_DID, verifyReceipt } from '@portcullis/protocol'
import { Command } from 'commander'

interface Options {
  readonly jwks: string
  readonly issuer: string
}

const EXIT_INVALID = 4

export const receiptCommand = (): Command =>
  new Command('receipt')
    .description('work with receipts')
    .addCommand(
      new Command('verify')
        .description('verify a receipt offline against a key set')
        .argument('<file>', 'file with the receipt, or - for standard input')
        .requiredOption('--jwks <file|url>', 'the key set: a file, or the URL of jwks.json')
        .option('--issuer <did>', 'issuer that you trust', DEFAULT_ISSUER_DID)
        .action(verify),
    )

async function verify(file: string, { jwks, issuer }: Options): Promise<void> {
  const receipt = readFileSync(file === '-' ? 0 : file, 'utf8').trim()
  const keys = JSON.parse(await textOf(jwks)) as Parameters<typeof verifyReceipt>[1]
  const verified = await verifyReceipt(receipt, keys, issuer)
  if (verified.ok) {
    process.stdout.write(`valid\n${JSON.stringify(verified.value, null, 2)}\n`)
    return
  }
  process.stdout.write(`NOT VALID: ${verified.reason}\n`)
  process.exitCode = EXIT_INVALID
}

/** The text of a file or URL. */
export async function textOf(place: string): Promise<string> {
  if (!/^https?:/.test(place)) return readFileSync(place, 'utf8')
  const response = await fetch(place)
  if (!response.ok) throw new Error(`${place} answered ${response.status}`)
  return response.text()
}
