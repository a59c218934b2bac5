import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailBlock, type MailSite } from '#mail'
import type { ReturnRequest } from './return-request.ts'

interface Item {
  title: string
  quantity: number
}

export type ReturnNews =
  | 'requested'
  | 'accepted'
  | 'label'
  | 'new-label'
  | 'reminder'
  | 'lapsed'
  | 'unseen'
  | 'unseen-lapsed'
  | 'carried-refunded'
  | 'refused'
  | 'settled'

/** Of these the buyer may disagree with the seller, or prove something. */
const leadsToSeller: ReadonlySet<string> = new Set(['goods-refused', 'collection-reminder', 'unseen', 'unseen-lapsed'])

interface ReturnMail {
  what: ReturnNews
  request: ReturnRequest
  items: readonly Item[]
  /** Held back from the price of withdrawn goods. */
  deduction: string | null
  /** When the request was received; in a reminder when the return lapses or ends. */
  at: Date
  name: string
  sellerName: string
  sellerAddress: readonly string[]
  /** Opens the order without signing in. */
  orderToken: string
  /** Of the return itself: rates it, and chooses the time of its collection, without signing in. */
  token: string
}

function kindOf(what: ReturnNews, { basis, hasCollection, replacementOrder }: ReturnRequest) {
  if (what === 'requested' && basis === 'withdrawal') return 'withdrawn'
  // A refusal after an inspection: the goods come back.
  if (what === 'refused' && replacementOrder !== null) return 'goods-refused'
  // Nothing to hand over: a driver comes at a time that the buyer chooses.
  return what === 'reminder' && hasCollection ? 'collection-reminder' : what
}

/** To the buyer. The first one is the acknowledgement on a durable medium that a withdrawal requires. */
export const returnMail = mailTemplate<ReturnMail>('return', {
  content: ({ what, request, items, deduction, at, name, sellerName, sellerAddress, orderToken, token }, { market, origin }) => {
    const t = wordsFor(market)
    const { number, customerOrderId, sellerOrderId, basis, reason, finding, decisionNote, replacementOrder } = request
    const kind = kindOf(what, request)
    const values = { number, id: customerOrderId, seller: sellerName, at, back: replacementOrder ?? '' }
    const subject = t(`returns.mail.${kind}.subject`, values)
    const blocks: MailBlock[] = [
      { kind: 'text', text: t(`returns.mail.${kind}.text`, values) },
      ...(deduction && finding && finding !== 'as-described'
        ? [
            {
              kind: 'text' as const,
              text: t('returns.mail.deduction', { seller: sellerName, amount: deduction, finding: t(`returns.finding.${finding}`) }),
            },
          ]
        : []),
      {
        kind: 'quiet',
        lines: [
          name,
          t('mail.order', { id: customerOrderId }),
          t(`returns.reason.${reason}`),
          ...items.map(({ title, quantity }) => t('refund.mail.line', { count: quantity, title })),
          ...(decisionNote && what !== 'requested' ? [decisionNote] : []),
        ],
      },
      ...(what === 'accepted' || kind === 'reminder' || (what === 'requested' && basis !== 'guarantee')
        ? [
            {
              kind: 'columns' as const,
              columns: [{ title: t('returns.label.to'), lines: [...sellerAddress, t('returns.label.number', { number })] }],
            },
          ]
        : []),
      ...(kind === 'collection-reminder'
        ? [
            {
              kind: 'button' as const,
              label: t('collection-mail.offered.open'),
              url: origin + publicUrl('homeCollectionAccept', {}, { token }),
            },
          ]
        : []),
      {
        kind: 'button',
        label: t('mail.open'),
        url: origin + publicUrl('orderDetails', { customerOrderId, sellerOrderId }, { access: orderToken }),
      },
      ...(leadsToSeller.has(kind)
        ? [
            {
              kind: 'button' as const,
              label: t('returns.mail.write', { seller: sellerName }),
              url: origin + publicUrl('conversation', { orderId: sellerOrderId }, { access: orderToken }),
            },
          ]
        : []),
      ...(what === 'settled' || what === 'carried-refunded' || what === 'refused'
        ? [{ kind: 'button' as const, label: t('return-feedback.mail'), url: origin + publicUrl('returnFeedback', {}, { token }) }]
        : []),
      { kind: 'text', text: t('mail.regards') },
    ]
    return { subject, preview: subject, blocks }
  },
  example: (site) => ({
    what: 'requested',
    request: exampleRequest(site),
    items: exampleItems,
    deduction: null,
    at: new Date('2026-11-22T09:30:00Z'),
    name: 'Ada Beam',
    sellerName: 'Oakline Tools',
    sellerAddress: ['Oakline Tools Ltd', '1 Mill Lane, Leeds LS1 1AA'],
    orderToken: 'example',
    token: 'example',
  }),
})

interface ReturnNotice {
  request: ReturnRequest
  /** The partial refund that the buyer requests for goods they keep. */
  wishedAmount: string | null
  items: readonly Item[]
  sellerName: string
}

/** To the seller: what comes back, and why. */
export const returnNoticeMail = mailTemplate<ReturnNotice>('return-notice', {
  content: ({ request: { number, sellerOrderId, reason, wish, description }, wishedAmount, items, sellerName }, { market }) => {
    const t = wordsFor(market)
    const subject = t('returns.mail.notice.subject', { number, id: sellerOrderId })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('mail.hello', { name: sellerName }) },
        { kind: 'text', text: t('returns.mail.notice.text', { id: sellerOrderId }) },
        {
          kind: 'quiet',
          lines: [
            t(`returns.reason.${reason}`),
            t(`returns.wish.${wish}`),
            ...(wishedAmount ? [t('returns.mail.notice.amount', { amount: wishedAmount })] : []),
            ...items.map(({ title, quantity }) => t('refund.mail.line', { count: quantity, title })),
            ...(description ? [description] : []),
          ],
        },
        { kind: 'text', text: t('mail.regards') },
      ],
    }
  },
  example: (site) => ({ request: exampleRequest(site), wishedAmount: null, items: exampleItems, sellerName: 'Oakline Tools' }),
})

export type AwaitedNotice = 'carried' | 'unseen' | 'refunded'

interface AwaitedMail {
  what: AwaitedNotice
  number: string
  sellerOrderId: string
  sellerName: string
  /** When the return ends without the goods. */
  at: Date
}

/** To the seller: goods of a return that should have arrived. */
export const returnAwaitedMail = mailTemplate<AwaitedMail>('return-awaited', {
  content: ({ what, number, sellerOrderId, sellerName, at }, { market }) => {
    const t = wordsFor(market)
    const subject = t(what === 'refunded' ? 'returns.mail.awaited.refunded.subject' : 'returns.mail.awaited.subject', { number })
    return {
      subject,
      preview: subject,
      blocks: [
        { kind: 'text', text: t('mail.hello', { name: sellerName }) },
        { kind: 'text', text: t(`returns.mail.awaited.${what}.text`, { number, id: sellerOrderId, at }) },
        { kind: 'text', text: t('mail.regards') },
      ],
    }
  },
  example: () => ({
    what: 'carried',
    number: '50001',
    sellerOrderId: 'EXAMPLE-1234-1',
    sellerName: 'Oakline Tools',
    at: new Date('2026-11-29T09:30:00Z'),
  }),
})

const exampleItems = [{ title: 'Cordless drill 18 V', quantity: 1 }]

function exampleRequest({ market }: MailSite): ReturnRequest {
  return {
    id: '018f0000-0000-7000-8000-000000000003',
    number: '50001',
    customerOrderId: 'EXAMPLE-1234',
    sellerOrderId: 'EXAMPLE-1234-1',
    sellerId: 1,
    market,
    reason: 'changed-mind',
    basis: 'withdrawal',
    wish: 'refund',
    wishedAmount: null,
    method: 'label',
    hasCollection: false,
    state: 'label-sent',
    lines: [{ offerId: '1', quantity: 1 }],
    description: '',
    photos: [],
    finding: null,
    exception: null,
    decisionNote: null,
    rating: null,
    isSettled: false,
    wasHandedOver: false,
    isCarried: false,
    requestedAt: new Date('2026-11-22T09:30:00Z'),
    updatedAt: new Date('2026-11-22T09:30:00Z'),
    labelFile: null,
    trackingNumber: null,
    labelRound: 0,
    replacementOrder: null,
  }
}
