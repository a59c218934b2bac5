import { markets, type Market } from '@purlin/contract/markets.ts'
import { addDays, isWorkingDay } from '#pricing'
import { invoiceMarkets } from './eligibility.ts'

export type MandateState = 'pending' | 'active' | 'ended'

/** A SEPA direct-debit mandate of a company for its monthly statements. */
export interface Mandate {
  id: string
  companyId: string
  market: Market
  origin: string
  /** Its unique reference. */
  reference: string
  creditorName: string
  creditorId: string
  state: MandateState
  /** `revoked`, `rejected` or the code of the bank that ended it. */
  endedBy: string | null
  endedAt: Date | null
  holder: string
  ibanEnd: string
  signedAt: Date
}

/** Version of the text that is agreed to (`mandate.text` and `mandate.rights`): changed with it. */
export const mandateText = '2026-11'

/** Days between the notice of a direct debit, which is the mail of its statement, and its collection. */
export const noticeDays = 14

/** Days in which a company transfers what was to be collected before reminders count. */
export const graceDays = 7

/** Direct debits exist in euros; the United Kingdom's Bacs scheme has another mandate, which is not offered. */
export function hasDirectDebit(market: Market): boolean {
  return invoiceMarkets.has(market) && markets[market].currency === 'EUR'
}

/** The day of collection: when the statement is due, never before the notice has passed, on a day on which banks settle. */
export function collectionDay(market: Market, dueOn: string, announcedOn: string): string {
  const least = addDays(announcedOn, noticeDays)
  let day = dueOn > least ? dueOn : least
  // Germany's public holidays include all days on which the settlement system of the euro is closed.
  while (!isWorkingDay('de', day) || !isWorkingDay(market, day)) day = addDays(day, 1)
  return day
}

/** Codes of a return after which no further debit can succeed: account incorrect, closed or blocked, no mandate, holder deceased. */
const finalReturns: ReadonlySet<string> = new Set(['AC01', 'AC04', 'AC06', 'MD01', 'MD07'])

export const endsMandate = (code: string | null): code is string => code !== null && finalReturns.has(code)
