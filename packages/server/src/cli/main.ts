/** `portcullis`: the commands, each a few lines over the service. */
import { Command } from 'commander'
import { VERSION } from '../main.ts'
import { listsCommand } from './lists/lists.ts'
import { auditCommand } from './audit/audit.ts'
import { endUsageErrors, fail } from './failure.ts'
import { rescreenCommand } from './rescreen.ts'
import { screenCommand } from './screen.ts'
import { serveCommand } from './serve.ts'
import { receiptCommand } from './receipt.ts'

const program = new Command('portcullis')
  .description('Pre-settlement compliance screening between an AI agent and a payment rail')
  .version(VERSION)
  .addCommand(serveCommand())
  .addCommand(screenCommand())
  .addCommand(receiptCommand())
  .addCommand(listsCommand())
  .addCommand(auditCommand())
  .addCommand(rescreenCommand())
  .addHelpText(
    'after',
    `
Examples:
  portcullis serve
  portcullis screen --name "Acme Corp" --wallet 0x52908400098527886E0F7030069857D2E4169EE7 --amount 250 --chain BASE
  portcullis lists status
  portcullis lists test --assert
  portcullis rescreen
  portcullis receipt verify receipt.txt --jwks http://127.0.0.1:8080/v1/.well-known/jwks.json

Configuration comes from environment variables: docs/config.md.`,
  )

// A reader that has seen enough (`| head`) is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

await endUsageErrors(program).parseAsync().catch(fail)
