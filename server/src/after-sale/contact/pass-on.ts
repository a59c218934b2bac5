import { wordsFor } from '@purlin/words/catalogues.ts'
import { isOwnedBy } from '#accounts'
import { appendAs } from '#messages'
import { isOrderId, readOrder, type CustomerOrder } from '#orders'
import type { Db, JobScope } from '#platform'
import { notePassedOn } from './passed-on-store.ts'
import { readMessage } from './store.ts'

/** Of the goods named, the message in the conversation repeats this much. */
const maxGoods = 2_000

/**
 * Passes a declaration of withdrawal on to each seller of the order, as a message in the conversation about it, which is
 * also mailed to the buyer with a link to the order; the money waits from now on. Not done by the form itself, which thus
 * takes as long for an order that is not the sender's. Nothing is cancelled or returned in the buyer's name: number and
 * address of an order may be known to others.
 */
export async function passOn(scope: JobScope, { messageId }: { messageId: string }): Promise<void> {
  const message = await readMessage(scope.db, messageId)
  const order = message && (await orderNamed(scope.db, message.orderId))
  // Businesses have no right to withdraw: their declarations are for the operator.
  if (!order || !order.paidAt || order.mode !== 'b2c' || !isSenders(order, message)) return
  const t = wordsFor(order.market)
  const said = { reference: String(message.reference), at: message.at, name: message.name }
  const goods = message.body.slice(0, maxGoods)
  for (const part of order.sellerOrders) {
    if (!(await notePassedOn(scope.db, part.id, messageId, scope.now))) continue
    const about = { ...said, id: part.id }
    const text = [
      goods ? t('contact.withdrawal.passed-on.goods', { ...about, goods }) : t('contact.withdrawal.passed-on.all', about),
      t('contact.withdrawal.passed-on.seller'),
      t('contact.withdrawal.passed-on.buyer', { link: t('returns.withdraw.link') }),
    ].join('\n\n')
    const seen = { side: 'operator', order, part, actorKey: 'withdrawal-form' } as const
    const { db, now, emit } = scope
    const written = await appendAs({ db, now, emit, market: order.market }, seen, { text, topic: 'return' }, async () => [])
    if (!written.ok) throw new Error(`The declaration ${message.reference} was not passed on: ${written.reason}`)
  }
}

/** The order whose number was typed, as people type it: in small letters, with spaces, or with the seller's part. */
export async function orderNamed(db: Db, typed: string | null): Promise<CustomerOrder | undefined> {
  const id = (typed ?? '').replace(/[\s#]/g, '').toUpperCase().replace(/-\d+$/, '')
  return isOrderId(id) ? readOrder(db, id) : undefined
}

/** Whether the declaration comes from the person who ordered: by the address, or by the account or session. */
function isSenders(order: CustomerOrder, { email, owner }: { email: string; owner: string | null }): boolean {
  return order.email.toLowerCase() === email || isOwnedBy(order, owner)
}
