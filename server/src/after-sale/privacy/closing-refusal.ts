import { companiesClosingWith, companiesLosingAdmin, companyIdOf, companyOf, readMemberships } from '#accounts'
import { companiesOwingInvoices } from '#credit'
import { isUnderWay, readOrdersOf, readOrdersOfCompanies, type CustomerOrder } from '#orders'
import type { Db, Scope } from '#platform'
import { openClaims, type OpenClaim, type OrderPart } from './unfinished.ts'

/** A company that a refusal is about. */
export interface RefusingCompany {
  name: string
  /** The customer acts for it, or would on the professional storefront. */
  isCurrent: boolean
}

/** Reasons for which an order, return, dispute or refund has to end first. */
type Open = 'orders-under-way' | OpenClaim['reason']

export type ClosingRefusal = { ok: false; waitsFor?: OrderPart } & (
  | { reason: Open | 'email-differs' | 'sign-in-again'; company?: never }
  | { reason: Open | 'last-admin' | 'invoices-unpaid'; company: RefusingCompany }
)

/**
 * The reason why a customer's account is not closed yet; undefined if it may be closed. Until the transaction ends, the companies of the
 * customer are locked: their members stay as they are.
 */
export async function closingRefusal(scope: Scope, customerId: string): Promise<ClosingRefusal | undefined> {
  const { db } = scope
  const closing = await companiesClosingWith(db, customerId)
  const companies = await companiesOf(scope, customerId)
  // Beyond the number of companies that are read, the refusal goes without the name.
  const named = (id: string) => companies.get(id) ?? { name: '–', isCurrent: false }
  // The others cannot make one of them an admin, nor leave without being asked for what the company owes.
  const [losing] = await companiesLosingAdmin(db, customerId)
  if (losing !== undefined) return { ok: false, reason: 'last-admin', company: named(losing) }
  // A company's orders are not to be seen any more by those who have left it; these are erased when they are done.
  const orders = (await readOrdersOf(db, `c:${customerId}`)).filter(({ companyId }) => companyId === null || companies.has(companyId))
  // The company's last member: after them, nobody can send back its goods or name an account for its refunds.
  const found = (await openAmong(db, orders)) ?? (await openAmong(db, await readOrdersOfCompanies(db, closing)))
  if (found) {
    const { order, ...open } = found
    return { ok: false, ...open, ...(order.companyId !== null && { company: named(order.companyId) }) }
  }
  const [owing] = await companiesOwingInvoices(db, closing)
  return owing === undefined ? undefined : { ok: false, reason: 'invoices-unpaid', company: named(owing) }
}

/** The companies of the customer by id. */
async function companiesOf(scope: Scope, customerId: string): Promise<Map<string, RefusingCompany>> {
  const current = companyOf(scope) ?? (await companyIdOf(scope.db, customerId))
  const memberships = await readMemberships(scope.db, customerId)
  return new Map(memberships.map(({ id, name }) => [id, { name, isCurrent: id === current }]))
}

/** What of these orders keeps an account open. */
async function openAmong(
  db: Db,
  orders: readonly CustomerOrder[],
): Promise<OpenClaim | { reason: 'orders-under-way'; order: CustomerOrder } | undefined> {
  const order = orders.find(({ state }) => isUnderWay(state))
  return order ? { reason: 'orders-under-way', order } : (await openClaims(db, orders))[0]
}
