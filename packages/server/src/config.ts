/**
 * The configuration table: every environment variable once, with parser, default and meaning.
 * Parsed together, so that all problems are reported at once; then frozen. `docs/config.md` is
 * generated from here, and no other file reads the environment.
 */
import { DEFAULT_ISSUER_DID, DAY_MS, MINUTE_MS, SECOND_MS } from '@portcullis/protocol'

/** Screens a month; infinite for those who run it for themselves. */
export type Quota = number

interface Variable<T> {
  readonly meaning: string
  /** Shown in the documentation; absent means "not set". */
  readonly fallback?: string
  /** Throws a sentence when the text is not acceptable. */
  readonly parse: (text: string) => T
}

const variable = <T>(meaning: string, parse: (text: string) => T): Variable<T | undefined> => ({
  meaning,
  parse,
})

const withDefault = <T>(
  fallback: string,
  meaning: string,
  parse: (text: string) => T,
): Variable<T> & { readonly fallback: string } => ({ meaning, parse, fallback })

const anyText = (text: string): string => text

const whole =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new Error(`must be a whole number from ${min} to ${max}`)
  }

const quota = (text: string): Quota =>
  text === 'unlimited' ? Number.POSITIVE_INFINITY : whole(0, 1_000_000_000)(text)

const oneOf =
  <const T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    const value = values.find((known) => known === text)
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return value
  }

const urlText = (text: string): string => {
  if (!URL.canParse(text)) throw new Error('must be a URL')
  return text.replace(/\/+$/, '')
}

const commaList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'none')

// prettier-ignore
export const VARIABLES = {
  PORT:                   withDefault('8080', 'where to listen; 0 lets the system choose', whole(0, 65_535)),
  HOST:                   withDefault('127.0.0.1', 'where to listen', anyText),
  DATA_DIR:               withDefault('./data', 'SQLite file, signing keys, last good lists', anyText),
  BASE_URL:               variable('how the service names itself in documents and links; from HOST and PORT when not set', urlText),
  ENVIRONMENT:            withDefault('alpha', 'reported by health; `production` tightens: stale lists lead to REVIEW, the embedded fallback is refused', anyText),
  ISSUER_DID:             withDefault(DEFAULT_ISSUER_DID, 'issuer of credentials and receipts', anyText),
  MERCHANT_ID:            variable('`merchant.id` in health; the issuer when not set', anyText),
  SIGNING_KEYS:           variable('path or JSON of private JWKs; made in DATA_DIR at first start when not set', anyText),
  LISTS_DIR:              variable('folder of list files under their upstream names, instead of downloading', anyText),
  LISTS_SYNC:             withDefault('on', '`off`: never download; the last good lists in DATA_DIR are used', oneOf('on', 'off')),
  LISTS_POLL_MINUTES:     withDefault('15', 'how often upstream, or LISTS_DIR, is looked at', whole(1, 1_440)),
  LISTS_BASE_URL:         variable('a mirror of the lists: every file is asked for as `<base>/<upstream file name>` (`SDN.CSV`, `consolidated.xml`, ...)', urlText),
  PLAN_FREE_SCREENS:      withDefault('25', 'screens a month on the free plan, or `unlimited`', quota),
  PLAN_STARTER_SCREENS:   withDefault('50', 'screens a month on the starter plan, or `unlimited`', quota),
  PLAN_PRO_SCREENS:       withDefault('500', 'screens a month on the pro plan, or `unlimited`', quota),
  RECEIPT_VALID_SECONDS:  withDefault('300', 'how long an agent may rely on a receipt', whole(1, 86_400)),
  RETENTION_DAYS:         withDefault('90', 'how long audit records can be read; 90 at least', whole(90, 36_500)),
  ARCHIVE_DIR:            variable('folder for signed archive segments of what the retention purges; nothing is archived when not set', anyText),
  VELOCITY_PER_MINUTE:    withDefault('60', 'screens of one agent in 60 seconds that are still usual (R16)', whole(1, 1_000_000)),
  IDENTITY_ISSUERS:       withDefault('https://app.skyfire.xyz,https://api.skyfire.xyz', 'issuers whose identity tokens read as VERIFIED, separated by commas', commaList),
  SCREENING_PROVIDER_ONE_URL: variable('extended lists that the daily re-screening asks as well; speaks the yente match API', urlText),
  SCREENING_PROVIDER_ONE_KEY: variable('its API key', anyText),
  SCREENING_PROVIDER_TWO_URL: variable('extended sanctions and PEP lists for `lists: "all"`; speaks the yente match API', urlText),
  SCREENING_PROVIDER_TWO_KEY: variable('its API key', anyText),
  ADVERSE_MEDIA_URL:      variable('adverse media for `lists: "all"`; speaks the yente match API', urlText),
  ADVERSE_MEDIA_KEY:      variable('its API key', anyText),
  TRUSTED_PROXIES:        withDefault('none', 'CIDRs whose `X-Forwarded-For` counts, separated by commas', commaList),
  LOG_LEVEL:              withDefault('info', 'trace, debug, info, warn, error or silent', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent')),
} as const satisfies Record<string, Variable<unknown>>

type Parsed = {
  readonly [Name in keyof typeof VARIABLES]: ReturnType<(typeof VARIABLES)[Name]['parse']>
}

/** Variables of the interface that this version cannot honour: starting would pretend it does. */
export const REFUSED: Readonly<Record<string, string>> = {
  DATABASE_URL: 'PostgreSQL is not supported by this version; unset it to use the SQLite file',
}

/** Variables of the interface that have no effect yet; a start with one of them says so. */
export const WITHOUT_EFFECT = [
  'KEY_ENCRYPTION_KEY',
  'X402_PAY_TO',
  'X402_FACILITATOR_URL',
  'STRIPE_SECRET_KEY',
  'ARC_RPC_URL',
  'WEBHOOK_ALLOW_PRIVATE',
] as const

export type Config = ReturnType<typeof readConfig>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** Throws one {@link ConfigError} that names every variable that is wrong. */
export function readConfig(environment: Environment) {
  const problems: string[] = []
  const entries = Object.entries<Variable<unknown>>(VARIABLES).map(
    ([name, { parse, fallback }]) => {
      const text = given(environment, name) ?? fallback
      return [name, text === undefined ? undefined : tryParse(name, text, parse, problems)]
    },
  )
  for (const [name, why] of Object.entries(REFUSED)) {
    if (given(environment, name) !== undefined) problems.push(`${name}: ${why}`)
  }
  if (problems.length > 0) throw new ConfigError(problems.join('\n'))
  return settings(Object.fromEntries(entries) as Parsed, environment)
}

const given = (environment: Environment, name: string): string | undefined =>
  environment[name] === '' ? undefined : environment[name]

function tryParse(
  name: string,
  text: string,
  parse: Variable<unknown>['parse'],
  problems: string[],
) {
  try {
    return parse(text)
  } catch (error) {
    problems.push(`${name}: ${(error as Error).message}, not \`${text}\``)
    return undefined
  }
}

function settings(parsed: Parsed, environment: Environment) {
  return Object.freeze({
    port: parsed.PORT,
    host: parsed.HOST,
    dataDir: parsed.DATA_DIR,
    baseUrl: parsed.BASE_URL,
    environment: parsed.ENVIRONMENT,
    production: parsed.ENVIRONMENT === 'production',
    issuer: parsed.ISSUER_DID,
    merchantId: parsed.MERCHANT_ID ?? parsed.ISSUER_DID,
    signingKeys: parsed.SIGNING_KEYS,
    listsDir: parsed.LISTS_DIR,
    listsSync: parsed.LISTS_SYNC === 'on',
    listsPollMs: parsed.LISTS_POLL_MINUTES * MINUTE_MS,
    listsBaseUrl: parsed.LISTS_BASE_URL,
    quotas: {
      free: parsed.PLAN_FREE_SCREENS,
      starter: parsed.PLAN_STARTER_SCREENS,
      pro: parsed.PLAN_PRO_SCREENS,
    },
    receiptValidMs: parsed.RECEIPT_VALID_SECONDS * SECOND_MS,
    retentionMs: parsed.RETENTION_DAYS * DAY_MS,
    archiveDir: parsed.ARCHIVE_DIR,
    velocityPerMinute: parsed.VELOCITY_PER_MINUTE,
    identityIssuers: parsed.IDENTITY_ISSUERS,
    providerOne: endpoint(parsed.SCREENING_PROVIDER_ONE_URL, parsed.SCREENING_PROVIDER_ONE_KEY),
    providerTwo: endpoint(parsed.SCREENING_PROVIDER_TWO_URL, parsed.SCREENING_PROVIDER_TWO_KEY),
    adverseMedia: endpoint(parsed.ADVERSE_MEDIA_URL, parsed.ADVERSE_MEDIA_KEY),
    trustedProxies: parsed.TRUSTED_PROXIES,
    logLevel: parsed.LOG_LEVEL,
    /** Given, and without effect in this version. */
    ignored: WITHOUT_EFFECT.filter((name) => given(environment, name) !== undefined),
  })
}

const endpoint = (url: string | undefined, key: string | undefined) =>
  url === undefined ? undefined : { url, key }
