import { sendMail } from '#mail'
import { blankEmail, readOrder } from '#orders'
import { settings, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import { answerLateMail, answerReminderMail, conversationNoticeMail } from './mails.ts'
import { takeLate, takeToRemind } from './store.ts'
import { conversationLink, siteOf } from './tell-of-message.ts'

/** Reminds sellers of missing answers; when one is overdue, tells the operator, and the buyer what they can do. */
export async function chaseAnswers(scope: JobScope): Promise<void> {
  const { db, now } = scope
  for (const { sellerOrderId, customerOrderId, sellerId, dueAt } of await takeToRemind(db, now)) {
    const order = await readOrder(db, customerOrderId)
    const seller = (await knownSellers(scope, [sellerId])).get(sellerId)
    if (!order || !seller?.email) continue
    const payload = { orderId: sellerOrderId, dueAt }
    const key = `answer-reminder:${sellerOrderId}:${dueAt.getTime()}`
    await sendMail(scope, answerReminderMail, { to: seller.email, site: siteOf(order), payload, key })
  }
  for (const { sellerOrderId, customerOrderId, sellerId, dueAt } of await takeLate(db, now)) {
    const order = await readOrder(db, customerOrderId)
    const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
    if (!order || !part) continue
    const site = siteOf(order)
    const key = `answer-late:${sellerOrderId}:${dueAt.getTime()}`
    const notice = { orderId: sellerOrderId, about: 'late-answer', lines: [`${part.seller.name} (${sellerId})`, dueAt.toISOString()] }
    await sendMail(scope, conversationNoticeMail, { to: settings().operator.email, site, payload: notice, key: `${key}:operator` })
    if (order.email === blankEmail) continue
    const payload = { orderId: sellerOrderId, sellerName: part.seller.name, url: await conversationLink(scope, order, sellerOrderId) }
    await sendMail(scope, answerLateMail, { to: order.email, site, payload, key })
  }
}
