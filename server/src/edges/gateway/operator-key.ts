import { createHash, timingSafeEqual } from 'node:crypto'

/** Is this `Authorization` header the operators' key? Compared in constant time; without a key in the settings nobody is an operator. */
export function isOperator(authorization: string | undefined): boolean {
  const key = process.env['OPERATOR_API_KEY']
  if (!key || !authorization?.startsWith('Bearer ')) return false
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(authorization.slice(7)), digest(key))
}
