import type { Market } from '@purlin/contract/markets.ts'
import { addDays, localDay } from '#pricing'
import { invoiceMarkets } from './eligibility.ts'

/** The claim on a company for one invoice. */
export interface Owed {
  amount: number
  credited: number
  repaid: number
  /** YYYY-MM-DD; null for an invoice that the provider refused. */
  dueOn: string | null
}
export const claimStates = ['open', 'late', 'paid', 'credited', 'refused'] as const
export type ClaimState = (typeof claimStates)[number]

export const openAmount = ({ amount, credited, repaid }: Omit<Owed, 'dueOn'>): number => Math.max(0, amount - credited - repaid)

/** An invoice is late from the day after it was due. */
export function claimState(owed: Owed, today: string): ClaimState {
  if (owed.dueOn === null) return 'refused'
  if (openAmount(owed) === 0) return owed.repaid > 0 ? 'paid' : 'credited'
  return today > owed.dueOn ? 'late' : 'open'
}

/** Dates by market. */
export type LocalDays = Readonly<Partial<Record<Market, string>>>
/** The date in each market with payment by invoice at an instant. */
export function localDays(at: Date): LocalDays {
  return Object.fromEntries([...invoiceMarkets].map((market) => [market, localDay(market, at)]))
}

/** Days after the due date on which a reminder goes out. */
export const reminderDays = [3, 10, 20] as const

/** The reminder that is due, counted from one: the latest whose day has come, so that a pause never sends two. Zero for none. */
export function dueReminder(owed: Owed & { reminders: number }, today: string): number {
  if (owed.dueOn === null || openAmount(owed) === 0) return 0
  const { dueOn } = owed
  const reached = reminderDays.filter((days) => today >= addDays(dueOn, days)).length
  return reached > owed.reminders ? reached : 0
}
