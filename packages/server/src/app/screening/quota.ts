/** Screens of the month: how many a plan has, how many are used, and what the caller is told. */
import { nextUtcMonth, numericDate, ServiceError } from '@portcullis/protocol'
import type { Settings } from '../env.ts'
import type { Ledger } from '../ports.ts'

/** How much of the month is used, for the `X-RateLimit-*` headers. */
export interface QuotaState {
  /** Null when unlimited. */
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetsAt: number
}

/** After a screen that charges `charge`. */
export function quotaState(
  settings: Settings,
  { operator, screensThisMonth }: Ledger,
  charge: number,
  now: number,
): QuotaState {
  const limit = settings.quotas[operator.plan]
  const resetsAt = nextUtcMonth(now)
  if (!Number.isFinite(limit)) return { limit: null, remaining: null, resetsAt }
  return { limit, remaining: Math.max(0, limit - screensThisMonth - charge), resetsAt }
}

/** `Reset` is in seconds since the epoch; an unlimited plan says so in words. */
export const quotaHeaders = ({ limit, remaining, resetsAt }: QuotaState) => ({
  'x-ratelimit-limit': limit ?? 'unlimited',
  'x-ratelimit-remaining': remaining ?? 'unlimited',
  'x-ratelimit-reset': numericDate(resetsAt),
})

/** Throws `rate_limit_exceeded` when the plan has no screen left for the charge. */
export function refusePastQuota(
  settings: Settings,
  ledger: Ledger,
  charge: number,
  now: number,
): void {
  const { operator, screensThisMonth } = ledger
  const limit = settings.quotas[operator.plan]
  if (charge === 0 || screensThisMonth + charge <= limit) return
  throw new ServiceError('rate_limit_exceeded', {
    message: `the ${operator.plan} plan has used ${screensThisMonth}/${limit} screens of the month`,
    extra: { upgradeUrl: `${settings.baseUrl}/v1/billing/checkout` },
    headers: quotaHeaders(quotaState(settings, ledger, 0, now)),
  })
}
