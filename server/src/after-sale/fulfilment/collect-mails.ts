import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailTemplate } from '#mail'

export const collectMailKinds = ['ready', 'collect-soon'] as const
export type CollectMailKind = (typeof collectMailKinds)[number]

export interface CollectMail {
  name: string
  customerOrderId: string
  sellerOrderId: string
  seller: string
  heldUntil: Date
  /** Name and address of the point; empty when the carrier took the parcel to one that nobody chose. */
  place: readonly string[]
  hours: readonly string[]
  carrier: string
  trackingNumber: string | null
  /** Opens the tracking page. */
  parcelToken: string
  /** Opens the order without signing in. */
  orderToken: string
}

const template = (kind: CollectMailKind): MailTemplate<CollectMail> =>
  mailTemplate<CollectMail>(`parcel-${kind}`, {
    content: (mail, { market, origin }) => {
      const t = wordsFor(market)
      const { customerOrderId: id, sellerOrderId, seller, heldUntil, place, hours, carrier, trackingNumber, parcelToken, orderToken } = mail
      const text = t(`shipment-mail.${kind}.text`, { seller, at: new Date(heldUntil) })
      return {
        subject: t(`shipment-mail.${kind}.subject`, { id, at: new Date(heldUntil) }),
        preview: text,
        blocks: [
          { kind: 'text', text: t('mail.hello', { name: mail.name }) },
          { kind: 'text', text },
          ...(place.length > 0 ? [{ kind: 'quiet' as const, lines: [...place, ...hours] }] : []),
          ...(trackingNumber ? [{ kind: 'quiet' as const, lines: [t('shipment.carrier', { carrier, number: trackingNumber })] }] : []),
          { kind: 'button', label: t('shipment.track'), url: origin + publicUrl('trackMyParcel', { token: parcelToken }) },
          {
            kind: 'button',
            label: t('mail.open'),
            url: origin + publicUrl('orderDetails', { customerOrderId: id, sellerOrderId }, { access: orderToken }),
          },
          { kind: 'quiet', lines: [t('mail.order', { id })] },
          { kind: 'text', text: t('mail.regards') },
          { kind: 'quiet', lines: [t('mail.why')] },
        ],
      }
    },
    example: () => ({
      name: 'Ada',
      customerOrderId: 'PEXAMPLE00000001',
      sellerOrderId: 'PEXAMPLE00000001-7',
      seller: 'Nordwerk',
      heldUntil: new Date('2026-12-01T12:00:00Z'),
      place: ['Harrow News', '12 Church Lane', 'M1 7HN Manchester'],
      hours: ['09:00–18:00'],
      carrier: 'Purlin Post',
      trackingNumber: 'PP123456789GB',
      parcelToken: 'example',
      orderToken: 'example',
    }),
  })

export const collectMails: Record<CollectMailKind, MailTemplate<CollectMail>> = {
  ready: template('ready'),
  'collect-soon': template('collect-soon'),
}
