import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailContent, type MailSite, type MailTemplate } from '#mail'
import { settings } from '#platform'
import { collectMailKinds, collectMails } from './collect-mails.ts'
import type { IncidentEnd } from './incidents.ts'
import { saleSlotMail, slotMailKinds, slotMails } from './tell-slot.ts'
import type { Due } from './store.ts'

export const shipmentMailKinds = ['accepted', 'shipped', 'delivered', 'not-coming', 'incident', 'not-collected', 'left-at-point'] as const
export type ShipmentMailKind = (typeof shipmentMailKinds)[number]

export interface ShipmentMail {
  name: string
  customerOrderId: string
  sellerOrderId: string
  seller: string
  pieces: readonly { title: string; quantity: number }[]
  /** Why pieces do not come, as shown on the order's page. */
  because: string | null
  /** What becomes of missing pieces if nobody does anything. */
  ends?: IncidentEnd | null
  carrier: string | null
  trackingNumber: string | null
  /** Opens the tracking page. */
  parcelToken: string | null
  /** Opens the order without signing in. */
  orderToken: string
}

function shipmentMail(kind: ShipmentMailKind, mail: ShipmentMail, { market, origin }: MailSite): MailContent {
  const t = wordsFor(market)
  const { customerOrderId: id, sellerOrderId, seller, pieces, because, ends, carrier, trackingNumber, parcelToken, orderToken } = mail
  const order = origin + publicUrl('orderDetails', { customerOrderId: id, sellerOrderId }, { access: orderToken })
  const isTracked = kind === 'shipped' && parcelToken !== null
  return {
    subject: t(`shipment-mail.${kind}.subject`, { id }),
    preview: t(`shipment-mail.${kind}.text`, { seller }),
    blocks: [
      { kind: 'text', text: t('mail.hello', { name: mail.name }) },
      { kind: 'text', text: t(`shipment-mail.${kind}.text`, { seller }) },
      ...(because ? [{ kind: 'text' as const, text: because }] : []),
      ...(ends
        ? [
            {
              kind: 'text' as const,
              text: t(ends.isRefunded ? 'shipment-mail.incident.refunded' : 'shipment-mail.incident.claimed', { seller, at: ends.at }),
            },
          ]
        : []),
      { kind: 'quiet', lines: pieces.map(({ title, quantity }) => `${quantity} × ${title}`) },
      ...(isTracked && carrier && trackingNumber
        ? [{ kind: 'quiet' as const, lines: [t('shipment.carrier', { carrier, number: trackingNumber })] }]
        : []),
      isTracked
        ? { kind: 'button', label: t('shipment.track'), url: origin + publicUrl('trackMyParcel', { token: parcelToken }) }
        : { kind: 'button', label: t('mail.open'), url: order },
      { kind: 'quiet', lines: [t('mail.order', { id })] },
      { kind: 'text', text: t('mail.regards') },
      { kind: 'quiet', lines: [t('mail.why')] },
    ],
  }
}

const template = (kind: ShipmentMailKind): MailTemplate<ShipmentMail> =>
  mailTemplate<ShipmentMail>(`shipment-${kind}`, {
    content: (payload, site) => shipmentMail(kind, payload, site),
    example: ({ market }) => ({
      name: 'Ada',
      customerOrderId: 'PEXAMPLE00000001',
      sellerOrderId: 'PEXAMPLE00000001-7',
      seller: 'Nordwerk',
      pieces: [{ title: wordsFor(market)('mail.goods'), quantity: 2 }],
      because: kind === 'not-coming' ? wordsFor(market)('shipment.reason.out-of-stock', { count: 2 }) : null,
      ends:
        kind === 'incident' || kind === 'left-at-point' ? { at: new Date('2026-12-08T10:00:00Z'), isRefunded: kind === 'incident' } : null,
      carrier: 'Purlin Post',
      trackingNumber: 'PP123456789GB',
      parcelToken: 'example',
      orderToken: 'example',
    }),
  })

export const shipmentMails: Record<ShipmentMailKind, MailTemplate<ShipmentMail>> = {
  accepted: template('accepted'),
  shipped: template('shipped'),
  delivered: template('delivered'),
  'not-coming': template('not-coming'),
  incident: template('incident'),
  'not-collected': template('not-collected'),
  'left-at-point': template('left-at-point'),
}

export type Reminder = Pick<Due, 'sellerOrderId' | 'dueAt'> & { kind: 'accept' | 'ship' | 'arrive' | 'collect' }

/** For the seller, once per missed deadline. */
export const reminderMail = mailTemplate<Reminder>('sale-reminder', {
  content: ({ kind, sellerOrderId, dueAt }, { market }) => {
    const t = wordsFor(market)
    return {
      subject: t('shipment-mail.reminder.subject', { id: sellerOrderId }),
      preview: sellerOrderId,
      blocks: [
        { kind: 'text', text: t(`shipment-mail.reminder.${kind}`, { id: sellerOrderId, at: dueAt }) },
        { kind: 'quiet', lines: [t('mail.regards'), settings().operator.name] },
      ],
    }
  },
  example: () => ({ kind: 'accept', sellerOrderId: 'PEXAMPLE00000001-7', dueAt: new Date('2026-11-24T21:00:00Z') }),
})

/** For the operator, who writes one language. */
export const escalationMail = mailTemplate<Pick<Due, 'sellerOrderId' | 'sellerId' | 'kind' | 'dueAt'>>('sale-escalation', {
  content: ({ sellerOrderId, sellerId, kind, dueAt }, { market }) => ({
    subject: `[${market}] ${kind} overdue: ${sellerOrderId}`,
    preview: sellerOrderId,
    blocks: [{ kind: 'quiet', lines: [`seller ${sellerId}`, sellerOrderId, `${kind}: ${dueAt.toISOString()}`] }],
  }),
  example: () => ({ sellerOrderId: 'PEXAMPLE00000001-7', sellerId: 7, kind: 'ship', dueAt: new Date('2026-11-24T21:00:00Z') }),
})

/** Previewed at /dev/mails. */
export const mails = [
  ...shipmentMailKinds.map((kind) => shipmentMails[kind]),
  ...collectMailKinds.map((kind) => collectMails[kind]),
  ...slotMailKinds.map((kind) => slotMails[kind]),
  saleSlotMail,
  reminderMail,
  escalationMail,
]
