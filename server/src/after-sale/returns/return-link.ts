import { createHmac } from 'node:crypto'
import { tokenHash } from '#orders'
import { settings, type Scope } from '#platform'
import type { ReturnRequest } from './return-request.ts'
import { readReturnByToken } from './return-store.ts'

/** Days for which the links of a return's mails work after its last step. */
const linkDays = 60
const dayMs = 86_400_000

/** Opens a return without signing in: in mails alone. Derived, so that it need not be stored. */
export function returnToken(id: string): string {
  return createHmac('sha256', settings().mail.linkSecret).update(`return:${id}`).digest('base64url')
}

/** The return that a link of this market's mails leads to. Forged, expired and foreign links look alike. */
export async function findReturnByLink(
  { db, market, now }: Pick<Scope, 'db' | 'market' | 'now'>,
  token: string,
): Promise<ReturnRequest | undefined> {
  const hash = tokenHash(token)
  const request = hash ? await readReturnByToken(db, hash) : undefined
  if (request?.market !== market || request.updatedAt.getTime() < now.getTime() - linkDays * dayMs) return undefined
  return request
}
