import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { sendMail } from '#mail'
import { allowByToken, blankEmail } from '#orders'
import { settings, type JobScope } from '#platform'
import { invoiceMail } from './mails.ts'
import type { Invoice } from './store.ts'

/** An invoice that was entered late, for an order of long ago, is not announced. */
const newsMs = 2 * 24 * 3_600_000

/** Tells the buyer that an invoice is there. The link opens it without signing in. */
export async function announceInvoice(scope: JobScope, { kind, number, document, customerOrderId, issuedAt }: Invoice): Promise<void> {
  if ((kind !== 'sale' && kind !== 'credit-note') || customerOrderId === null) return
  if (scope.now.getTime() - issuedAt.getTime() > newsMs) return
  const { order, token } = await allowByToken(scope.db, settings().mail.linkSecret, customerOrderId)
  if (!order || order.email === blankEmail) return
  const { hosts } = settings()
  const { market, mode } = order
  const made = order.origin === null ? null : hosts.siteOf(new URL(order.origin).host)
  const { origin } = made?.market === market && made.mode === mode ? made : hosts.site(market, mode)
  await sendMail(scope, invoiceMail, {
    to: order.email,
    site: { market, mode, origin },
    payload: {
      kind,
      number,
      seller: document.seller.name,
      order: order.id,
      path: publicUrl('selfCareInvoice', { orderId: order.id }, { access: token }),
    },
    key: `order:${order.id}:invoice:${number}`,
  })
}
