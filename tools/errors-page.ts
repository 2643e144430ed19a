/** docs/errors.md, from the error catalogue. */
import { ENDPOINTS, type Endpoint, ERRORS, type ErrorCode } from '@portcullis/protocol'
import { code, generatedFrom, page, table } from './markdown.ts'

const SHAPE = `Every error has one shape, whatever its status:

\`\`\`json
{
  "error": "invalid_request",
  "message": "\`amount\` is required",
  "requestId": "req_5e0c8f1c-9d1b-4b0a-8f5e-2a7f3a1d9c11",
  "field": "amount"
}
\`\`\`

- \`error\` is one of the codes below and never changes its meaning; program against it.
- \`message\` is one sentence for people. The one below is what the code says unless the place that
  raises it knows better.
- \`requestId\` is also in the \`X-Request-Id\` header of every answer; quote it when you ask for help.
- \`field\` names the field to blame, when there is one: \`spendPolicy.dailyLimitUSDC\`.

Some errors add members of their own. A verdict is never an error: BLOCK is an answer with status
200. The one exception is \`missing_token\`, which is this shape and a full UNKNOWN result in one.`

const RETRIES = `## What to do about them

- **400 to 422**: the same request will fail again. Change it first.
- **429**: wait. The quota of a plan begins anew with the UTC month, registrations for one email with
  the UTC date, the demo within the hour.
- **500 and 503**: nothing was decided and nothing was charged. Send the request again, with the same
  \`Idempotency-Key\` where the endpoint takes one. Never read a failed request as CLEAR.`

const TABLE: readonly Endpoint[] = Object.values(ENDPOINTS)

const WITH_BODY = TABLE.filter(({ body }) => body !== undefined)

function raisedBy(error: ErrorCode): string {
  const routes = TABLE.filter(({ errors }) => errors.includes(error))
  if (routes.length === 0) return 'any route'
  if (routes.length === WITH_BODY.length && routes.every(({ body }) => body !== undefined))
    return 'every route with a body'
  return routes.map(({ method, path }) => code(`${method} ${path}`)).join('<br>')
}

export const errorsPage = (): string =>
  page(
    '# Errors',
    generatedFrom('packages/protocol/src/errors.ts'),
    SHAPE,
    '## The catalogue',
    table(
      ['Status', 'Code', 'Message', 'Raised by'],
      (Object.keys(ERRORS) as ErrorCode[]).map((error) => [
        String(ERRORS[error].status),
        code(error),
        ERRORS[error].message,
        raisedBy(error),
      ]),
    ),
    'An unknown path is `not_found` too.',
    RETRIES,
  )
