/** `portcullis audit`: verify, export, replay, hold and purge. */
import { Command, Option } from 'commander'
import { parseOperatorId, ServiceError } from '@portcullis/protocol'
import { holdRecord } from '../../app/audit/legal-hold.ts'
import { purgeExpired } from '../../app/audit/retention.ts'
import { type OpenLog, openLog } from '../../main.ts'
import { exportLog } from './audit-export.ts'
import { replayOne, replayRange } from './audit-replay.ts'
import { verifyFile } from './audit-verify-file.ts'
import { verifyStore } from './audit-verify.ts'
import { configOrExit } from '../serve.ts'

const EXIT_USAGE = 2

export const auditCommand = (): Command =>
  new Command('audit')
    .description('check, export and replay the audit log (the store is found through DATA_DIR)')
    .addCommand(verifyCommand())
    .addCommand(exportCommand())
    .addCommand(replayCommand())
    .addCommand(holdCommand())
    .addCommand(purgeCommand())

interface VerifyFlags {
  readonly jwks?: string
  readonly issuer?: string
  readonly checkpoint?: string
  readonly receipts?: true
  readonly resume?: true
}

const verifyCommand = () =>
  new Command('verify')
    .description('name the first altered, missing, inserted, reordered or truncated entry')
    .argument('[file]', 'an export, a case file or a proof, checked offline; else the store')
    .option('--jwks <file|url>', 'keys that you trust, for a file')
    .option('--issuer <did>', 'issuer that you trust, for a file')
    .option('--checkpoint <file>', 'a checkpoint that you kept; the log must continue it')
    .option('--receipts', 'check the signature of every receipt too')
    .option('--resume', 'go on where an interrupted check stopped')
    .addHelpText('after', '\nExit codes: 0 good, 4 damaged, 130 interrupted.')
    .action((file: string | undefined, flags: VerifyFlags) =>
      file === undefined
        ? withLog(
            (log, dataDir) => {
              const { jwks, issuer } = flags
              refuseOptions({ jwks, issuer }, 'is for a file; the store has its own')
              return verifyStore(log, dataDir, flags)
            },
            { readOnly: true },
          )
        : saying(() => {
            const { checkpoint, receipts } = flags
            refuseOptions({ checkpoint, receipts }, 'is for the store, not for a file')
            return verifyFile(file, flags)
          }),
    )

/** What would be passed over in silence would look as if it had been checked. */
function refuseOptions(flags: object, why: string): void {
  const given = Object.entries(flags).find(([, value]) => value !== undefined)
  if (given !== undefined) throw new Error(`--${given[0]} ${why}`)
}

interface ExportFlags {
  readonly from?: string
  readonly to?: string
  readonly format: 'jsonl' | 'csv'
  readonly out?: string
  readonly resume?: true
}

const exportCommand = () =>
  new Command('export')
    .description('every entry with receipt and proof, as JSONL or CSV')
    .option('--from <time>', 'ISO 8601 date or instant, inclusive')
    .option('--to <time>', 'ISO 8601 instant, exclusive; a date counts whole')
    .addOption(new Option('--format <format>').choices(['jsonl', 'csv']).default('jsonl'))
    .option('--out <file>', 'where to; standard output when left out')
    .option('--resume', 'go on with an interrupted JSONL export of the same file')
    .action((flags: ExportFlags) => withLog((log) => exportLog(log, flags)))

interface ReplayFlags {
  readonly from?: string
  readonly to?: string
  readonly policy?: string
  readonly agent?: string
  readonly resume?: true
}

const replayCommand = () =>
  new Command('replay')
    .description('evaluate recorded facts again: one screen, or all between two times')
    .argument('[txnId]', 'one screen')
    .option('--from <time>', 'ISO 8601 date or instant, inclusive')
    .option('--to <time>', 'ISO 8601 instant, exclusive; a date counts whole')
    .option('--policy <file>', 'a change of spend policy to try: omitted keeps, null clears')
    .option('--agent <agentId>', 'screens of this agent only')
    .option('--resume', 'go on where an interrupted replay stopped')
    .addHelpText('after', '\nExit codes: 0 the same, 4 something differs, 130 interrupted.')
    .action((txnId: string | undefined, flags: ReplayFlags) =>
      withLog((log, dataDir) => {
        if (txnId === undefined) return replayRange(log, dataDir, flags)
        refuseOptions(flags, 'is for screens between two times, not for one')
        return replayOne(log, txnId)
      }),
    )

interface HoldFlags {
  readonly operator: string
  readonly by: string
  readonly reason?: string
  readonly release?: true
}

const holdCommand = () =>
  new Command('hold')
    .description('set or lift the legal hold on a record; what is held is never purged')
    .argument('<txnId>')
    .requiredOption('--operator <operatorId>', 'whose record it is')
    .requiredOption('--by <name>', 'who decides')
    .option('--reason <text>', 'why')
    .option('--release', 'lift the hold')
    .action((txnId: string, { operator, by, reason, release }: HoldFlags) =>
      withLog(async ({ env }) => {
        const operatorId = parseOperatorId(operator)
        const owner = operatorId && (await env.store.findOperator(operatorId))
        if (owner === undefined)
          throw new ServiceError('not_found', { message: 'no such operator' })
        const request = { legalHold: release !== true, by, reason: reason ?? null }
        const caller = { operator: owner, now: env.clock.now() }
        const view = await holdRecord(env, txnId, request, caller)
        process.stdout.write(`${JSON.stringify(view)}\n`)
      }),
    )

const purgeCommand = () =>
  new Command('purge')
    .description('archive (ARCHIVE_DIR) and purge what is older than RETENTION_DAYS, now')
    .action(() =>
      withLog(async ({ env }) => {
        const purged = await purgeExpired(env)
        process.stdout.write(`${purged} expired records were purged\n`)
      }),
    )

/** Opens the log for one command. */
async function withLog(
  work: (log: OpenLog, dataDir: string) => Promise<void>,
  how: { readonly readOnly?: boolean } = {},
): Promise<void> {
  const config = configOrExit()
  await saying(async () => {
    const log = await openLog(config, how)
    try {
      await work(log, config.dataDir)
    } finally {
      await log.close()
    }
  })
}

/** What is wrong with the request is a sentence and exit code 2. */
async function saying(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = EXIT_USAGE
  }
}
