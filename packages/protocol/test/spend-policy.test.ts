import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  mergeSpendPolicy,
  type SpendPolicy,
  type SpendPolicyChange,
  spendPolicyProblem,
  viewSpendPolicy,
} from '../src/spend-policy.ts'
import { CHAINS, COUNTERPARTY_TYPES, RAILS } from '../src/vocabulary.ts'
import { anyChange } from './arbitrary-policy.ts'
import { conformance } from './vectors.ts'

const vectors = conformance<{
  merges: { name: string; policy: SpendPolicy; change: SpendPolicyChange; merged: SpendPolicy }[]
  views: { name: string; policy: SpendPolicy; view: SpendPolicyChange }[]
  problems: { name: string; change: SpendPolicyChange; field: string }[]
  sound: { name: string; change: SpendPolicyChange }[]
}>('spend-policy.json')

const isTimeZone = (name: string): boolean => ['UTC', 'Europe/Berlin'].includes(name)

for (const { name, policy, change, merged } of vectors.merges) {
  test(`a spend policy is merged: ${name}`, () => {
    const before = structuredClone(policy)
    assert.deepStrictEqual(mergeSpendPolicy(policy, change), merged)
    assert.deepStrictEqual(policy, before)
  })
}

for (const { name, policy, view } of vectors.views) {
  test(`a spend policy is shown: ${name}`, () => {
    assert.deepStrictEqual(viewSpendPolicy(policy), view)
  })
}

for (const { name, change, field } of vectors.problems) {
  test(`a spend policy is refused and \`${field}\` is named: ${name}`, () => {
    const problem = spendPolicyProblem(change, isTimeZone)
    assert.equal(problem?.field, field)
    assert.notEqual(problem.message, '')
  })
}

for (const { name, change } of vectors.sound) {
  test(`a spend policy is sound: ${name}`, () => {
    assert.equal(spendPolicyProblem(change, isTimeZone), undefined)
  })
}

test('a refusal quotes the unknown choice and lists the known ones', () => {
  const { message } = spendPolicyProblem({ allowedChains: ['doge'] }, isTimeZone) ?? assert.fail()
  assert.match(message, /`doge`/)
  for (const chain of CHAINS) assert.ok(message.includes(chain))
})

const CASES = { numRuns: 10_000 }
const anyPolicy = anyChange.map((change) => mergeSpendPolicy({}, change))

test('the same change twice is the same policy', () => {
  fc.assert(
    fc.property(anyPolicy, anyChange, (policy, change) => {
      const once = mergeSpendPolicy(policy, change)
      assert.deepStrictEqual(mergeSpendPolicy(once, change), once)
    }),
    CASES,
  )
})

test('a change touches the fields that it names and no other', () => {
  fc.assert(
    fc.property(anyPolicy, anyChange, (policy, change) => {
      const merged: Record<string, unknown> = mergeSpendPolicy(policy, change)
      const { allowedPaymentRails: rails, ...rest } = change
      const named: Record<string, unknown> =
        rails === undefined ? rest : { ...rest, allowedRails: rails }
      const before: Record<string, unknown> = policy
      for (const field of new Set([...Object.keys(merged), ...Object.keys(before)])) {
        if (!(field in named)) assert.deepStrictEqual(merged[field], before[field], field)
      }
      for (const [field, value] of Object.entries(named)) {
        assert.equal(field in merged, value !== null, field)
      }
      assert.equal('allowedPaymentRails' in merged, false)
    }),
    CASES,
  )
})

test('the shown policy, given as a change, is sound and gives the same policy', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      const shown = viewSpendPolicy(policy)
      assert.equal(spendPolicyProblem(shown, isTimeZone), undefined)
      assert.deepStrictEqual(mergeSpendPolicy({}, shown), policy)
    }),
    CASES,
  )
})

test('a null clears and an omitted field keeps, whatever was there', () => {
  fc.assert(
    fc.property(anyPolicy, anyChange, (policy, change) => {
      assert.deepStrictEqual(mergeSpendPolicy(policy, {}), policy)
      const cleared = Object.fromEntries(Object.keys(change).map((name) => [name, null]))
      const merged = mergeSpendPolicy(mergeSpendPolicy(policy, change), cleared)
      for (const name of Object.keys(change)) assert.equal(name in merged, false, name)
    }),
    CASES,
  )
})

const CLOSED = {
  allowedChains: CHAINS,
  allowedRails: RAILS,
  allowedPaymentRails: RAILS,
  allowedCounterpartyTypes: COUNTERPARTY_TYPES,
} as const

test('a choice that is accepted is stored as one of the closed set, whatever its letters', () => {
  // Letters that become others when their case is changed: long s, dotless i, ligatures.
  const lookalikes: [RegExp, string][] = [
    [/s/gi, 'ſ'],
    [/i/gi, 'ı'],
    [/i/gi, 'İ'],
    [/k/gi, '\u212a'],
    [/ss/gi, 'ß'],
  ]
  for (const [field, known] of Object.entries(CLOSED)) {
    const strange = known.flatMap((value) =>
      lookalikes.map(([letter, other]) => value.replace(letter, other)),
    )
    for (const value of [
      ...known,
      ...known.map((name) => ` ${name.toLowerCase()}\t`),
      ...strange,
    ]) {
      const change = { [field]: [value] }
      if (spendPolicyProblem(change, isTimeZone) !== undefined) continue
      const [stored] = Object.values(mergeSpendPolicy({}, change)) as string[][]
      assert.ok((known as readonly string[]).includes(stored?.[0] ?? ''), `${field}: ${value}`)
    }
  }
  const long = { allowedCounterpartyTypes: ['buſineſſ'] }
  assert.equal(spendPolicyProblem(long, isTimeZone)?.field, 'allowedCounterpartyTypes')
})
