import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { sendMail, type MailSite } from '#mail'
import { allowByToken, blankEmail, type CustomerOrder } from '#orders'
import { mailboxOf, settings, takeQuota, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import type { SeenPart } from './find-order.ts'
import { messageToBuyerMail, messageToSellerMail } from './mails.ts'

/** Tells the other side of a message by mail, in the transaction that writes it. Of very many messages of a seller only some are mailed. */
export async function tellOfMessage(
  scope: Pick<JobScope, 'db'>,
  { side, order, part }: SeenPart,
  { id, body, fileCount }: { id: string; body: string; fileCount: number },
): Promise<void> {
  const site = siteOf(order)
  const payload = { orderId: part.id, sellerName: part.seller.name, body, fileCount }
  if (side !== 'buyer' && order.email !== blankEmail && (await mayMail(side, part.sellerId, order.email))) {
    const url = await conversationLink(scope, order, part.id)
    await sendMail(scope, messageToBuyerMail, {
      to: order.email,
      site,
      payload: { ...payload, author: side, url },
      key: mailKeyOf(id, 'buyer'),
    })
  }
  if (side === 'seller') return
  const seller = (await knownSellers(scope, [part.sellerId])).get(part.sellerId)
  if (seller?.email)
    await sendMail(scope, messageToSellerMail, {
      to: seller.email,
      site,
      payload: { ...payload, author: side },
      key: mailKeyOf(id, 'seller'),
    })
}

/** The key of the mail that tells one side of a message. */
export const mailKeyOf = (messageId: string, to: 'buyer' | 'seller'): string => `message:${messageId}:${to}`

/** Somebody may have given a stranger's address in an order from themselves. */
async function mayMail(side: SeenPart['side'], sellerId: number, email: string): Promise<boolean> {
  return side !== 'seller' || (await takeQuota('seller-mail', { key: `${sellerId} ${mailboxOf(email)}` })).ok
}

/** A link that opens the conversation without signing in, as the links of order mails open the order. */
export async function conversationLink({ db }: Pick<JobScope, 'db'>, order: CustomerOrder, sellerOrderId: string): Promise<string> {
  const { token } = await allowByToken(db, settings().mail.linkSecret, order.id)
  return siteOf(order).origin + publicUrl('conversation', { orderId: sellerOrderId }, { access: token })
}

/** The host the order was placed on, as long as it is configured; otherwise the first host of its market. */
export function siteOf({ origin, market, mode }: Pick<CustomerOrder, 'origin' | 'market' | 'mode'>): MailSite {
  const { hosts } = settings()
  const made = origin === null ? null : hosts.siteOf(new URL(origin).host)
  return { market, mode, origin: (made?.market === market && made.mode === mode ? made : hosts.site(market, mode)).origin }
}
