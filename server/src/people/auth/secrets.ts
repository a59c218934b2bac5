import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { settings } from '#platform'

/** Purpose of a ciphertext: a value sealed for one purpose cannot be opened for another. */
type Use = 'sign-in' | 'token'

const keys = new Map<string, Uint8Array>()

function keyOf(use: Use): Uint8Array {
  const { secret } = settings().sessions
  const name = `${use}:${secret}`
  const known = keys.get(name)
  if (known) return known
  const key = new Uint8Array(hkdfSync('sha256', secret, '', `purlin ${use}`, 32))
  keys.set(name, key)
  return key
}

export function seal(use: Use, text: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(text)).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).encrypt(keyOf(use))
}

/** Null for values not sealed here for this purpose. */
export async function unseal(use: Use, sealed: string): Promise<string | null> {
  const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
  const opened = await compactDecrypt(sealed, keyOf(use), options).catch(() => null)
  return opened && new TextDecoder().decode(opened.plaintext)
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** 256 random bits. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a value has the form of a secret, or of a digest. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())
}

/** The cookie of a CSRF token: the token, with proof that we issued it. */
export function csrfCookieOf(token: string): string {
  return `${token}|${createHash('sha256').update(`${token}${settings().sessions.secret}`).digest('hex')}`
}

/** The token in such a cookie; null when we did not issue it. */
export function csrfTokenOf(cookie: string): string | null {
  const [token = ''] = cookie.split('|', 1)
  return token !== '' && isSame(cookie, csrfCookieOf(token)) ? token : null
}
