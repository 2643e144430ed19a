/** The health record, whole (spec: Health record), and the key set. */
import { type Static, type TSchema, Type } from 'typebox'
import { isoTimestamp } from './shared.ts'

const nullableTime = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'ISO 8601, UTC',
})

const AddressList = Type.Object({
  addresses: Type.Integer(),
  source: Type.String(),
  lastSync: nullableTime,
  embeddedFallback: Type.Optional(Type.Integer()),
  note: Type.Optional(Type.String()),
})

const EntityNames = Type.Object({
  count: Type.Integer(),
  source: Type.String(),
  lastSync: nullableTime,
})

const provider = <T extends Record<string, TSchema>>(fields: T) =>
  Type.Object({ enabled: Type.Boolean(), ...fields })

export const HealthRecord = Type.Object({
  status: Type.String(),
  version: Type.String(),
  environment: Type.String(),
  ofac: Type.Object(
    {
      eth: AddressList,
      xbt: AddressList,
      trx: AddressList,
      usdt: AddressList,
      usdc: AddressList,
      sol: AddressList,
      entityNames: EntityNames,
    },
    // Every other ticker under which OFAC lists an address.
    { additionalProperties: AddressList },
  ),
  ofacAddresses: Type.Integer(),
  ofacSource: Type.String(),
  ofacLastSync: nullableTime,
  ofacEmbeddedFallback: Type.Integer(),
  ofacBtcAddresses: Type.Integer(),
  ofacTrxAddresses: Type.Integer(),
  ofacUsdtAddresses: Type.Integer(),
  ofacUsdcAddresses: Type.Integer(),
  sanctionedEntities: Type.Integer(),
  kvConnected: Type.Boolean({ description: 'Whether the store answers' }),
  signingAlg: Type.String(),
  signingKeyLoaded: Type.Boolean(),
  screeningProviderOne: provider({ apiUrl: Type.String(), features: Type.Array(Type.String()) }),
  screeningProviderTwo: provider({
    coverage: Type.String(),
    optIn: Type.String(),
    timeoutMs: Type.Integer(),
    thresholds: Type.Object({ block: Type.String(), review: Type.String(), clear: Type.String() }),
  }),
  screeningProviderTwoAdverseMedia: provider({
    coverage: Type.String(),
    categories: Type.Array(Type.String()),
    flagCategories: Type.Array(Type.String()),
    optIn: Type.String(),
    verdictImpact: Type.String(),
    timeoutMs: Type.Integer(),
    note: Type.String(),
  }),
  globalSanctions: provider({
    count: Type.Integer(),
    syncedAt: nullableTime,
    sources: Type.String(),
  }),
  publicOfficials: provider({
    count: Type.Integer(),
    scope: Type.String(),
    syncedAt: nullableTime,
    source: Type.String(),
  }),
  arcAttestation: provider({
    network: Type.String(),
    queued: Type.Integer(),
    queuedAtLeast: Type.Boolean(),
    awaitingConfirmation: Type.Integer(),
    batchSize: Type.Integer(),
    capacityPerDay: Type.Integer(),
    backlogHealthy: Type.Boolean(),
  }),
  merchant: Type.Object({ id: Type.String(), complianceManifestValid: Type.Boolean() }),
  credentialHierarchy: Type.Array(Type.String()),
  agentModes: Type.Array(Type.String()),
  maxDelegationDepth: Type.Integer(),
  latency: Type.Object({
    p50Ms: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    p99Ms: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    sampleSize: Type.Integer(),
    computedFrom: Type.String(),
  }),
  syncFreshness: Type.Record(
    Type.String(),
    Type.Object({
      status: Type.String(),
      lastSyncAge: Type.String(),
      lastSync: nullableTime,
      note: Type.Optional(Type.String()),
    }),
  ),
  syncHealthy: Type.Boolean(),
  timestamp: isoTimestamp,
})
export type HealthRecord = Static<typeof HealthRecord>

export const JwksDocument = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      crv: Type.String(),
      use: Type.String(),
      alg: Type.String(),
      kid: Type.String(),
      x: Type.String(),
      y: Type.String(),
    }),
  ),
})
export type JwksDocument = Static<typeof JwksDocument>
