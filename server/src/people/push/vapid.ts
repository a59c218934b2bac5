import { generateKeyPairSync } from 'node:crypto'
import type { Db } from '#platform'
import { readKey, writeKey } from './store.ts'

/** The key of the shop for push services (VAPID, RFC 8292): made at the first use; of two processes the first one's counts. */
export async function vapidKey(db: Db): Promise<JsonWebKey> {
  const known = await readKey(db)
  if (known) return known
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeKey(db, privateKey.export({ format: 'jwk' }))
  const kept = await readKey(db)
  if (!kept) throw new Error('The key for push messages could not be stored')
  return kept
}

/** As browsers take it: the uncompressed point. */
export function publicKeyOf({ x = '', y = '' }: JsonWebKey): string {
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}
