/** docs/endpoints.md, from the endpoint table and its schemas. */
import {
  type Endpoint,
  ENDPOINTS,
  ERRORS,
  type ErrorCode,
  ScreenResult,
} from '@portcullis/protocol'
import { code, generatedFrom, page, table } from './markdown.ts'
import { answerRows, holdsResult, requestRows, RESULT_NAMES, type Schema } from './schema-fields.ts'

const TABLE: readonly Endpoint[] = Object.values(ENDPOINTS)

const INTRODUCTION = `Bodies are JSON in UTF-8, at most 64 KiB. Every answer carries \`X-Request-Id\`. A known path with
another method is 405 with \`Allow\`; every error has the shape that [errors.md](errors.md) describes.
\`GET /openapi.json\` gives the same table as OpenAPI 3.1.`

const CONVENTIONS = `## Who may call

*Anyone* needs no credential. *Operator* needs \`Authorization: Bearer <operatorToken>\`, and sees and
changes what is its own; what belongs to another operator is 403 or 404.

## Idempotency-Key

Endpoints marked as repeatable take an \`Idempotency-Key\` header: 1 to 255 printable ASCII characters,
chosen by the caller. The first successful answer is kept for 24 hours and given again, word for
word, to the same request with the same key: nothing is issued, spent or charged twice. The same key
with another body is 422 \`idempotency_key_reused\`. A request that failed may be sent again under its
key.

## X-RateLimit headers

Answers of \`POST /v1/screen\` carry the state of the operator's monthly quota:

| Header | Value |
| --- | --- |
| \`X-RateLimit-Limit\` | screens a month on the plan, or \`unlimited\` |
| \`X-RateLimit-Remaining\` | screens left this month, or \`unlimited\` |
| \`X-RateLimit-Reset\` | start of the next UTC month, in seconds since the epoch |

Past the quota a screen is 429 \`rate_limit_exceeded\` without a verdict. UNKNOWN results and errors are
not counted.`

const title = ({ method, path }: Endpoint): string => `${method} ${path}`

/** How GitHub and most renderers name the anchor of a heading. */
const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')}`

const overview = (): string =>
  table(
    ['Endpoint', 'Caller', 'What it does'],
    TABLE.map((endpoint) => [
      `[${code(title(endpoint))}](${anchor(title(endpoint))})`,
      endpoint.caller,
      endpoint.summary,
    ]),
  )

function section(endpoint: Endpoint): string {
  const { summary, caller, idempotent, params, query, body } = endpoint
  const repeatable = idempotent === true ? ' Repeatable with `Idempotency-Key`.' : ''
  const who = caller === 'anyone' ? 'Anyone may call.' : 'For operators.'
  return page(
    `## ${title(endpoint)}`,
    `${summary}.\n\n${who}${repeatable}`,
    params === undefined ? '' : fields('In the path', params),
    query === undefined ? '' : fields('In the query', query),
    body === undefined ? '' : fields('Request body', body),
    ...answers(endpoint),
    errors(endpoint),
  ).trimEnd()
}

const fields = (heading: string, schema: Schema): string =>
  `### ${heading}\n\n${table(['Field', 'Type', 'Required', 'Meaning'], requestRows(schema))}`

const answers = ({ answers: schemas }: Endpoint): string[] =>
  Object.entries(schemas).map(([status, schema]) => `### Answer ${status}\n\n${answer(schema)}`)

function answer(schema: Schema): string {
  const columns = ['Field', 'Type', 'Meaning']
  if (!holdsResult(schema)) return table(columns, answerRows(schema))
  const more = answerRows(schema, RESULT_NAMES)
  const result = 'The [screening result](#screening-result)'
  return more.length === 0 ? `${result}.` : `${result}, with:\n\n${table(columns, more)}`
}

function errors({ errors: codes }: Endpoint): string {
  if (codes.length === 0) return ''
  const byStatus = Map.groupBy(codes, (error) => ERRORS[error].status)
  const row = ([status, group]: [number, ErrorCode[]]) => [
    String(status),
    group.map(code).join(', '),
  ]
  const rows = [...byStatus].sort(([left], [right]) => left - right).map(row)
  return `### Errors\n\n${table(['Status', 'Codes'], rows)}`
}

export const endpointsPage = (): string =>
  page(
    '# Endpoints',
    generatedFrom('packages/protocol/src/endpoints.ts'),
    INTRODUCTION,
    overview(),
    CONVENTIONS,
    ...TABLE.map(section),
    '## Screening result',
    'What a screen, a demo screen and an audit record have in common. What the rules mean: [rules.md](rules.md).',
    table(['Field', 'Type', 'Meaning'], answerRows(ScreenResult)),
  )
