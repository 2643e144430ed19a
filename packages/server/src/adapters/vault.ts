/** AES-256-GCM under a key derived from the caller's secret, which the store never sees. */
import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto'
import type { Sha256 } from '@portcullis/protocol'
import type { Vault } from '../app/ports.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'portcullis idempotent answer', 32))

export const vault: Vault = {
  digest: (text) => hash('sha256', text),
  seal(text, secret) {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, keyOf(secret), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  },
  open(sealed, secret) {
    const bytes = Buffer.from(sealed, 'base64')
    const nonce = bytes.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(ALGORITHM, keyOf(secret), nonce)
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
  },
}

/** SHA-256 by the machine's own instructions; several times as fast as a portable one. */
export const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
