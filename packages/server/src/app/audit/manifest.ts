/** The compliance manifest: what an agent's owner may hold this service to, signed. */
import { ESCALATIONS, RULES } from '@portcullis/engine'
import {
  canonicalJson,
  DAY_MS,
  HASH_VERSION,
  hexOf,
  isoTime,
  originOf,
  readCompactJws,
  SECOND_MS,
  type Sha256,
} from '@portcullis/protocol'
import type { Env } from '../env.ts'

export const MANIFEST_TYP = 'kya-compliance-manifest+jwt'

type ManifestEnv = Pick<Env, 'settings' | 'clock' | 'keyring' | 'watchlists' | 'sha256'>

/** A compact JWS, made anew at every call: ages are those of now. */
export function complianceManifest(env: ManifestEnv): string {
  const { settings, clock, keyring, watchlists } = env
  const now = clock.now()
  const lists = watchlists.current()?.lists ?? []
  return keyring.sign(MANIFEST_TYP, {
    iss: settings.issuer,
    issuedAt: isoTime(now),
    version: settings.version,
    environment: settings.environment,
    merchantId: settings.merchantId,
    jwks: keyring.jwks(),
    lists: lists.map(({ id, contentHash, loadedAt, source, entries }) => ({
      list: id,
      contentHash,
      date: loadedAt,
      ageSeconds: Math.floor((now - Date.parse(loadedAt)) / SECOND_MS),
      source,
      entries,
    })),
    payTo: null,
    retentionDays: Math.floor(settings.retentionMs / DAY_MS),
    receiptValidSeconds: Math.floor(settings.receiptValidMs / SECOND_MS),
    auditLog: { origin: originOf(settings.issuer), hashVersion: HASH_VERSION },
    policyVersions: { ruleTable: ruleTableVersion(env.sha256) },
  })
}

/** Changes with any rule: its order, id, check code, verdict, weight or trigger. */
export function ruleTableVersion(sha256: Sha256): string {
  const table = [...RULES, ...ESCALATIONS].map(({ predicate: _predicate, ...line }) => line)
  return hexOf(sha256(new TextEncoder().encode(canonicalJson(table))))
}

/** Whether the manifest of this moment verifies with a published key and names a list. */
export function manifestVerifies(env: ManifestEnv): boolean {
  if ((env.watchlists.current()?.lists.length ?? 0) === 0) return false
  const jws = readCompactJws(complianceManifest(env))
  if (!jws.ok || jws.value.typ !== MANIFEST_TYP) return false
  const { kid, signingInput, signature } = jws.value
  return env.keyring.verify(kid, signingInput, signature)
}
