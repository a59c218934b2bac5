import { createHmac } from 'node:crypto'
import { authorize } from '#accounts'
import { readOrder, tokenHash, type CustomerOrder } from '#orders'
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

/**
 * The return that a link of this market's mails leads to, with its order. Forged, expired and foreign links look alike, and so
 * does one of a company's return to everybody but its present members.
 */
export async function findReturnByLink(scope: Scope, token: string): Promise<{ request: ReturnRequest; order: CustomerOrder } | undefined> {
  const hash = tokenHash(token)
  const request = hash ? await readReturnByToken(scope.db, hash) : undefined
  if (request?.market !== scope.market || request.updatedAt.getTime() < scope.now.getTime() - linkDays * dayMs) return undefined
  const order = await readOrder(scope.db, request.customerOrderId)
  if (!order || (order.companyId !== null && !authorize(scope, 'return.ask', order))) return undefined
  return { request, order }
}
