import { sendMail } from '#mail'
import { orderToken, readOrder, type CustomerOrder } from '#orders'
import { mailboxOf, settings, takeQuota, type JobScope } from '#platform'
import type { Chargeback } from '#payments'
import { chargebackMail, failedRefundMail, refundMail, type RefundNews } from './mails.ts'
import { recipientsOf } from './recipients.ts'
import { byHandCode, type Refund } from './refund.ts'

/**
 * Tells the operator that the provider refused or returned a refund and somebody has to decide about it; again when it was made again
 * after a chargeback.
 */
export async function notifyOperator(scope: Pick<JobScope, 'db'>, refund: Refund, reason: string, chargebackId?: string): Promise<void> {
  const payload = { refund, reason }
  await sendMail(scope, failedRefundMail, { ...toOperator(refund), payload, key: `refund:${refund.id}:failed${again(chargebackId)}` })
}

/** Tells the operator that a bank takes a payment back, or has decided about it. */
export async function notifyOfChargeback(scope: JobScope, chargeback: Chargeback, state: Chargeback['state']): Promise<void> {
  const payload = { ...chargeback, state }
  await sendMail(scope, chargebackMail, { ...toOperator(chargeback), payload, key: `chargeback:${chargeback.id}:${state}` })
}

function toOperator({ market }: Pick<Refund, 'market'>) {
  const { origin } = settings().hosts.site(market, 'b2c')
  return { to: settings().operator.email, site: { market, mode: 'b2c' as const, origin } }
}

/** What tells the mails about a refund that is made again after a chargeback from those before. */
const again = (chargebackId?: string): string => (chargebackId === undefined ? '' : `:${chargebackId}`)

/** What tells the mail about a transfer by hand from the one about a card that took the refund at first. */
const byHand = ({ ibanEnd, failureCode }: Refund): string => (ibanEnd === null && failureCode === byHandCode ? ':by-hand' : '')

/**
 * Tells the buyer by mail that money has been sent, that the card did not take it, or that it is not owed; once the buyer has left the
 * company that they ordered for, its admins. The operator learns of an account that nobody is left to name. Of very many gifts of a seller only some are mailed.
 */
export async function notifyRefund(scope: JobScope, refund: Refund, what: RefundNews, chargebackId?: string): Promise<void> {
  const order = await readOrder(scope.db, refund.customerOrderId)
  if (!order || (what === 'done' && !(await mayMail(refund, order)))) return
  const { to, mayName } = await recipientsOf(scope, order)
  if (what === 'iban-needed' && !mayName) return notifyOperator(scope, refund, 'buyer_gone', chargebackId)
  const { market, mode } = order
  const mail = {
    site: { market, mode, origin: settings().hosts.site(market, mode).origin },
    payload: {
      what,
      refund,
      titles: new Map(order.sellerOrders.flatMap(({ lines }) => lines.map(({ offerId, snapshot }) => [offerId, snapshot.title]))),
      token: orderToken(settings().mail.linkSecret, order.id),
    },
    key: `refund:${refund.id}:${what}:${refund.transfers}${byHand(refund)}${again(chargebackId)}`,
  }
  for (const { id, email, firstName } of to)
    await sendMail(scope, refundMail, {
      ...mail,
      to: email,
      payload: { ...mail.payload, firstName },
      key: id === null ? mail.key : `${mail.key}:${id}`,
    })
}

/** A seller gives refunds as often as they like, and somebody may have given a stranger's address in an order from themselves. */
async function mayMail({ cause, bornBy, sellerOrderId }: Refund, { email, sellerOrders }: CustomerOrder): Promise<boolean> {
  const part = sellerOrders.find(({ id }) => id === sellerOrderId)
  if (cause !== 'goodwill' || bornBy !== 'seller' || !part) return true
  return (await takeQuota('seller-mail', { key: `${part.sellerId} ${mailboxOf(email)}` })).ok
}
