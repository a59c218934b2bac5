import type { Market } from '@purlin/contract/markets.ts'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate, type MailBlock } from '#mail'
import type { Chargeback } from '#payments'
import { showMoney } from '#pricing'
import { byHandCode, owedOf, type Refund } from './refund.ts'

export type RefundNews = 'done' | 'iban-needed' | 'not-owed'

interface RefundMail {
  what: RefundNews
  refund: Refund
  firstName: string
  /** Titles of the order's lines, by offer. */
  titles: ReadonlyMap<string, string>
  /** Opens the order without signing in. */
  token: string
}

const exampleOf = (market: Market): Refund => ({
  id: '018f0000-0000-7000-8000-000000000001',
  number: '70001',
  customerOrderId: 'EXAMPLE-1234',
  sellerOrderId: 'EXAMPLE-1234-1',
  paymentId: '018f0000-0000-7000-8000-000000000002',
  cause: 'cancellation',
  state: 'done',
  amount: 5490,
  setOff: 0,
  currency: market === 'gb' ? 'GBP' : 'EUR',
  market,
  bornBy: 'seller',
  ibanEnd: null,
  transfers: 0,
  failureCode: null,
  requestedAt: new Date('2026-11-22T09:30:00Z'),
  doneAt: new Date('2026-11-22T09:31:00Z'),
  lines: [{ offerId: '1', quantity: 1, goods: 4990, delivery: 500 }],
})

/** What goes back, for which goods, and where to; that a bank account is needed; or that nothing goes back. */
export const refundMail = mailTemplate<RefundMail>('refund', {
  content: ({ what, refund, firstName, titles, token }, { market, origin }) => {
    const t = wordsFor(market)
    const { id, number, customerOrderId, sellerOrderId, ibanEnd, failureCode, setOff } = refund
    // Of a refund that a chargeback has paid in part, the bank transfers the rest.
    const due = what === 'iban-needed' ? owedOf(refund) : refund.amount
    const money = (minor: number): string => showMoney(market, minor).formatted
    const amount = money(due)
    const values = { amount, number, id: customerOrderId }
    const kind = what === 'iban-needed' ? 'iban' : what
    const subject = t(`refund.mail.${kind}.subject`, values)
    const shares = { taken: money(setOff), rest: money(owedOf(refund)), whole: money(refund.amount) }
    const toBuyer = failureCode === byHandCode ? t('refund.mail.by-transfer') : t('refund.mail.to-card')
    const isInPart = setOff > 0
    const ways = {
      done: [
        ...(isInPart ? [t('refund.mail.by-bank', shares)] : []),
        ibanEnd === null ? toBuyer : t('refund.mail.to-account', { end: ibanEnd }),
      ],
      'iban-needed': isInPart ? [t('refund.mail.iban.by-bank', shares)] : [],
      'not-owed': [],
    }
    const listed = due === refund.amount ? refund.lines : []
    const lines = listed.map(({ offerId, quantity, goods, delivery }): [string, string] => [
      quantity > 0 ? t('refund.mail.line', { count: quantity, title: titles.get(offerId) ?? '' }) : (titles.get(offerId) ?? ''),
      money(goods + delivery),
    ])
    const blocks: MailBlock[] = [
      { kind: 'text', text: t('mail.hello', { name: firstName }) },
      { kind: 'text', text: t(`refund.mail.${kind}.text`, values) },
      ...ways[what].map((text) => ({ kind: 'text' as const, text })),
      ...(what === 'not-owed' ? [] : [{ kind: 'totals' as const, rows: [...lines, [t('refund.mail.total'), amount] as [string, string]] }]),
      what !== 'iban-needed'
        ? {
            kind: 'button',
            label: t('mail.open'),
            url: origin + publicUrl('orderDetails', { customerOrderId, sellerOrderId }, { access: token }),
          }
        : { kind: 'button', label: t('refund.mail.iban.button'), url: origin + publicUrl('refundForm', { id }) },
      { kind: 'quiet', lines: [t('refund.mail.number', { number }), t('mail.order', { id: customerOrderId })] },
      { kind: 'text', text: t('mail.regards') },
    ]
    return { subject, preview: subject, blocks }
  },
  example: ({ market }) => ({
    what: 'done',
    firstName: 'Ada',
    token: 'example',
    titles: new Map([['1', 'Cordless drill 18 V']]),
    refund: exampleOf(market),
  }),
})

/** For the operator, who writes one language: the provider refused or returned a refund for a reason that no other account mends. */
export const failedRefundMail = mailTemplate<{
  refund: Pick<Refund, 'number' | 'customerOrderId' | 'sellerOrderId' | 'amount' | 'setOff'>
  reason: string
}>('refund-failed', {
  content: ({ refund, reason }, { market }) => {
    const { number, customerOrderId, sellerOrderId } = refund
    const lines = [`order ${customerOrderId}`, `part ${sellerOrderId}`, showMoney(market, owedOf(refund)).formatted, reason]
    return { subject: `[${market}] refund ${number} waits for your decision`, preview: reason, blocks: [{ kind: 'quiet', lines }] }
  },
  example: ({ market }) => ({ refund: exampleOf(market), reason: 'charge_for_pending_refund_disputed' }),
})

const courses: Record<Chargeback['state'], string> = {
  open: "the buyer's bank takes it back",
  won: 'the bank has decided for us',
  lost: 'the bank has decided for the buyer',
}

/** For the operator: the evidence goes to the provider, and somebody has to bear what was lost. */
export const chargebackMail = mailTemplate<Pick<Chargeback, 'customerOrderId' | 'reference' | 'amount' | 'reason' | 'state'>>(
  'chargeback',
  {
    content: ({ customerOrderId, reference, amount, reason, state }, { market }) => ({
      subject: `[${market}] payment of order ${customerOrderId}: ${courses[state]}`,
      preview: reason,
      blocks: [{ kind: 'quiet', lines: [`dispute ${reference}`, showMoney(market, amount).formatted, reason] }],
    }),
    example: ({ market }) => {
      const { customerOrderId, amount } = exampleOf(market)
      return { customerOrderId, amount, reference: 'dp_1', reason: 'fraudulent', state: 'open' }
    },
  },
)

/** Previewed at /dev/mails. */
export const mails = [refundMail, failedRefundMail, chargebackMail]
