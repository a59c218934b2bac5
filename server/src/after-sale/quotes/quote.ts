import type { Market } from '@purlin/contract/markets.ts'

export const quoteStates = ['requested', 'answered', 'refused', 'declined', 'withdrawn', 'expired', 'accepted', 'ordered'] as const
export type QuoteState = (typeof quoteStates)[number]

/** Every move of a quote: who makes it, from which states. */
export const moves = {
  answer: { by: 'seller', from: ['requested'], to: 'answered' },
  refuse: { by: 'seller', from: ['requested'], to: 'refused' },
  withdraw: { by: 'buyer', from: ['requested'], to: 'withdrawn' },
  decline: { by: 'buyer', from: ['answered'], to: 'declined' },
  accept: { by: 'buyer', from: ['answered'], to: 'accepted' },
  expire: { by: 'system', from: ['requested', 'answered', 'accepted'], to: 'expired' },
  order: { by: 'system', from: ['accepted', 'expired'], to: 'ordered' },
} as const satisfies Record<string, { by: 'seller' | 'buyer' | 'system'; from: readonly QuoteState[]; to: QuoteState }>
export type QuoteMove = keyof typeof moves

/** A request that nobody answers expires after this time. */
export const answerDays = 7
export const maxLines = 50
export const maxValidDays = 90

/** Amounts in minor units with VAT. */
export interface QuoteLine {
  offerId: string
  title: string
  url: string
  quantity: number
  listPrice: number
  price: number | null
  vatRateBp: number
}

export interface Quote {
  id: string
  number: string
  sellerId: number
  market: Market
  origin: string
  companyId: string
  customerId: string
  email: string
  state: QuoteState
  message: string
  wantedOn: string | null
  createdAt: Date
  answerBy: Date
  validUntil: Date | null
  delivery: number | null
  note: string
  orderId: string | null
  lines: QuoteLine[]
}
