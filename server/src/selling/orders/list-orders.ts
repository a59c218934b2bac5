import { reachOf } from '@purlin/contract/actions.ts'
import { companyOf, ownerOf } from '#accounts'
import type { Scope } from '#platform'
import { showMoney } from '#pricing'
import { readOrderRows } from './list-store.ts'
import type { CustomerOrderState } from './order-states.ts'
import { stateLabel } from './state-words.ts'

export const orderFilters = ['all', 'open', 'delivered', 'cancelled'] as const
export type OrderFilter = (typeof orderFilters)[number]

const groupOf: Record<CustomerOrderState, Exclude<OrderFilter, 'all'> | null> = {
  // A draft is a cart with an address, not an order.
  draft: null,
  'awaiting-payment': 'open',
  authorised: 'open',
  paid: 'open',
  'part-shipped': 'open',
  shipped: 'open',
  delivered: 'delivered',
  closed: 'delivered',
  'part-refunded': 'delivered',
  refunded: 'delivered',
  cancelled: 'cancelled',
}

/** Whether anything is still to be paid, shipped or delivered. */
export function isUnderWay(state: CustomerOrderState): boolean {
  return groupOf[state] === 'open'
}

/** States of the orders a filter lists. */
export function statesOf(filter: OrderFilter): CustomerOrderState[] {
  const groups = Object.entries(groupOf) as [CustomerOrderState, string | null][]
  return groups.filter(([, group]) => group !== null && (filter === 'all' || group === filter)).map(([state]) => state)
}

const pageSize = 10
/** Pages use an offset from the newest order, so page numbers no customer reaches are not looked up. */
const lastPage = 1000

const maxWords = 5
const maxSearchLength = 100

/** The words of a search, in lower case. */
function wordsOf(search: string): string[] {
  const words = search.slice(0, maxSearchLength).toLowerCase().split(/\s+/)
  return [...new Set(words.filter((word) => word !== ''))].slice(0, maxWords)
}

interface Listed {
  page: number
  filter: OrderFilter
  /** By number, product or seller: orders that contain each of its words. */
  search?: string
}

/** The principal's orders, newest first. The query itself excludes everybody else's (A1). */
export async function listOrders(scope: Scope, { page, filter, search = '' }: Listed) {
  const { db, market, principal } = scope
  const asked = Math.min(Math.max(1, page), lastPage)
  const owner = ownerOf(scope)
  if (owner === null) return { orders: [], total: 0, page: asked, pages: 0 }
  const memberOf = companyOf(scope)
  const companyId = reachOf(principal, 'orders.list', market) === 'company' ? memberOf : null
  const which = { owner, companyId, memberOf, market, states: filter === 'all' ? null : statesOf(filter), words: wordsOf(search) }
  const { rows, total } = await readOrderRows(db, which, { limit: pageSize, offset: (asked - 1) * pageSize })
  return {
    orders: rows.map(({ total: amount, promise, ...row }) => ({
      ...row,
      deliveryPromise: promise,
      stateLabel: stateLabel(market, row.state),
      total: showMoney(market, amount),
    })),
    total,
    page: asked,
    pages: Math.ceil(total / pageSize),
  }
}
