/** A log of many small records without a service, and the export of it. */
import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AuditRecord, OperatorId, TxnId } from '@portcullis/protocol'
import { NO_HISTORY } from '@portcullis/engine'
import { loadKeyring } from '../../packages/server/src/adapters/keyring.ts'
import { sha256 } from '../../packages/server/src/adapters/vault.ts'
import { exportAll } from '../../packages/server/src/app/audit/audit-export.ts'
import type { RetentionEnv } from '../../packages/server/src/app/audit/retention.ts'
import { sealAll } from '../../packages/server/src/app/audit/sealer.ts'
import { openSqliteStore } from '../../packages/server/src/store/sqlite.ts'
import { movedClock, type MovedClock } from './clock.ts'
import { tempDir } from './service.ts'

export const OPERATOR = 'op_evidence' as OperatorId

export interface TestLog {
  readonly env: RetentionEnv & { readonly clock: MovedClock }
  readonly dataDir: string
  /** What a command needs to work on this log. */
  readonly variables: Readonly<Record<string, string>>
  /** Writes records past the use case, for numbers. */
  fill(count: number, screenOf?: (index: number) => WrittenScreen): Promise<void>
  /** The file, for changes that the store itself refuses. */
  tamper(change: (db: DatabaseSync) => void): void
  export(): Promise<string[]>
  close(): Promise<void>
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

export const txnIdOf = (index: number): TxnId =>
  `txn_${index.toString(36).toUpperCase().padStart(8, '0')}` as TxnId

export async function testLog(retentionMs = 90 * 86_400_000): Promise<TestLog> {
  const dataDir = tempDir()
  const file = join(dataDir, 'portcullis.sqlite')
  const store = await openSqliteStore(file)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] })
  const env = {
    settings: { issuer: 'did:test', retentionMs },
    store,
    sha256,
    clock: movedClock('2026-11-20T12:00:00.000Z'),
    keyring: loadKeyring(keys, ''),
    log: SILENT,
    archive: undefined,
  }
  await store.registerOperator(REGISTRATION as never)
  let written = 0
  return {
    env,
    dataDir,
    variables: { DATA_DIR: dataDir, SIGNING_KEYS: keys, ISSUER_DID: 'did:test' },
    async fill(count, screenOf = plainScreen) {
      const screens = Array.from({ length: count }, () => written++)
      await Promise.all(screens.map((index) => writeScreen(env, index, screenOf(index))))
      await sealAll(env)
    },
    tamper(change) {
      const db = new DatabaseSync(file)
      for (const { name } of db
        .prepare("select name from sqlite_master where type = 'trigger'")
        .all()) {
        db.exec(`drop trigger ${String(name)}`)
      }
      change(db)
      db.close()
    },
    async export() {
      const { lines } = await exportAll(env, { from: null, to: null }, 'jsonl')
      let text = ''
      for await (const part of lines) text += part
      return text.trimEnd().split('\n')
    },
    close: () => store.close(),
  }
}

/** What of a screen a test may choose. */
export interface WrittenScreen {
  readonly record: object
  /** JSON text. */
  readonly facts: string
}

const plainScreen = (index: number): WrittenScreen => ({
  record: { verdict: 'CLEAR', receipt: `receipt of ${index}`, reason: 'none' },
  facts: JSON.stringify({ index, history: NO_HISTORY.screens }),
})

function writeScreen(
  { store, clock }: TestLog['env'],
  index: number,
  { record: chosen, facts }: WrittenScreen,
): Promise<unknown> {
  const now = clock.now()
  const txnId = txnIdOf(index)
  const record = { txnId, ...chosen }
  return store.commitScreen(
    {
      operatorId: OPERATOR,
      agentId: undefined,
      userId: undefined,
      date: '2026-11-20',
      month: '2026-11',
      screensPerMinute: () => 60,
      newTxnId: () => txnId,
    },
    () => ({
      audit: {
        txnId,
        operatorId: OPERATOR,
        agentId: null,
        verdict: 'CLEAR',
        screenedAt: now,
        record: record as unknown as AuditRecord,
        facts,
      },
      spend: 0n as never,
      charge: 0,
      history: undefined,
      effects: [],
    }),
  )
}

const REGISTRATION = {
  operator: {
    operatorId: OPERATOR,
    legalName: 'Evidence Ltd',
    email: 'evidence@example.com',
    wallet: null,
    description: null,
    plan: 'free',
    planActive: true,
    status: 'ACTIVE',
    credentialId: 'cred_1',
    issuedAt: 0,
    expiresAt: 0,
  },
  agent: {
    agentId: 'agt_evidence',
    operatorId: OPERATOR,
    agentName: 'agent',
    agentFramework: null,
    underlyingModel: null,
    agentType: 'autonomous',
    operatorWallet: null,
    operatorEIN: null,
    operatorLegalName: 'Evidence Ltd',
    purpose: 'tests',
    spendPolicy: {},
    status: 'ACTIVE',
    statusReason: null,
    ownershipTransferred: false,
    operatorWalletListedAtIssuance: false,
    modelAtIssuance: null,
    fleetId: null,
    parentAgentId: null,
    depth: 0,
    attestation: null,
    credentialId: 'cred_2',
    issuedAt: 0,
    expiresAt: 0,
  },
  emailDigest: 'digest',
  date: '2026-11-20',
  maxPerDay: 3,
}
