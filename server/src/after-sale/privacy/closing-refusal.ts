import { companiesClosingWith, companiesLosingAdmin, companyIdOf, companyOf, readMemberships } from '#accounts'
import { owesInvoices } from '#credit'
import { isUnderWay, readOrdersOf, readOrdersOfCompanies, type CustomerOrder } from '#orders'
import type { Db, Scope } from '#platform'
import { findOpenRefunds } from '#refunds'
import { openClaims, type OrderPart } from './unfinished.ts'

/** A company that a refusal is about. */
export interface RefusingCompany {
  name: string
  /** The customer acts for it, or would on the professional storefront. */
  isCurrent: boolean
}

export type ClosingRefusal = { ok: false } & (
  | { reason: 'orders-under-way' | 'refund-under-way' | 'invoices-unpaid' }
  | { reason: 'return-under-way' | 'dispute-open'; waitsFor: OrderPart }
  | { reason: 'last-admin'; company: RefusingCompany }
)

/**
 * The reason why a customer's account is not closed yet; undefined if it may be closed. Until the transaction ends, the companies of the
 * customer are locked: their members stay as they are.
 */
export async function closingRefusal(scope: Scope, customerId: string): Promise<ClosingRefusal | undefined> {
  const { db } = scope
  const closing = await companiesClosingWith(db, customerId)
  const memberships = await readMemberships(db, customerId)
  // The others cannot make one of them an admin, nor leave without being asked for what the company owes.
  const [without] = await companiesLosingAdmin(db, customerId)
  if (without !== undefined) return { ok: false, reason: 'last-admin', company: await companyIn(scope, customerId, without, memberships) }
  // A company's orders are not to be seen any more by those who have left it; these are erased when they are done.
  const companies = new Set(memberships.map(({ id }) => id))
  const orders = (await readOrdersOf(db, `c:${customerId}`)).filter(({ companyId }) => companyId === null || companies.has(companyId))
  // Nobody else is left to send back goods of the company, or to name an account for its refunds.
  const refused = (await refusalOf(db, orders)) ?? (await refusalOf(db, await readOrdersOfCompanies(db, closing)))
  if (refused) return refused
  return (await owesInvoices(db, closing)) ? { ok: false, reason: 'invoices-unpaid' } : undefined
}

async function companyIn(
  scope: Scope,
  customerId: string,
  id: string,
  memberships: readonly { id: string; name: string }[],
): Promise<RefusingCompany> {
  const current = companyOf(scope) ?? (await companyIdOf(scope.db, customerId))
  return { name: memberships.find((each) => each.id === id)?.name ?? '', isCurrent: current === id }
}

/** The reason why an account is not closed because of these orders. */
async function refusalOf(db: Db, orders: readonly CustomerOrder[]): Promise<ClosingRefusal | undefined> {
  if (orders.some(({ state }) => isUnderWay(state))) return { ok: false, reason: 'orders-under-way' }
  const [claim] = await openClaims(db, orders)
  if (claim) return { ok: false, ...claim }
  // Only the customer may name an account for money that the card does not take.
  const orderIds = orders.map(({ id }) => id)
  return (await findOpenRefunds(db, orderIds)).size > 0 ? { ok: false, reason: 'refund-under-way' } : undefined
}
