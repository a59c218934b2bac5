import { createHash } from 'node:crypto'
import type { Market } from '@purlin/contract/markets.ts'
import { sendMail } from '#mail'
import { allowByToken, originOf, placedOrderEmail } from '#orders'
import { enqueue, job, newId, settings, takeQuota, type JobScope, type Scope } from '#platform'
import { orderLinkMail } from './order-link-mail.ts'

interface Lookup {
  market: Market
  orderId: string
  emailHash: string
  /** Makes each request a mail of its own. */
  requestId: string
}

const hashOf = (email: string): string => createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')

/**
 * A guest asks for the link to an order. Neither the result nor its time depends on what was typed: a job looks the order up, and
 * what it finds goes to the address the order was placed with, and nowhere else. (R-030, A12)
 */
export async function requestOrderLink(scope: Scope, typed: { orderId: string; email: string }): Promise<true> {
  const number = typed.orderId.trim().slice(0, 40)
  const orderId = /^p[0-9a-z]{16}$/i.test(number) ? number.toUpperCase() : number
  const emailHash = hashOf(typed.email.slice(0, 254))
  // Beyond its quota nothing is sent, and the answer stays the same.
  const { ok } = await takeQuota('order-link', { key: `${orderId} ${emailHash}`, address: scope.remoteAddress })
  const lookup: Lookup = { market: scope.market, orderId, emailHash, requestId: newId() }
  if (ok) await enqueue(scope.db, { name: 'notify.order-link', key: lookup.requestId, payload: lookup })
  return true
}

export const orderLinkJob = job<Lookup>('notify.order-link', {
  commit: (scope, lookup) => sendLink(scope, lookup),
})

async function sendLink(scope: JobScope, { market, orderId, emailHash, requestId }: Lookup): Promise<void> {
  const email = await placedOrderEmail(scope.db, orderId, market)
  if (email === undefined || hashOf(email) !== emailHash) return
  const { order, token } = await allowByToken(scope.db, settings().mail.linkSecret, orderId)
  if (!order) return
  await sendMail(scope, orderLinkMail, {
    to: order.email,
    site: { market, mode: order.mode, origin: originOf(order) },
    payload: { orderId, sellerOrderId: order.sellerOrders[0]?.id ?? orderId, name: order.address.firstName, token },
    key: `order:${orderId}:link:${requestId}`,
  })
}
