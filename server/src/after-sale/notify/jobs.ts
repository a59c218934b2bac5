import { markets } from '@purlin/contract/markets.ts'
import { isSystemsCart, requestOfCart } from '#cart'
import { findText } from '#content'
import { sendMail } from '#mail'
import { allowByToken, originOf, readOrder } from '#orders'
import { boundedCache, on, settings, takeQuota, type JobScope } from '#platform'
import { readOrderNames } from '#purchasing'
import { addressLine, countryName, knownSellers } from '#sellers'
import { orderMails } from './mails.ts'
import type { MailKind } from './order-mail.ts'
import { orderLinkJob } from './request-order-link.ts'
import { closeLegacyMail, readLegacyMail } from './store.ts'

/** A mail about an order, once per order and kind. */
async function tell(scope: JobScope, customerOrderId: string, kind: MailKind): Promise<void> {
  const { order, token } = await allowByToken(scope.db, settings().mail.linkSecret, customerOrderId)
  if (!order) return
  const { market, mode, id } = order
  const sellers = await knownSellers(
    scope,
    order.sellerOrders.map(({ sellerId }) => sellerId),
  )
  const isOfCompany = kind === 'cancelled' && order.companyId !== null
  const inForce = { market, mode, now: order.placedAt ?? scope.now }
  await sendMail(scope, orderMails[kind], {
    to: order.email,
    site: { market, mode, origin: originOf(order) },
    payload: {
      order,
      token,
      names: await readOrderNames(scope.db, order),
      isFromSystem: isOfCompany && (await isSystemsCart(scope.db, order.cartId)),
      requestId: isOfCompany ? await requestOfCart(scope.db, order.cartId) : null,
      sellerAddresses: new Map(
        [...sellers].map(([sellerId, { address, country, email }]) => [
          sellerId,
          `${addressLine(address)}, ${countryName(markets[market].locale, country)}, ${email}`,
        ]),
      ),
      texts: (['withdrawal', 'terms'] as const).flatMap((name) => findText(inForce, name) ?? []),
    },
    key: `order:${id}:${kind}`,
  })
}

/** Orders that were counted: an event that has to be tried again does not use up the quota of its own mail. */
const countedOrders = boundedCache<true>(10_000)

/** The address of an order that was never paid proves nothing: strangers could fill its owner's mailbox with expired orders. */
async function mayMailUnpaid({ db }: JobScope, customerOrderId: string): Promise<boolean> {
  if (countedOrders.get(customerOrderId)) return true
  const order = await readOrder(db, customerOrderId)
  if (!order || !(await takeQuota('unpaid-order', { email: order.email })).ok) return false
  countedOrders.set(customerOrderId, true)
  return true
}

export const jobs = [orderLinkJob]

export const handlers = [
  on('order.paid', 'notify.confirm', { commit: (scope, { customerOrderId }) => tell(scope, customerOrderId, 'confirmation') }),
  on('order.cancelled', 'notify.cancelled', {
    commit: async (scope, { customerOrderId, reason }) => {
      if (reason !== 'hold-expired' || (await mayMailUnpaid(scope, customerOrderId))) await tell(scope, customerOrderId, 'cancelled')
    },
  }),
  on('payment.failed', 'notify.payment-failed', {
    // A card declined on the page is reported there; only a buyer who has left gets a mail.
    commit: async (scope, { customerOrderId, reason }) => {
      if (reason === 'capture-declined') await tell(scope, customerOrderId, 'payment-failed')
    },
  }),
  // Emitted by releases from before the mail module, for mails that had not been sent yet.
  on('mail.requested', 'notify.send', {
    commit: async (scope, { mailId }) => {
      const mail = await readLegacyMail(scope.db, mailId)
      if (mail?.state !== 'queued') return
      await tell(scope, mail.customerOrderId, mail.kind)
      await closeLegacyMail(scope.db, mailId)
    },
  }),
]
