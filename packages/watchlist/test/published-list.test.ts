import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictOf, watchlistOf } from './sample-lists.ts'
import { sharedSdn, sharedText } from './shared-data.ts'

test('every OFAC name as published and every listed wallet finds its entry', (t) => {
  const entries = sharedSdn(t)
  if (entries === undefined) return
  const { screenName, screenWallet } = watchlistOf(...entries)
  for (const { entryId, primaryName, aliases, addresses } of entries) {
    for (const name of [
      primaryName,
      ...aliases.filter(({ quality }) => quality === 'strong').map((alias) => alias.name),
    ]) {
      const match = screenName(name).find((one) => one.entryId === entryId)
      assert.deepEqual([match?.method, match?.score], ['exact', 1], name)
    }
    for (const { address } of addresses) {
      assert.ok(
        screenWallet(address).some((one) => one.entryId === entryId),
        address,
      )
    }
  }
})

test('disguised names block by level, and look-alike innocents never do', (t) => {
  const text = sharedText(t, 'vectors/own/name-evasion.json')
  const entries = sharedSdn(t)
  if (text === undefined || entries === undefined) return
  const { cases, falsePositiveProbes } = JSON.parse(text) as {
    cases: { level: number; input: string }[]
    falsePositiveProbes: string[]
  }
  const { screenName } = watchlistOf(...entries)
  const rate = (level: number) => {
    const asked = cases.filter((one) => one.level === level)
    return (
      asked.filter(({ input }) => verdictOf(screenName(input)) === 'BLOCK').length / asked.length
    )
  }
  assert.equal(rate(1), 1)
  const faint = cases.filter(({ level }) => level === 3)
  const seen = faint.filter(({ input }) => verdictOf(screenName(input)) !== 'CLEAR')
  assert.ok(seen.length / faint.length >= 0.9)
  assert.ok(rate(2) >= 0.97)
  for (const probe of falsePositiveProbes)
    assert.notEqual(verdictOf(screenName(probe)), 'BLOCK', probe)
})

test('few clean people and companies are held up', (t) => {
  const people = sharedText(t, 'names/clean-people.jsonl')
  const companies = sharedText(t, 'names/clean-companies.txt')
  const entries = sharedSdn(t)
  if (people === undefined || companies === undefined || entries === undefined) return
  const { screenName } = watchlistOf(...entries)
  const names = people
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { query: string }).query)
  names.push(...companies.trim().split('\n'))
  const verdicts = names.map((name) => verdictOf(screenName(name)))
  assert.ok(verdicts.filter((verdict) => verdict === 'BLOCK').length <= names.length * 0.001)
  assert.ok(verdicts.filter((verdict) => verdict !== 'CLEAR').length <= names.length * 0.01)
})
