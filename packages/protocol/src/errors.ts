/**
 * The error catalogue: every code a caller may meet, its HTTP status, and what it says unless the
 * place that raises it knows better. Verdicts are never errors. `docs/errors.md` is generated here.
 */

interface ErrorEntry {
  readonly status: number
  readonly message: string
}

// prettier-ignore
export const ERRORS = {
  missing_token:          { status: 400, message: 'the request has no agent credential in `token`' },
  invalid_json:           { status: 400, message: 'the body is not valid JSON' },
  invalid_request:        { status: 400, message: 'the request is not valid' },
  unauthorized:           { status: 401, message: 'a valid operator credential is needed: `Authorization: Bearer <operatorToken>`' },
  payment_required:       { status: 402, message: 'the plan is not active; complete the checkout first' },
  forbidden:              { status: 403, message: 'this operator may not do that' },
  sanctions_match:        { status: 403, message: 'a given name, address or wallet matches a sanctions list; nothing was issued' },
  not_found:              { status: 404, message: 'there is nothing here under that address' },
  method_not_allowed:     { status: 405, message: 'this route does not take that method' },
  already_dispositioned:  { status: 409, message: 'a disposition was already recorded' },
  second_reviewer_needed: { status: 409, message: 'the disposition is proposed; another reviewer must confirm it' },
  invalid_transition:     { status: 409, message: 'the status cannot change that way' },
  payload_too_large:      { status: 413, message: 'the body is larger than 64 KiB' },
  unsupported_media_type: { status: 415, message: 'send the body as `application/json` in UTF-8' },
  autonomous_agent:       { status: 422, message: 'an autonomous agent has no users' },
  delegation_depth_exceeded: { status: 422, message: 'delegates reach three levels below an agent' },
  idempotency_key_reused: { status: 422, message: 'this `Idempotency-Key` was used with another request' },
  invalid_disposition:    { status: 422, message: '`disposition` must be one of APPROVED, REJECTED, ESCALATE_SAR' },
  missing_reviewer:       { status: 422, message: '`reviewedBy` is required' },
  policy_widening:        { status: 422, message: 'a delegate can only narrow the spend policy of its parent' },
  supervised_agent:       { status: 422, message: 'only autonomous agents are attested' },
  rate_limit_exceeded:    { status: 429, message: 'too many requests' },
  internal_error:         { status: 500, message: 'something failed on our side; nothing was decided' },
  store_unavailable:      { status: 503, message: 'the store did not take the record; there is no verdict' },
  lists_unavailable:      { status: 503, message: 'no OFAC list is loaded; there is no verdict' },
  shutting_down:          { status: 503, message: 'the service is stopping; try again in a moment' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof ERRORS

/** What every endpoint with a body may answer. */
export const BODY_ERRORS = [
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const satisfies readonly ErrorCode[]

export interface ErrorDetails {
  /** Replaces the catalogue's sentence. One lower-case sentence, user input in backticks. */
  readonly message?: string
  /** The request field to blame, as a path: `spendPolicy.dailyLimitUSDC`. */
  readonly field?: string
  /** What the specification adds to the body of this error. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Response headers that the specification adds to this error. */
  readonly headers?: Readonly<Record<string, string | number>>
}

/** The one error class: an expected failure that the HTTP edge turns into a response. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string | number>>

  constructor(code: ErrorCode, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message)
    this.code = code
    this.field = details.field
    this.extra = details.extra ?? {}
    this.headers = details.headers ?? {}
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}

/** A 400 that names the field. */
export const invalidField = (field: string, message: string): ServiceError =>
  new ServiceError('invalid_request', { field, message: `\`${field}\` ${message}` })
