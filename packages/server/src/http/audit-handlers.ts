/** Handlers of the sealed audit log. */
import { Readable } from 'node:stream'
import type {
  AuditParams,
  ConsistencyParams,
  EndpointName,
  ExportParams,
  HoldRequest,
  ProofParams,
} from '@portcullis/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { exportOwn } from '../app/audit/audit-export.ts'
import { listAudit } from '../app/audit/audit-list.ts'
import { proveConsistency, proveEntry, readCheckpoint } from '../app/audit/audit-proofs.ts'
import type { Caller, Env } from '../app/env.ts'
import { holdRecord } from '../app/audit/legal-hold.ts'
import { complianceManifest } from '../app/audit/manifest.ts'

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown
type CallerOf = (env: Env, request: FastifyRequest) => Caller
type AuditLogNames =
  | 'listAudit'
  | 'exportAudit'
  | 'auditConsistency'
  | 'auditProof'
  | 'holdRecord'
  | 'checkpoint'
  | 'complianceManifest'

const MEDIA_TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const

export function auditLogHandlers(
  env: Env,
  callerOf: CallerOf,
): Pick<Record<EndpointName, Handler>, AuditLogNames> {
  const txnId = (request: FastifyRequest) => (request.params as { txnId: string }).txnId
  return {
    listAudit: (request) => listAudit(env, request.query as AuditParams, callerOf(env, request)),
    async exportAudit(request, reply) {
      const params = request.query as ExportParams
      const lines = await exportOwn(env, params, callerOf(env, request))
      const { format = 'jsonl' } = params
      reply.type(MEDIA_TYPES[format])
      reply.header('content-disposition', `attachment; filename="audit.${format}"`)
      return reply.send(Readable.from(lines))
    },
    auditConsistency: (request) => proveConsistency(env, request.query as ConsistencyParams),
    auditProof(request) {
      const query = request.query as ProofParams
      return proveEntry(env, txnId(request), query, callerOf(env, request))
    },
    holdRecord(request) {
      const body = request.body as HoldRequest
      return holdRecord(env, txnId(request), body, callerOf(env, request))
    },
    checkpoint: () => readCheckpoint(env),
    complianceManifest: (_request, reply) =>
      reply.type('application/jose').send(complianceManifest(env)),
  }
}
