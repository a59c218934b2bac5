import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { mailTemplate } from '#mail'
import { formatMoney } from '#pricing'
import type { ChargedVat, SubscriptionPeriod } from './plan.ts'

export interface SubscriptionNews {
  plan: SubscriptionPeriod
  /** Net and gross of a period. Minor units. */
  net: number
  gross: number
  currency: 'EUR' | 'GBP'
  /** Mails queued by earlier releases do not say; they charge VAT. */
  vat?: ChargedVat
  /** Next charge, next attempt or end. */
  at: string
  reason: 'cancelled' | 'unpaid' | 'withdrawn'
}

function amounts({ net, gross, currency }: SubscriptionNews, market: Market) {
  return { net: formatMoney({ amount: net, currency }, market), gross: formatMoney({ amount: gross, currency }, market) }
}

/** The case of the messages. */
const vatWords = { charged: 'other', 'reverse-charge': 'reverse', 'outside-scope': 'outside' } as const

/** Each links to the page on which the subscription is managed. */
const template = (what: 'started' | 'trial-ends' | 'failed' | 'ended') =>
  mailTemplate<SubscriptionNews>(`subscription-${what}`, {
    content: (news, { market, origin }) => {
      const t = wordsFor(market)
      const { plan, at, reason, vat = 'charged' } = news
      const told = {
        plan: plan === 'yearly' ? plan : 'other',
        reason: reason === 'cancelled' ? 'other' : reason,
        at,
        vat: vatWords[vat],
        ...amounts(news, market),
      } as const
      return {
        subject: t(`subscription-mail.${what}.subject`, told),
        preview: t(`subscription-mail.${what}.subject`, told),
        blocks: [
          { kind: 'text', text: t(`subscription-mail.${what}.text`, told) },
          { kind: 'button', label: t('subscription-mail.button'), url: `${origin}/subscription-management` },
        ],
      }
    },
    example: ({ market }) => ({
      plan: 'monthly',
      net: 890,
      gross: 1068,
      currency: markets[market].currency,
      at: '2026-12-22T10:00:00Z',
      reason: 'unpaid',
    }),
  })

export const startedMail = template('started')
export const trialEndsMail = template('trial-ends')
export const failedMail = template('failed')
export const endedMail = template('ended')

/** Shown at /dev/mails. */
export const mails = [startedMail, trialEndsMail, failedMail, endedMail]
