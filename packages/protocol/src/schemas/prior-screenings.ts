/** What was known of the counterparty and the agent before a REVIEW (spec: priorScreenings). */
import { type Static, type TObject, Type } from 'typebox'
import { isoTimestamp } from './shared.ts'

/** Null, or an object with these fields. */
const nullable = <T extends TObject>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] })

export const PriorScreenings = Type.Object(
  {
    counterparty: nullable(
      Type.Object({
        totalScreenings: Type.Integer({
          description: 'Prior screens that match by name or by wallet, of all operators',
        }),
        firstSeen: isoTimestamp,
        lastSeen: isoTimestamp,
        verdictHistory: Type.Object({
          CLEAR: Type.Integer(),
          REVIEW: Type.Integer(),
          BLOCK: Type.Integer(),
        }),
        distinctAgents: Type.Integer(),
        distinctOperators: Type.Integer(),
      }),
    ),
    agent: nullable(
      Type.Object({
        totalScreenings: Type.Integer(),
        firstSeen: isoTimestamp,
        reviewRate: Type.Number({ description: '0 to 1' }),
        blockRate: Type.Number({ description: '0 to 1' }),
        avgDailyScreenings: Type.Number({ description: 'Over the whole days before today' }),
        todayScreenings: Type.Integer(),
      }),
    ),
  },
  { description: 'REVIEW only: what was known when it was screened, itself not counted' },
)
export type PriorScreenings = Static<typeof PriorScreenings>
