/** What a delegation chain comes to, and when a delegate asks for more than its parents have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Allowed,
  type EffectivePolicy,
  effectivePolicy,
  protocolKey,
  spendLimit,
  wideningFields,
} from '../src/effective-policy.ts'
import { isWithinHours, type LocalTime } from '../src/operating-hours.ts'
import type { PolicyField, SpendPolicy } from '../src/spend-policy.ts'
import { WEEKDAYS } from '../src/vocabulary.ts'
import { anyChain, anyPolicy, CHOICES, PARTIES, PROTOCOLS } from './arbitrary-policy.ts'

const CASES = { numRuns: 10_000 }

/** Stands for the normal form of names and addresses. */
const itemKey = (item: string): string => item.toLowerCase()

const limitWithin = <T extends bigint | number>(inner: T | undefined, outer: T | undefined) =>
  outer === undefined || (inner !== undefined && inner <= outer)

const choiceWithin = (inner: Allowed, outer: Allowed): boolean =>
  outer === undefined || (inner?.every((value) => outer.includes(value)) ?? false)

/** Each holder's list stays: a longer row of conditions is harder to keep. */
const rowWithin = (inner: readonly unknown[], outer: readonly unknown[]): boolean =>
  outer.every((item, at) => inner[at] === item)

const WITHIN: {
  [Field in keyof EffectivePolicy]: (inner: EffectivePolicy, outer: EffectivePolicy) => boolean
} = {
  maxSingleTx: (inner, outer) => limitWithin(inner.maxSingleTx, outer.maxSingleTx),
  allowedChains: (inner, outer) => choiceWithin(inner.allowedChains, outer.allowedChains),
  allowedRails: (inner, outer) => choiceWithin(inner.allowedRails, outer.allowedRails),
  allowedCounterpartyTypes: (inner, outer) =>
    choiceWithin(inner.allowedCounterpartyTypes, outer.allowedCounterpartyTypes),
  allowedProtocols: (inner, outer) => choiceWithin(inner.allowedProtocols, outer.allowedProtocols),
  mixersAllowed: (inner, outer) => outer.mixersAllowed || !inner.mixersAllowed,
  maxScreensPerMinute: (inner, outer) =>
    limitWithin(inner.maxScreensPerMinute, outer.maxScreensPerMinute),
  operatingHours: (inner, outer) => rowWithin(inner.operatingHours, outer.operatingHours),
  whitelists: (inner, outer) => rowWithin(inner.whitelists, outer.whitelists),
}

test('one more link in a chain is within the chain, in every field', () => {
  fc.assert(
    fc.property(anyChain, anyPolicy, (chain, child) => {
      const outer = effectivePolicy(chain)
      const inner = effectivePolicy([...chain, child])
      assert.deepEqual(Object.keys(inner).sort(), Object.keys(WITHIN).sort())
      for (const [field, within] of Object.entries(WITHIN)) assert.ok(within(inner, outer), field)
    }),
    CASES,
  )
})

test('narrowing any link narrows the chain: a link less is never within by accident', () => {
  fc.assert(
    fc.property(anyChain, fc.nat(), fc.nat(1_000), (chain, pick, limit) => {
      const link = pick % chain.length
      const narrowed = chain.map((policy, at) => {
        const own = policy.maxSingleTxUSDC
        if (at !== link) return policy
        return { ...policy, maxSingleTxUSDC: Math.min(limit, own ?? limit), allowedChains: ['SOL'] }
      })
      const [inner, outer] = [effectivePolicy(narrowed), effectivePolicy(chain)]
      assert.ok(WITHIN.maxSingleTx(inner, outer))
      assert.ok((inner.allowedChains ?? assert.fail()).every((name) => name === 'SOL'))
    }),
    CASES,
  )
})

test('the same policy once more changes no choice and no limit', () => {
  fc.assert(
    fc.property(anyChain, fc.nat(), (chain, pick) => {
      const again = chain[pick % chain.length] ?? assert.fail()
      const { operatingHours: _hours, whitelists: _lists, ...once } = effectivePolicy(chain)
      const { operatingHours, whitelists, ...twice } = effectivePolicy([...chain, again])
      // Allowing mixers in so many words changes nothing below a root that did not.
      assert.deepEqual(twice, once)
      assert.ok(operatingHours.length + whitelists.length <= 2 * (chain.length + 1))
    }),
    CASES,
  )
})

test('an empty policy and an empty selection allow all; strangers allow nothing', () => {
  const nothing = effectivePolicy([{}])
  assert.equal(nothing.maxSingleTx, undefined)
  assert.equal(nothing.allowedChains, undefined)
  assert.equal(nothing.mixersAllowed, false)
  assert.deepEqual([nothing.operatingHours, nothing.whitelists], [[], []])
  const empty = effectivePolicy([{ allowedChains: [], counterpartyWhitelist: [] }])
  assert.deepEqual([empty.allowedChains, empty.whitelists], [undefined, []])
  const strangers = [{ allowedChains: ['BASE'] }, { allowedChains: ['SOL'] }]
  assert.deepEqual(effectivePolicy(strangers).allowedChains, [])
  assert.deepEqual(effectivePolicy([...strangers, {}]).allowedChains, [])
  assert.deepEqual(effectivePolicy([...strangers, { allowedChains: [] }]).allowedChains, [])
  assert.deepEqual(effectivePolicy([...strangers, { allowedChains: ['SOL'] }]).allowedChains, [])
})

test('mixers need the word of the root and the silence of every delegate', () => {
  const allows = { noMixerProtocols: false }
  const forbids = { noMixerProtocols: true }
  const cases: [SpendPolicy[], boolean][] = [
    [[], false],
    [[{}], false],
    [[forbids], false],
    [[allows], true],
    [[allows, {}], true],
    [[allows, allows], true],
    [[allows, forbids], false],
    [[allows, forbids, allows], false],
    [[{}, allows], false],
    [[forbids, allows], false],
  ]
  for (const [chain, expected] of cases) {
    assert.equal(effectivePolicy(chain).mixersAllowed, expected, JSON.stringify(chain))
  }
})

test('protocols compare by letters and digits, and what has neither by itself', () => {
  for (const text of ['Uniswap v3', 'uniswap-V3', ' UNISWAP.v3 ', 'Ｕniswap v3']) {
    assert.equal(protocolKey(text), 'uniswapv3')
  }
  assert.notEqual(protocolKey('Uniswap v2'), protocolKey('Uniswap v3'))
  assert.equal(protocolKey(' !!! '), '!!!')
  const apart = '\u326e \uffaa'
  assert.equal(protocolKey(protocolKey(apart)), protocolKey(apart))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(protocolKey(protocolKey(text)), protocolKey(text))
    }),
    CASES,
  )
})

test('a stored limit that is no money fails, and is not read as "no limit"', () => {
  for (const limit of [-1, 1e-7, 1e9, NaN, Infinity]) {
    assert.throws(() => spendLimit(limit), RangeError)
    assert.throws(() => effectivePolicy([{}, { maxSingleTxUSDC: limit }]), RangeError)
    assert.throws(() => wideningFields([{ dailyLimitUSDC: limit }], {}, itemKey), RangeError)
  }
  assert.equal(spendLimit(undefined), undefined)
  assert.equal(spendLimit(0), 0n)
})

const least = (values: (number | undefined)[]): number =>
  Math.min(...values.map((value) => value ?? Infinity))

const MOMENTS: LocalTime[] = WEEKDAYS.flatMap((day) =>
  Array.from({ length: 1_440 }, (_, minute) => ({ day, minute })),
)

type Lists = (policy: SpendPolicy) => readonly string[] | undefined
/** Whether the policies, each by itself, let `value` pass. */
const letPass = (policies: readonly SpendPolicy[], lists: Lists, value: string, key = itemKey) =>
  policies.every((policy) => {
    const list = lists(policy)
    return list === undefined || list.length === 0 || list.map(key).includes(key(value))
  })

/** A value of the universe, or one that nobody names, that the child alone would let pass. */
const passesMore =
  (universe: readonly string[], lists: Lists, key = itemKey) =>
  (parents: readonly SpendPolicy[], child: SpendPolicy): boolean =>
    [...universe, 'a stranger'].some(
      (value) => letPass([child], lists, value, key) && !letPass(parents, lists, value, key),
    )

/** For each field: would the child's word, without its parents', allow what they do not? */
const ALLOWS_MORE: {
  [Field in keyof Required<SpendPolicy>]: (
    parents: readonly SpendPolicy[],
    child: Required<Pick<SpendPolicy, Field>>,
  ) => boolean
} = {
  maxSingleTxUSDC: (parents, child) =>
    child.maxSingleTxUSDC > least(parents.map((parent) => parent.maxSingleTxUSDC)),
  dailyLimitUSDC: (parents, child) =>
    child.dailyLimitUSDC > least(parents.map((parent) => parent.dailyLimitUSDC)),
  maxScreensPerMinute: (parents, child) =>
    child.maxScreensPerMinute > least(parents.map((parent) => parent.maxScreensPerMinute)),
  allowedChains: passesMore(CHOICES.allowedChains, (policy) => policy.allowedChains),
  allowedRails: passesMore(CHOICES.allowedRails, (policy) => policy.allowedRails),
  allowedCounterpartyTypes: passesMore(
    CHOICES.allowedCounterpartyTypes,
    (policy) => policy.allowedCounterpartyTypes,
  ),
  allowedProtocols: passesMore(PROTOCOLS, (policy) => policy.allowedProtocols, protocolKey),
  counterpartyWhitelist: passesMore(PARTIES, (policy) => policy.counterpartyWhitelist),
  noMixerProtocols: ([root, ...others], child) =>
    !child.noMixerProtocols &&
    (root?.noMixerProtocols !== false || others.some((parent) => parent.noMixerProtocols === true)),
  counterpartyScreening: (parents, child) =>
    child.counterpartyScreening === 'OFAC' &&
    parents.some((parent) => parent.counterpartyScreening === 'OFAC+CONS'),
  operatingHours: (parents, { operatingHours: own }) =>
    parents.some(({ operatingHours: hours }) => {
      if (hours === undefined) return false
      if (hours.timeZone !== own.timeZone) return true
      return MOMENTS.some((moment) => isWithinHours(own, moment) && !isWithinHours(hours, moment))
    }),
}

test('the widening fields are exactly those that would allow more alone', () => {
  const seen = new Map<string, number>()
  fc.assert(
    fc.property(anyChain, anyPolicy, (parents, child) => {
      const widening = wideningFields(parents, child, itemKey)
      const wider = Object.keys(child).filter((name) =>
        ALLOWS_MORE[name as keyof SpendPolicy](parents, child as never),
      )
      assert.deepEqual([...widening].sort(), wider.sort())
      for (const field of widening) seen.set(field, (seen.get(field) ?? 0) + 1)
    }),
    CASES,
  )
  assert.deepEqual([...seen.keys()].sort(), Object.keys(ALLOWS_MORE).sort())
})

test('each field is judged by itself: alone it is as wide as among others', () => {
  fc.assert(
    fc.property(anyChain, anyPolicy, (parents, child) => {
      const alone = Object.entries(child).flatMap(([name, value]) =>
        wideningFields(parents, { [name]: value }, itemKey),
      )
      assert.deepEqual(wideningFields(parents, child, itemKey).sort(), alone.sort())
    }),
    CASES,
  )
})

const asSet = (values: Allowed) => values && new Set(values)

/** What a selection means by itself: an empty one, and none, allow all. */
const meantBy = (values: Allowed, key = (value: string) => value) =>
  values === undefined || values.length === 0 ? undefined : new Set(values.map(key))

/** What the whole chain comes to must be what the child itself said, in every field it gave. */
function assertOwnWord(chain: readonly SpendPolicy[], child: SpendPolicy): void {
  const policy = effectivePolicy(chain)
  if ('maxSingleTxUSDC' in child) {
    assert.equal(policy.maxSingleTx, spendLimit(child.maxSingleTxUSDC))
  }
  if ('maxScreensPerMinute' in child) {
    assert.equal(policy.maxScreensPerMinute, child.maxScreensPerMinute)
  }
  if ('noMixerProtocols' in child) assert.equal(policy.mixersAllowed, !child.noMixerProtocols)
  for (const field of ['allowedChains', 'allowedRails', 'allowedCounterpartyTypes'] as const) {
    if (field in child) assert.deepEqual(asSet(policy[field]), meantBy(child[field]), field)
  }
  if ('allowedProtocols' in child) {
    assert.deepEqual(asSet(policy.allowedProtocols), meantBy(child.allowedProtocols, protocolKey))
  }
  if ('counterpartyWhitelist' in child) {
    for (const party of [...PARTIES, 'a stranger']) {
      const passes = policy.whitelists.every((list) => list.map(itemKey).includes(itemKey(party)))
      const alone = letPass([child], (own) => own.counterpartyWhitelist, party)
      assert.equal(passes, alone)
    }
  }
  const { operatingHours } = child
  if (operatingHours === undefined) return
  for (const moment of MOMENTS) {
    const open = policy.operatingHours.every((hours) => isWithinHours(hours, moment))
    assert.equal(open, isWithinHours(operatingHours, moment))
  }
}

/** Children that were made to fit: every field that would widen is left out. */
const fitting = fc.tuple(anyChain, anyPolicy).map(([parents, child]) => {
  const wide: PolicyField[] = wideningFields(parents, child, itemKey)
  const kept = Object.entries(child).filter(([name]) => !wide.includes(name as PolicyField))
  return [parents, Object.fromEntries(kept)] as const
})

test('a delegate that widens nothing gets what its own fields say, where it gave them', () => {
  fc.assert(
    fc.property(fitting, ([parents, child]) => {
      assert.deepEqual(wideningFields(parents, child, itemKey), [])
      assertOwnWord([...parents, child], child)
    }),
    CASES,
  )
})

test('what a delegate leaves out, it inherits', () => {
  fc.assert(
    fc.property(anyChain, (parents) => {
      assert.deepEqual(wideningFields(parents, {}, itemKey), [])
      assert.deepEqual(effectivePolicy([...parents, {}]), effectivePolicy(parents))
    }),
    CASES,
  )
})
