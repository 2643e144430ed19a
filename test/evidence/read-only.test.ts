/** `audit verify` needs to write nothing: beside the service, on a copy, where nobody may write. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from 'node:sqlite'
import { openSqliteReader } from '../../packages/server/src/store/sqlite-reader.ts'
import { testLog, type TestLog } from '../support/evidence.ts'
import { tempDir } from '../support/service.ts'

const CLI = fileURLToPath(new URL('../../packages/server/src/cli/main.ts', import.meta.url))
/** Root may write everywhere: it looks as somebody who may not. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

interface Ran {
  readonly code: number
  readonly text: string
}

const run = (args: readonly string[], variables: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], ...variables }
    const child = execFile(process.execPath, args, { env, ...who }, (_error, out, err) =>
      resolve({ code: child.exitCode ?? -1, text: out + err }),
    )
  })

let log: TestLog
const folder = tempDir()
chmodSync(folder, 0o755)
/** Whether the other user may read this checkout at all. */
let skip: string | false = false
before(async () => {
  log = await testLog()
  await log.fill(700)
  if ((await run([CLI, '--version'], {})).code !== 0) skip = 'another user cannot read the checkout'
})
after(async () => {
  await log.close().catch(() => undefined)
  for (const path of [log.dataDir, folder]) {
    chmodSync(path, 0o700)
    rmSync(path, { recursive: true, force: true })
  }
})

/** Nobody but root may write there; everybody may read. */
function lock(dir: string): void {
  chmodSync(dir, 0o555)
  for (const name of readdirSync(dir)) {
    chmodSync(join(dir, name), 0o444)
    if (isRoot) chownSync(join(dir, name), 0, 0)
  }
}

const verify = (dir: string) => run([CLI, 'audit', 'verify'], { ...log.variables, DATA_DIR: dir })

const GOOD = { code: 0, text: 'good: 700 entries, 0 of them purged, 1 checkpoints\n' }

/** A copy of the store as it stands now; `with` says which of the files beside it. */
function copied(name: string, suffixes: readonly string[]): string {
  const dir = join(folder, name)
  mkdirSync(dir)
  for (const suffix of ['', ...suffixes]) {
    copyFileSync(
      join(log.dataDir, `portcullis.sqlite${suffix}`),
      join(dir, `portcullis.sqlite${suffix}`),
    )
  }
  lock(dir)
  return dir
}

/**
 * Root may write everywhere, so as root the reader is another user. That one may not be able to
 * read this checkout at all, as a home folder is closed to others: then there is nobody to try.
 */
function asReader(name: string, check: () => Promise<void>): void {
  void test(name, async (t) => {
    if (skip === false) await check()
    else t.skip(skip)
  })
}

asReader('beside the service that has it open', async () => {
  assert.ok(existsSync(join(log.dataDir, 'portcullis.sqlite-wal')))
  lock(log.dataDir)
  assert.deepEqual(await verify(log.dataDir), GOOD)
})

asReader('a copy whose newest entries cannot be read is refused, not taken for whole', async () => {
  const { code, text } = await verify(copied('torn', ['-wal']))
  assert.equal(code, 2)
  assert.match(
    text,
    /the newest entries stand in .*portcullis\.sqlite-wal, which cannot be read here/,
  )
})

asReader('a store that the service has closed, without any file beside it', async () => {
  chmodSync(log.dataDir, 0o700)
  await log.close()
  assert.ok(!existsSync(join(log.dataDir, 'portcullis.sqlite-wal')))
  const dir = copied('closed', [])
  assert.deepEqual(await verify(dir), GOOD)
  assert.deepEqual(readdirSync(dir), ['portcullis.sqlite'])
})

test('the reader refuses to write', async () => {
  const store = openSqliteReader(join(folder, 'closed', 'portcullis.sqlite'))
  assert.ok(store)
  await assert.rejects(store.purgeScreens([], 0, 0), { code: 'store_unavailable' })
  await store.close()
})

test('an older store must be brought up to date first, and a newer one is refused', () => {
  const file = join(folder, 'older.sqlite')
  copyFileSync(join(folder, 'closed', 'portcullis.sqlite'), file)
  chmodSync(file, 0o600)
  const db = new DatabaseSync(file)
  db.exec(`delete from kysely_migration where name like '0005%'`)
  assert.equal(openSqliteReader(file), undefined)
  db.exec(`insert into kysely_migration values ('9999-later', '')`)
  assert.throws(() => openSqliteReader(file), /a newer version has written the store/)
  db.close()
})
