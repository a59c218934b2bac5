import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailBlock } from '#mail'
import { hoursOf, type Collection } from './collection.ts'

export type CollectionNotice = 'offered' | 'booked' | 'missed' | 'cancelled'

interface CollectionMail {
  what: CollectionNotice
  number: string
  sellerName: string
  firstName: string
  collection: Collection
  /** Opens the collection without signing in. */
  token: string
  items: readonly { title: string; quantity: number }[]
}

/** To the buyer: an appointment to choose or chosen, and the links that change it. */
export const collectionMail = mailTemplate<CollectionMail>('home-collection', {
  content: ({ what, number, sellerName, firstName, collection, token, items }, { market, origin }) => {
    const t = wordsFor(market)
    const link = (name: 'homeCollectionAccept' | 'homeCollectionChangeAddress' | 'homeCollectionCancel') =>
      origin + publicUrl(name, {}, { token })
    const { from, to } = hoursOf(market, collection)
    const { line1, line2, postcode, city } = collection.address
    const values = { number, seller: sellerName, from, to }
    const subject = t(`collection-mail.${what}.subject`, values)
    const more: MailBlock[] =
      what === 'cancelled'
        ? []
        : [
            { kind: 'button', label: t('collection-mail.change-address'), url: link('homeCollectionChangeAddress') },
            { kind: 'button', label: t('collection-mail.cancel'), url: link('homeCollectionCancel') },
          ]
    const blocks: MailBlock[] = [
      { kind: 'text', text: t('mail.hello', { name: firstName }) },
      { kind: 'text', text: t(`collection-mail.${what}.text`, values) },
      { kind: 'quiet', lines: items.map(({ title, quantity }) => t('refund.mail.line', { count: quantity, title })) },
      {
        kind: 'columns',
        columns: [{ title: t('collection.address'), lines: [line1, ...(line2 ? [line2] : []), `${postcode} ${city}`] }],
      },
      { kind: 'button', label: t(`collection-mail.${what}.open`), url: link('homeCollectionAccept') },
      ...more,
      { kind: 'text', text: t('mail.regards') },
    ]
    return { subject, preview: subject, blocks }
  },
  example: ({ market }) => ({
    what: 'booked',
    number: '50001',
    sellerName: 'Oakline Tools',
    firstName: 'Ada',
    token: 'example',
    items: [{ title: 'Garden shed 2 × 3 m', quantity: 1 }],
    collection: {
      requestId: '018f0000-0000-7000-8000-000000000003',
      state: 'booked',
      day: '2026-11-26',
      slot: 'morning',
      round: 1,
      bookedRound: 1,
      address: {
        firstName: 'Ada',
        lastName: 'Beam',
        company: null,
        vatNumber: null,
        line1: '1 Mill Lane',
        line2: null,
        postcode: 'LS1 1AA',
        city: 'Leeds',
        country: market.toUpperCase(),
        phone: '',
        instructions: null,
      },
    },
  }),
})
