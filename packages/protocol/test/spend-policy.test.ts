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
import { CHAINS, RAILS } from '../src/vocabulary.ts'
import { conformance } from './vectors.ts'

const vectors = conformance<{
  merges: { name: string; policy: SpendPolicy; change: SpendPolicyChange; merged: SpendPolicy }[]
  views: { name: string; policy: SpendPolicy; view: SpendPolicyChange }[]
  problems: { name: string; change: SpendPolicyChange; field: string }[]
  sound: { name: string; change: SpendPolicyChange }[]
}>('spend-policy.json')

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
    const problem = spendPolicyProblem(change)
    assert.equal(problem?.field, field)
    assert.notEqual(problem.message, '')
  })
}

for (const { name, change } of vectors.sound) {
  test(`a spend policy is sound: ${name}`, () => {
    assert.equal(spendPolicyProblem(change), undefined)
  })
}

test('a refusal quotes the unknown choice and lists the known ones', () => {
  const { message } = spendPolicyProblem({ allowedChains: ['doge'] }) ?? assert.fail('unknown')
  assert.match(message, /`DOGE`/)
  for (const chain of CHAINS) assert.ok(message.includes(chain))
})

const limit = fc.nat(1_000_000).map((cents) => cents / 100)
const choices = (known: readonly string[]) =>
  fc.array(
    fc
      .tuple(fc.constantFrom(...known), fc.boolean())
      .map(([value, lower]) => (lower ? ` ${value.toLowerCase()}` : value)),
    { maxLength: 5 },
  )
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const anyChange: fc.Arbitrary<SpendPolicyChange> = fc.record(
  {
    maxSingleTxUSDC: orNull(limit),
    dailyLimitUSDC: orNull(limit),
    allowedChains: orNull(choices(CHAINS)),
    allowedPaymentRails: orNull(choices(RAILS)),
    counterpartyScreening: orNull(fc.constantFrom('OFAC' as const, 'OFAC+CONS' as const)),
    noMixerProtocols: orNull(fc.boolean()),
  },
  { requiredKeys: [] },
)
const anyPolicy = anyChange.map((change) => mergeSpendPolicy({}, change))

test('the same change twice is the same policy', () => {
  fc.assert(
    fc.property(anyPolicy, anyChange, (policy, change) => {
      const once = mergeSpendPolicy(policy, change)
      assert.deepStrictEqual(mergeSpendPolicy(once, change), once)
    }),
    { numRuns: 1_000 },
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
    { numRuns: 1_000 },
  )
})

test('the shown policy, given as a change, is sound and gives the same policy', () => {
  fc.assert(
    fc.property(anyPolicy, (policy) => {
      const shown = viewSpendPolicy(policy)
      assert.equal(spendPolicyProblem(shown), undefined)
      assert.deepStrictEqual(mergeSpendPolicy({}, shown), policy)
    }),
    { numRuns: 1_000 },
  )
})
