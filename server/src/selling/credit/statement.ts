import type { Currency, Market } from '@purlin/contract/markets.ts'
import type { Payee } from '#payments'
import { addDays } from '#pricing'

/** A statement as it was issued; never changed afterwards. Amounts in minor units. */
export interface StatementDocument {
  company: { name: string; vatNumber: string | null; country: string }
  payee: Payee
  lines: StatementLine[]
  /** Announced with the statement; missing before there were mandates, null for a statement to be transferred. */
  debit?: { collectOn: string; reference: string; creditorId: string; ibanEnd: string } | null
}

export interface StatementLine {
  /** Of the claim, which is the invoice's. */
  id: string
  number: string
  customerOrderId: string
  issuedOn: string
  dueOn: string
  amount: number
  credited: number
  repaid: number
}

export interface Statement {
  id: string
  number: string
  companyId: string
  market: Market
  origin: string
  currency: Currency
  /** "2026-11" */
  month: string
  issuedOn: string
  dueOn: string
  reminders: number
  /** The day from which reminders count if it is not the due date: a direct debit has failed. */
  dunnedFrom: string | null
  document: StatementDocument | null
}

export type IssuedStatement = Statement & { document: StatementDocument }

/**
 * The sum of a statement as one debt: late, paid and reminded of as a whole. What was paid beyond an invoice, because its goods came back
 * later, is the provider's to return, and pays no other invoice.
 */
export function owedOf({ dueOn }: Pick<Statement, 'dueOn'>, lines: readonly StatementLine[]) {
  const owed = { amount: 0, credited: 0, repaid: 0, dueOn }
  for (const { amount, credited, repaid } of lines) {
    const paid = Math.min(repaid, amount)
    owed.amount += amount
    owed.repaid += paid
    owed.credited += Math.min(credited, amount - paid)
  }
  return owed
}

/** The month before the one of this day. */
export function monthBefore(day: string): string {
  return addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)
}

/** The first day after a month. */
export function dayAfter(month: string): string {
  return `${addDays(`${month}-28`, 4).slice(0, 7)}-01`
}

/**
 * Thirty days after the end of the month: no invoice is due earlier than by itself, and none later than sixty days after its
 * date, the longest term between companies (2011/7/EU, article 3; in France 45 days from the end of the month).
 */
export function dueDateOf(month: string): string {
  return addDays(dayAfter(month), 29)
}

export const statementNumber = (month: string, serial: number): string => `C-${month}-${serial}`
