import { markets, type Currency } from '@purlin/contract/markets.ts'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import { formatMoney } from '#pricing'

interface Requested {
  buyer: string
  /** Minor units with VAT. */
  total: number
  note: string | null
  token: string
}

/** The link shows the request; deciding takes a button on its page, so that programs that open links decide nothing. */
export const approvalRequestedMail = mailTemplate<Requested>('approval-requested', {
  content: ({ buyer, total, note, token }, { market, origin }) => {
    const t = wordsFor(market)
    const told = { buyer, total: formatMoney({ amount: total, currency: currencyOf(market) }, market) }
    return {
      subject: t('approval.mail.requested.subject', told),
      preview: t('approval.mail.requested.subject', told),
      blocks: [
        { kind: 'text', text: t('approval.mail.requested.text', told) },
        ...(note === null ? [] : [{ kind: 'quiet' as const, lines: [t('approval.mail.note', { note })] }]),
        { kind: 'button', label: t('approval.mail.requested.button'), url: `${origin}/approval/${token}` },
        { kind: 'quiet', lines: [t('approval.mail.requested.link')] },
      ],
    }
  },
  example: () => ({
    buyer: 'Ada Beam',
    total: 124_950,
    note: 'The roof of the school',
    token: 'the-token-of-the-link',
  }),
})

/** `declined`, `undecided`: by the provider that pays the invoice; `unpaid`: the order's goods are no longer held. */
export type ApprovalOutcome = 'ordered' | 'approved' | 'refused' | 'expired' | 'lapsed' | 'declined' | 'undecided' | 'unpaid'

interface Decided {
  id: string
  outcome: ApprovalOutcome
  total: number
  comment: string | null
  /** Of an approved order: to be placed until then. */
  until: Date | null
}

/** To the buyer. */
export const approvalDecidedMail = mailTemplate<Decided>('approval-decided', {
  content: ({ id, outcome, total, comment, until }, { market, origin }) => {
    const t = wordsFor(market)
    const told = {
      outcome: outcome === 'expired' ? ('other' as const) : outcome,
      total: formatMoney({ amount: total, currency: currencyOf(market) }, market),
    }
    return {
      subject: t('approval.mail.decided.subject', told),
      preview: t('approval.mail.decided.subject', told),
      blocks: [
        { kind: 'text', text: t('approval.mail.decided.text', told) },
        ...(until === null ? [] : [{ kind: 'text' as const, text: t('approval.mail.decided.until', { until }) }]),
        ...(comment === null ? [] : [{ kind: 'quiet' as const, lines: [t('approval.mail.note', { note: comment })] }]),
        { kind: 'button', label: t('approval.mail.decided.button'), url: `${origin}/my-account/approvals/${id}` },
      ],
    }
  },
  example: () => ({ id: 'the-id-of-the-request', outcome: 'ordered', total: 124_950, comment: null, until: null }),
})

interface Unsettled {
  customerOrderId: string
  /** As its purchasing system numbers it. */
  number: string
  total: number
  outcome: 'declined' | 'undecided'
}

/** To the member in whose name a purchasing system has ordered: nobody was at the page of the payment. */
export const systemOrderMail = mailTemplate<Unsettled>('system-order', {
  content: ({ customerOrderId, number, total, outcome }, { market, origin }) => {
    const t = wordsFor(market)
    const told = {
      outcome: outcome === 'declined' ? outcome : ('other' as const),
      number,
      total: formatMoney({ amount: total, currency: currencyOf(market) }, market),
    }
    return {
      subject: t('punch-out.mail.subject', told),
      preview: t('punch-out.mail.subject', told),
      blocks: [
        { kind: 'text', text: t('punch-out.mail.text', told) },
        { kind: 'button', label: t('approval.see-payment'), url: origin + publicUrl('payment', { customerOrderId }) },
      ],
    }
  },
  example: () => ({ customerOrderId: 'P0000000000000001', number: '4500001234', total: 124_950, outcome: 'undecided' }),
})

function currencyOf(market: keyof typeof markets): Currency {
  return markets[market].currency
}

/** Shown at /dev/mails. */
export const mails = [approvalRequestedMail, approvalDecidedMail, systemOrderMail]
