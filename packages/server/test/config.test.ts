import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../src/config.ts'

const problemsOf = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message.split('\n')
  }
  return assert.fail('the configuration was accepted')
}

test('without variables the defaults of the decisions page hold', () => {
  const config = readConfig({})
  assert.deepEqual(
    [
      config.port,
      config.host,
      config.dataDir,
      config.environment,
      config.production,
      config.issuer,
      config.merchantId,
    ],
    [8080, '127.0.0.1', './data', 'alpha', false, 'did:kya:service-alpha', 'did:kya:service-alpha'],
  )
  assert.deepEqual(config.quotas, { free: 25, starter: 50, pro: 500 })
  assert.deepEqual([config.retentionMs, config.receiptValidMs], [90 * 86_400_000, 300_000])
})

test('all problems are reported at once, each with its variable and the text given', () => {
  const problems = problemsOf({
    PORT: '99999',
    RETENTION_DAYS: '0',
    LOG_LEVEL: 'loud',
    BASE_URL: 'nowhere',
    PLAN_FREE_SCREENS: '-1',
  })
  assert.deepEqual(
    problems.map((line) => line.split(':')[0]),
    ['PORT', 'BASE_URL', 'PLAN_FREE_SCREENS', 'RETENTION_DAYS', 'LOG_LEVEL'],
  )
  assert.match(problems[0] ?? '', /`99999`/)
})

test('DATABASE_URL is refused: a start would pretend to honour it', () => {
  assert.match(problemsOf({ DATABASE_URL: 'postgres://x' })[0] ?? '', /^DATABASE_URL: .*PostgreSQL/)
})

test('a variable that is empty counts as not set', () => {
  assert.equal(readConfig({ PORT: '', DATABASE_URL: '' }).port, 8080)
})

test('a plan may be unlimited', () => {
  assert.equal(readConfig({ PLAN_PRO_SCREENS: 'unlimited' }).quotas.pro, Number.POSITIVE_INFINITY)
})

test('variables without effect are named, so that a start can say so', () => {
  assert.deepEqual(readConfig({ STRIPE_SECRET_KEY: 'x', ARC_RPC_URL: 'y' }).ignored, [
    'STRIPE_SECRET_KEY',
    'ARC_RPC_URL',
  ])
})

test('the configuration cannot be changed', () => {
  assert.throws(() => Object.assign(readConfig({}), { port: 1 }), TypeError)
})
