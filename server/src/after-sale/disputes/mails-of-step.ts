import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { sendMail } from '#mail'
import { siteOf } from '#messages'
import { allowByToken, blankEmail, type CustomerOrder } from '#orders'
import { settings, type JobScope } from '#platform'
import { showMoney } from '#pricing'
import { knownSellers } from '#sellers'
import type { Dispute, DisputeStep } from './dispute.ts'
import { disputeMail } from './mails.ts'

/** Tells the parties of a step by mail: both of them, and the operator when it is their turn. */
export async function tellOfStep(scope: Pick<JobScope, 'db'>, order: CustomerOrder, dispute: Dispute, step: DisputeStep): Promise<void> {
  const { number, sellerOrderId, messageId, sellerId, state, dueAt } = dispute
  const site = siteOf(order)
  const sellerName = order.sellerOrders.find(({ id }) => id === sellerOrderId)?.seller.name ?? ''
  const amount = step.amount ? showMoney(order.market, step.amount).formatted : null
  const payload = { number, orderId: sellerOrderId, sellerName, actor: step.actor, action: step.action, note: step.note, amount, dueAt }
  const key = `dispute:${dispute.id}:${step.position}`
  if (step.actor !== 'buyer' && order.email !== blankEmail) {
    const { token } = await allowByToken(scope.db, settings().mail.linkSecret, order.id)
    const url = site.origin + publicUrl('dispute', { orderId: sellerOrderId, messageId }, { access: token })
    await sendMail(scope, disputeMail, { to: order.email, site, payload: { ...payload, url }, key: `${key}:buyer` })
  }
  const seller = (await knownSellers(scope, [sellerId])).get(sellerId)
  if (step.actor !== 'seller' && seller?.email)
    await sendMail(scope, disputeMail, { to: seller.email, site, payload: { ...payload, url: null }, key: `${key}:seller` })
  if (state === 'mediation' || state === 'appealed')
    await sendMail(scope, disputeMail, { to: settings().operator.email, site, payload: { ...payload, url: null }, key: `${key}:operator` })
}
