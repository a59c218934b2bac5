import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether the Authorization header carries this key. Constant time, whatever is presented; false if no key is configured. */
export function bears(authorization: string | undefined, key: string | undefined): boolean {
  if (!key || !authorization?.startsWith('Bearer ')) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization.slice(7)), digest(key))
}
