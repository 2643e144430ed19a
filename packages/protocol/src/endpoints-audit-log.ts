/** The lines of the endpoint table about the sealed audit log. */
import { Type } from 'typebox'
import { AuditRecord, TxnParams } from './schemas/audit.ts'
import {
  AuditProof,
  AuditQuery,
  CheckpointBody,
  ConsistencyAnswer,
  ConsistencyQuery,
  ExportQuery,
  HoldBody,
  HoldView,
  ProofQuery,
} from './schemas/audit-log.ts'
import { pageOf } from './schemas/agents.ts'

export const AUDIT_LOG_ENDPOINTS = {
  listAudit: {
    method: 'GET',
    path: '/v1/audit',
    caller: 'operator',
    summary: 'Own audit records, newest first, a page at a time',
    query: AuditQuery,
    answers: { 200: pageOf(AuditRecord) },
    errors: ['invalid_request', 'unauthorized', 'store_unavailable'],
  },
  exportAudit: {
    method: 'GET',
    path: '/v1/audit/export',
    caller: 'operator',
    summary:
      'Own audit records with receipts and proofs, as JSONL or CSV (docs/verifying-audit.md)',
    query: ExportQuery,
    answers: { 200: Type.String({ description: 'One line for each entry, streamed' }) },
    errors: ['invalid_request', 'unauthorized', 'store_unavailable'],
  },
  auditConsistency: {
    method: 'GET',
    path: '/v1/audit/consistency',
    caller: 'anyone',
    summary: 'Proof that the log of one size continues that of an earlier one',
    query: ConsistencyQuery,
    answers: { 200: ConsistencyAnswer },
    errors: ['invalid_request', 'store_unavailable'],
  },
  auditProof: {
    method: 'GET',
    path: '/v1/audit/:txnId/proof',
    caller: 'operator',
    summary: 'Proof that the record of an own screen, or its disposition, is in the log',
    params: TxnParams,
    query: ProofQuery,
    answers: { 200: AuditProof },
    errors: ['invalid_request', 'unauthorized', 'not_found', 'store_unavailable'],
  },
  holdRecord: {
    method: 'PATCH',
    path: '/v1/audit/:txnId',
    caller: 'operator',
    summary: 'Set or lift the legal hold on an own record; what is held is never purged',
    params: TxnParams,
    body: HoldBody,
    answers: { 200: HoldView },
    errors: [
      'invalid_json',
      'invalid_request',
      'payload_too_large',
      'unsupported_media_type',
      'unauthorized',
      'not_found',
      'store_unavailable',
    ],
  },
  checkpoint: {
    method: 'GET',
    path: '/v1/.well-known/checkpoint',
    caller: 'anyone',
    summary: 'The newest signed checkpoint of the audit log',
    answers: { 200: CheckpointBody },
    errors: ['store_unavailable'],
  },
  complianceManifest: {
    method: 'GET',
    path: '/v1/.well-known/compliance-manifest',
    caller: 'anyone',
    summary: 'A compact JWS: issuer, keys, lists with version and age, retention, policy versions',
    answers: { 200: Type.String({ description: 'application/jose' }) },
    errors: ['store_unavailable'],
  },
} as const
