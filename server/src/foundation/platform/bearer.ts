import { createHash, timingSafeEqual } from 'node:crypto'

/** Does the Authorization header carry this key? Constant time, whatever is presented; without a key nobody does. */
export function bears(authorization: string | undefined, key: string | undefined): boolean {
  if (!key || !authorization?.startsWith('Bearer ')) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization.slice(7)), digest(key))
}
