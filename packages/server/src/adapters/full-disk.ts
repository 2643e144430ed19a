/**
 * A full disk can be read and takes no record. Health tells of it (`kvConnected`) from the first
 * screen that it cost until there is space again.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '@portcullis/protocol'
import type { Store } from '../app/ports.ts'

/** More than a commit takes. */
const RECORDS_BYTES = 1 << 18

/** The store, whose `ping` also says whether a record that failed would be taken now. */
export function tellingOfFullDisk(store: Store, folder: string): Store {
  let isFailing = false
  return {
    ...store,
    async commitScreen(...screen) {
      try {
        return await store.commitScreen(...screen)
      } catch (error) {
        isFailing ||= error instanceof ServiceError && error.code === 'store_unavailable'
        throw error
      }
    },
    async ping() {
      isFailing &&= !takesRecords(folder)
      return !isFailing && (await store.ping())
    },
  }
}

function takesRecords(folder: string): boolean {
  const probe = join(folder, `.records-${process.pid}`)
  try {
    writeFileSync(probe, Buffer.alloc(RECORDS_BYTES), { mode: 0o600, flush: true })
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { force: true })
  }
}
