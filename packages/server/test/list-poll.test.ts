import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inlineBuilder } from '../src/adapters/lists/builders.ts'
import { openShelf } from '../src/adapters/lists/shelf.ts'
import { systemClock } from '../src/adapters/system.ts'
import { type ListSource, ListUnreachable } from '../src/app/lists/list-ports.ts'
import { createListSync } from '../src/app/lists/list-sync.ts'
import { tempFolder } from './list-mirror.ts'

const MINUTE_MS = 60_000
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('how often the source is asked', () => {
  const folder = tempFolder()

  /** The first waits of a service whose source answers or fails as it is told. */
  async function waitsOf(answers: readonly boolean[], chance: number): Promise<number[]> {
    const waits: number[] = []
    let round = -1
    const source: ListSource = {
      origin: 'test',
      source: 'test',
      downloaded: true,
      look(id) {
        if (id === 'OFAC_SDN') round++
        if (answers[round] === true) return Promise.resolve({ kind: 'unchanged' })
        return Promise.reject(new ListUnreachable('nobody answers'))
      },
    }
    await new Promise<void>((resolve) => {
      const lists = createListSync({
        source,
        shelf: openShelf(join(folder, 'lists'), systemClock),
        startBuilder: inlineBuilder,
        builder: inlineBuilder,
        clock: systemClock,
        pause: {
          async wait(ms, signal) {
            // The other wait is for what other processes put on the shelf.
            if (ms === 5_000) {
              await new Promise((done) => {
                signal.addEventListener('abort', done)
              })
              return
            }
            waits.push(ms)
            if (waits.length === answers.length) {
              resolve()
              void lists.stop()
            }
          },
          chance: () => chance,
        },
        log: silent,
        settings: { pollMs: 15 * MINUTE_MS, fallback: true, writes: false },
      })
      lists.run()
    })
    return waits
  }

  test('every 15 minutes, a tenth sooner or later by chance', async () => {
    assert.deepEqual(await waitsOf([true, true], 0.5), [15 * MINUTE_MS, 15 * MINUTE_MS])
    assert.deepEqual(await waitsOf([true], 0), [13.5 * MINUTE_MS])
    assert.deepEqual(await waitsOf([true], 1), [16.5 * MINUTE_MS])
  })

  test('sooner after a failure, and less soon after each more', async () => {
    const minutes = (await waitsOf([false, false, false, true, false], 0.5)).map(
      (ms) => ms / MINUTE_MS,
    )
    assert.deepEqual(minutes, [0.5, 1, 2, 15, 0.5])
    const many = await waitsOf(new Array<boolean>(8).fill(false), 0.5)
    assert.equal(many.at(-1), 15 * MINUTE_MS)
  })
})
