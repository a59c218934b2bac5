import { readCustomersAfter } from '#accounts'
import type { Market } from '@purlin/contract/markets.ts'
import { readConversionStates } from '#companies'
import type { Db, LongContext } from '#platform'
import { readCustomersWithVatNumber } from '#tax'
import {
  audienceGroup,
  b2bIntention,
  buyNumberCluster,
  churnMarks,
  customerValue,
  membership,
  purchaseCluster,
  type Buying,
  type ProRequest,
} from './buying.ts'
import { grantLoyalty } from './grant-loyalty.ts'
import { loyaltyLevel } from './loyalty.ts'
import { readNetPurchases, type NetPurchases } from './net-purchases.ts'
import type { Segments } from './segments.ts'
import { readLastVisits, writeComputed, type ComputedRow } from './store.ts'
import { suspectedProLevel, suspectedProType, tradeQuantity, type ProSignals } from './suspected-pro.ts'

const pageSize = 500
const dayMs = 86_400_000

/** Every computed segment of a customer. */
export function computeSegments(buying: Buying, signals: ProSignals & { request: ProRequest }): Partial<Segments> {
  const level = suspectedProLevel(signals)
  const isSuspected = level === 'high-suspected-pro' || level === 'very-high-suspected-pro'
  return {
    b2b_intention: b2bIntention({ ...signals, isSuspected }),
    b2b_suspected_pro: level,
    suspected_pro_type: suspectedProType(signals),
    cluster: purchaseCluster(buying),
    buy_number_cluster: buyNumberCluster(buying),
    audience_group: audienceGroup(buying),
    loyalty_level: loyaltyLevel(buying),
    loyalty_hvc_level: membership(buying),
    customer_value: customerValue(buying),
    ...churnMarks(buying),
  }
}

/** Computes the segments of all customers, one page at a time; after a crash it resumes at the page it was on. */
export async function computeAll(context: LongContext): Promise<void> {
  let after = typeof context.state === 'string' ? context.state : null
  for (;;) {
    const rows = await computePage(context.db.reports, after, context.now)
    const last = rows.at(-1)
    if (!last) return
    after = last.customerId
    await context.checkpoint(after, async (scope) => {
      await writeComputed(scope.db, rows)
      await grantLoyalty(scope, rows)
    })
  }
}

async function computePage(db: Db, after: string | null, now: Date): Promise<(ComputedRow & { market: Market })[]> {
  const customers = await readCustomersAfter(db, after, pageSize)
  const ids = customers.map(({ id }) => id)
  const owners = ids.map((id) => `c:${id}`)
  const since = new Date(now.getTime() - 365 * dayMs)
  const [visits, purchases, withVatNumber, requests] = await Promise.all([
    readLastVisits(db, ids),
    readNetPurchases(db, owners, { since, tradeQuantity }),
    readCustomersWithVatNumber(db, ids),
    readConversionStates(db, ids),
  ])
  return customers.map(({ id, email, market, isMember, seenAt }) => {
    const bought = purchases.get(`c:${id}`) ?? none
    const lastVisitAt = later(seenAt, visits.get(id) ?? null)
    const buying = { ...bought, lastOrderDays: daysBetween(bought.lastOrderAt, now), lastVisitDays: daysBetween(lastVisitAt, now) }
    return {
      customerId: id,
      market,
      computed: computeSegments(buying, {
        ...bought,
        email,
        isMember,
        request: requests.get(id) ?? null,
        gaveVatNumber: bought.gaveVatNumber || withVatNumber.has(id),
      }),
      lastVisitAt,
    }
  })
}

const none: NetPurchases = {
  paidInYear: 0,
  orderIdsInYear: [],
  orders: 0,
  ordersInYear: 0,
  spentInYear: 0,
  tradeOrdersInYear: 0,
  gaveVatNumber: false,
  gaveCompany: false,
  lastOrderAt: null,
}

function later(one: Date | null, other: Date | null): Date | null {
  return one && other ? (one > other ? one : other) : (one ?? other)
}

function daysBetween(at: Date | null, now: Date): number | null {
  return at && Math.max(0, Math.floor((now.getTime() - at.getTime()) / dayMs))
}
