import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, sendMail, type MailTemplate } from '#mail'
import { allowByToken, originOf, readOrder, type CustomerOrder, type SellerOrder } from '#orders'
import { slotText } from '#pickup'
import { newId, settings, type JobScope } from '#platform'
import { knownSellers } from '#sellers'
import type { Parcel } from './store.ts'

export const slotMailKinds = ['chosen', 'missed'] as const
export type SlotMailKind = (typeof slotMailKinds)[number]

export interface SlotMail {
  name: string
  customerOrderId: string
  sellerOrderId: string
  seller: string
  /** Day and hours. */
  when: string
  /** Opens the order without signing in. */
  orderToken: string
}

const template = (kind: SlotMailKind): MailTemplate<SlotMail> =>
  mailTemplate<SlotMail>(`appointment-${kind}`, {
    content: ({ name, customerOrderId: id, sellerOrderId, seller, when, orderToken }, { market, origin }) => {
      const t = wordsFor(market)
      const text = t(`slot.mail.${kind}.text`, { seller, when })
      const url = origin + publicUrl('orderDetails', { customerOrderId: id, sellerOrderId }, { access: orderToken })
      return {
        subject: t(`slot.mail.${kind}.subject`, { id }),
        preview: text,
        blocks: [
          { kind: 'text', text: t('mail.hello', { name }) },
          { kind: 'text', text },
          { kind: 'button', label: t(kind === 'missed' ? 'slot.choose' : 'mail.open'), url },
          { kind: 'quiet', lines: [t('mail.order', { id })] },
          { kind: 'text', text: t('mail.regards') },
          { kind: 'quiet', lines: [t('mail.why')] },
        ],
      }
    },
    example: ({ market }) => ({
      name: 'Ada',
      customerOrderId: 'PEXAMPLE00000001',
      sellerOrderId: 'PEXAMPLE00000001-7',
      seller: 'Nordwerk',
      when: slotText(market, { day: '2026-12-01', from: '08:00', to: '12:00' }),
      orderToken: 'example',
    }),
  })

export const slotMails: Record<SlotMailKind, MailTemplate<SlotMail>> = { chosen: template('chosen'), missed: template('missed') }

/** For the seller, whose own carrier may have to know. */
export const saleSlotMail = mailTemplate<{ sellerOrderId: string; when: string }>('sale-appointment', {
  content: ({ sellerOrderId: id, when }, { market }) => {
    const t = wordsFor(market)
    const text = t('slot.mail.sale.text', { id, when })
    return {
      subject: t('slot.mail.sale.subject', { id }),
      preview: text,
      blocks: [
        { kind: 'text', text },
        { kind: 'quiet', lines: [t('mail.regards'), settings().operator.name] },
      ],
    }
  },
  example: ({ market }) => ({
    sellerOrderId: 'PEXAMPLE00000001-7',
    when: slotText(market, { day: '2026-12-01', from: '08:00', to: '12:00' }),
  }),
})

/** Tells the seller of an order when its buyer wants the goods. */
export async function tellSellerOfSlot(scope: Pick<JobScope, 'db' | 'now'>, { market }: CustomerOrder, part: SellerOrder): Promise<void> {
  const seller = (await knownSellers(scope, [part.sellerId])).get(part.sellerId)
  if (!seller || !part.appointment) return
  const { origin } = settings().hosts.site(market, 'b2c')
  await sendMail(scope, saleSlotMail, {
    to: seller.email,
    site: { market, mode: 'b2c', origin },
    payload: { sellerOrderId: part.id, when: slotText(market, part.appointment) },
    key: `sale:${part.id}:appointment:${newId()}`,
  })
}

/** The driver was there and nobody else. */
export async function tellMissed(scope: JobScope, { customerOrderId, sellerOrderId }: Parcel): Promise<void> {
  const order = await readOrder(scope.db, customerOrderId)
  const part = order?.sellerOrders.find(({ id }) => id === sellerOrderId)
  if (order && part?.appointment) await tellSlot(scope, order, part, 'missed')
}

/** Tells the buyer when bulky goods come, or that the appointment was missed and another is needed. */
export async function tellSlot(
  scope: Pick<JobScope, 'db' | 'now'>,
  order: CustomerOrder,
  part: SellerOrder,
  kind: SlotMailKind,
): Promise<void> {
  // An erased buyer has no address any more.
  if (!order.email.includes('@')) return
  const { token } = await allowByToken(scope.db, settings().mail.linkSecret, order.id)
  const { market, mode } = order
  await sendMail(scope, slotMails[kind], {
    to: order.email,
    site: { market, mode, origin: originOf(order) },
    payload: {
      name: order.address.firstName,
      customerOrderId: order.id,
      sellerOrderId: part.id,
      seller: part.seller.name,
      when: part.appointment ? slotText(market, part.appointment) : '',
      orderToken: token,
    },
    key: `seller-order:${part.id}:appointment-${kind}:${newId()}`,
  })
}
