import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countList, diffLists, EXPECTED, implausible, LIST_IDS, shrunk } from '../src/index.ts'
import { readCurrent } from './published-files.ts'
import { entryOf } from './sample-lists.ts'

const counts = (entries: number, names = entries, addresses = 0) => ({
  entries,
  persons: 0,
  names,
  addresses,
})

test('a list may lose a twentieth of itself and no more', () => {
  assert.equal(shrunk(counts(95), counts(100)), undefined)
  assert.match(shrunk(counts(94), counts(100)) ?? '', /94 entries instead of 100: 6\.0 % fewer/)
  assert.match(shrunk(counts(100, 180), counts(100, 200)) ?? '', /180 names/)
  assert.match(shrunk(counts(100, 100, 9), counts(100, 100, 10)) ?? '', /9 addresses/)
  assert.equal(shrunk(counts(200), counts(100)), undefined)
  assert.match(shrunk(counts(0), counts(1)) ?? '', /100\.0 %/)
})

test('the lists as published are plausible and have their canaries', (t) => {
  for (const id of LIST_IDS) {
    const entries = readCurrent(t, id)
    if (entries === undefined) return
    assert.equal(implausible(id, entries, countList(entries)), undefined, id)
    for (const canary of EXPECTED[id].canaries) {
      const without = entries.filter(
        ({ primaryName, aliases }) =>
          ![primaryName, ...aliases.map(({ name }) => name)].some(
            (name) => letters(name) === letters(canary),
          ),
      )
      const reason = implausible(id, without, countList(without)) ?? ''
      assert.match(reason, /has lost `/, canary)
    }
  }
})

const letters = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .toSorted()
    .join(' ')
    .trim()

test('another file in the place of a list is not plausible', () => {
  const entries = [entryOf('HIZBALLAH')]
  assert.match(implausible('OFAC_SDN', entries, countList(entries)) ?? '', /not between/)
})

test('a difference names what was added, removed and changed, and not what was shuffled', () => {
  const aliases = (...names: string[]) =>
    names.map((name) => ({ name, quality: 'strong', kind: 'aka' }) as const)
  const before = [
    entryOf('A', { aliases: aliases('X', 'Y') }),
    entryOf('B'),
    entryOf('C', { programs: ['SDGT'] }),
  ]
  const after = [
    entryOf('C', { programs: ['SDGT', 'CYBER2'], addresses: [{ ticker: 'ETH', address: '0x' }] }),
    entryOf('A', { aliases: aliases('Y', 'X') }),
    entryOf('D'),
  ]
  assert.deepEqual(diffLists(before, after), {
    added: [{ entryId: 'D', primaryName: 'D' }],
    removed: [{ entryId: 'B', primaryName: 'B' }],
    changed: [{ entryId: 'C', primaryName: 'C', what: ['addresses', 'programs'] }],
  })
})
