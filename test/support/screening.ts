/** What is true of every screening result, and what an unsuspicious one says. */
import assert from 'node:assert/strict'
import type { ScreenResult, Signals } from '@portcullis/protocol'
import { newKey, partsOf } from './jws.ts'
import type { Party, TestService } from './service.ts'

/** The service's key in tests that look into receipts: they expect the `kid` "known". */
export const SIGNER = newKey('known')
export const SIGNING_KEYS = JSON.stringify({ keys: [SIGNER.jwk] })

/** Screens a payment that gets a verdict, and checks what holds for all of them. */
export async function screened(
  api: Pick<TestService, 'screen'>,
  party: Party,
  payment: object = {},
): Promise<ScreenResult> {
  const { status, body, text } = await api.screen(party, payment)
  assert.equal(status, 200, text)
  assertHolds(body)
  return body
}

/** Codes of the log's entries that passed, or that did not. */
export const codes = ({ log }: Pick<ScreenResult, 'log'>, ok: boolean): string[] =>
  log.filter((entry) => entry.ok === ok).map(({ code }) => code)

/** What is true of every result, whatever its verdict. */
export function assertHolds(result: ScreenResult): void {
  const { header, payload } = partsOf(result.receipt)
  assert.deepEqual(header, { alg: 'ES256', typ: 'kya-receipt+jwt', kid: 'known' })
  const { verdict, txnId, riskScore, ruleTriggered, signals, agentId, screenedAt, lists } = result
  const { requestHash, validUntil, oldestList, demo, priorScreenings, ...claims } = payload
  assert.deepEqual(priorScreenings, result.priorScreenings)
  assert.deepEqual(claims, {
    iss: 'did:kya:service-alpha',
    txnId,
    verdict,
    riskScore,
    ruleTriggered,
    signals,
    authorizedBy: null,
    agentId,
    screenedAt,
    lists,
  })
  assert.equal(demo, undefined)
  assert.match(String(requestHash), /^[0-9a-f]{64}$/)
  assert.equal(Date.parse(String(validUntil)), Date.parse(screenedAt) + 300_000)
  assert.equal(oldestList, lists[0]?.date)
  assert.match(txnId, /^txn_[0-9A-Z]{8}$/)
  assert.ok(result.responseTimeMs >= 0 && result.responseTimeMs < 5_000)
  assert.ok(riskScore >= 0 && riskScore <= 100)
  assert.equal(verdict === 'CLEAR', ruleTriggered === null)
  assert.equal(codes(result, true).includes('ALL_CLEAR'), verdict === 'CLEAR')
  assert.equal(
    signals.ofac === 'HIT',
    result.matches.some(({ score }) => score >= 0.9),
  )
  assert.equal(result.authorizedBy, null)
  const { score, grade } = signals.agentScore
  assert.ok(Number.isInteger(score) && score >= 0 && score <= 100)
  assert.equal(
    grade,
    ['F', 'F', 'F', 'F', 'F', 'F', 'D', 'C', 'B', 'A', 'A'][Math.floor(score / 10)],
  )
}

/** Signals without the agent's score, which moves with its history. */
export function signalsOf({ signals }: ScreenResult): Omit<Signals, 'agentScore'> {
  const { agentScore: _score, ...rest } = signals
  return rest
}

/** The signals of a screen that nothing speaks against; the fallback has OFAC lists only. */
export const CLEAN = {
  ofac: 'CLEAR',
  ofacNearMatch: 'CLEAR',
  spendPolicy: 'CLEAR',
  credential: 'CLEAR',
  globalSanctions: 'NOT_SCREENED',
  publicOfficial: 'NOT_SCREENED',
  pep: 'NOT_SCREENED',
  adverseMedia: 'NOT_SCREENED',
  erc8004: 'PENDING',
} as const
