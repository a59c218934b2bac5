import type { Currency, Market } from '@purlin/contract/markets.ts'

export const payoutStates = ['carried', 'requested', 'sent', 'paid', 'failed', 'returned'] as const
export type PayoutState = (typeof payoutStates)[number]

/** From state to state; a payout that has failed or come back is over: its money is in the balance again. */
export const payoutSteps: Record<PayoutState, readonly PayoutState[]> = {
  carried: [],
  requested: ['sent', 'paid', 'failed'],
  sent: ['paid', 'failed', 'returned'],
  paid: ['returned'],
  failed: [],
  returned: [],
}

export type CarryReason = 'negative' | 'below-minimum' | 'no-account' | 'account-changed'

/** A payout, or the balance a run carried forward. Minor units; what is owed to the seller counts positive. */
export interface Payout {
  id: string
  number: string
  runId: string
  sellerId: number
  currency: Currency
  /** opening + settled = amount + closing */
  opening: number
  settled: number
  amount: number
  closing: number
  state: PayoutState
  carryReason: CarryReason | null
  failureCode: string | null
  bankEnd: string | null
  providerReference: string | null
  pdfFile: string | null
  csvFile: string | null
  createdAt: Date
  endedAt: Date | null
}

export interface PayoutLine {
  sellerOrderId: string
  customerOrderId: string
  market: Market
  sold: number
  commission: number
  commissionVat: number
  /** VAT for which the marketplace accounts instead of the seller. */
  withheldVat: number
  /** Refunds, less the commission on them and the VAT withheld of them. */
  refunded: number
  amount: number
}

/** Less is carried forward: a transfer costs money too. Minor units. */
export const minimumPayout: Record<Currency, number> = { EUR: 1_000, GBP: 1_000 }
/** More is paid in parts: an entry of the ledger holds no larger amount. */
const maxPayout = 2_000_000_000

/** What is paid of the amount owed to a seller, or the reason to carry it forward. */
export function payoutOf(
  owed: number,
  currency: Currency,
  bank: { usableFrom: Date } | null,
  now: Date,
): { amount: number; carryReason: CarryReason | null } {
  if (owed <= 0) return { amount: 0, carryReason: 'negative' }
  if (owed < minimumPayout[currency]) return { amount: 0, carryReason: 'below-minimum' }
  if (!bank) return { amount: 0, carryReason: 'no-account' }
  if (bank.usableFrom > now) return { amount: 0, carryReason: 'account-changed' }
  return { amount: Math.min(owed, maxPayout), carryReason: null }
}
