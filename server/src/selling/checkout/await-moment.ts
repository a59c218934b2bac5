import { setTimeout as sleep } from 'node:timers/promises'
import { readStandings, type Payment, type Standing } from '#payments'
import { isWoken, onWake, type Db } from '#platform'

/** The moments a page waits for after an order is placed. */
export type OrderMoment = 'payable' | 'settled'

/** Below the request timeout, with room for reading the order. */
const maxMs = 3000
/** Polling interval for the orders of all waiting requests, in one query; only a safety net where commits wake us. */
const pollMs = () => (isWoken() ? 250 : 40)
/** Maximum number of waiting requests: each occupies one of the requests a process handles concurrently. */
const maxWaiting = 200
/** Maximum per order: its buyer has a few tabs, not a hundred. */
const maxPerOrder = 10

interface Watch {
  db: Db
  moment: OrderMoment
  /** Whether the order may have moved since this watch was set or last awaited. */
  hasNews: boolean
  wakeUp: () => void
}

/** When orders have moved, as `performance.now()`: the latest thousand. */
const moved = new Map<string, number>()
const maxMoved = 1000

const watches = new Map<string, Set<Watch>>()
let count = 0
let isPolling = false

onWake((wakeUp) => {
  if (wakeUp.topic !== 'order') return
  noteMove(wakeUp.id)
  for (const watch of watches.get(wakeUp.id) ?? []) wakeUpOne(watch)
})

function noteMove(id: string): void {
  moved.delete(id)
  moved.set(id, performance.now())
  const [oldest] = moved.keys()
  if (moved.size > maxMoved && oldest !== undefined) moved.delete(oldest)
}

function wakeUpOne(watch: Watch): void {
  watch.hasNews = true
  watch.wakeUp()
}

/**
 * Reads until the order's payment reaches a moment, for at most three seconds, and returns the last value read. It reads
 * again when the order has moved, for the first time since `since` if `read` has been sent already. It does not wait for orders that `read` may not see, nor beyond the limits above.
 */
export async function readAtMoment<Seen extends { payment: Payment | null }>(
  db: Db,
  customerOrderId: string,
  moment: OrderMoment,
  read: () => Promise<Seen | undefined>,
  { since = Number.POSITIVE_INFINITY, leaveTurn }: { since?: number | undefined; leaveTurn?: (() => void) | undefined } = {},
): Promise<Seen | undefined> {
  // Set before the first read: any later commit wakes this watch.
  const watch: Watch = { db, moment, hasNews: false, wakeUp: () => undefined }
  const all = watches.get(customerOrderId) ?? new Set()
  watches.set(customerOrderId, all.add(watch))
  const until = performance.now() + maxMs
  let isNews = (moved.get(customerOrderId) ?? 0) >= since
  const isCrowded = ++count > maxWaiting || all.size > maxPerOrder
  try {
    for (;;) {
      watch.hasNews = isNews
      isNews = false
      const seen = await read()
      if (!seen || isCrowded || performance.now() >= until || hasCome(moment, standingOf(seen.payment))) return seen
      // One address may wait for several orders in many requests: with a turn each, they would keep everybody else from any. (V-12)
      leaveTurn?.()
      if (!watch.hasNews) await news(watch, until - performance.now())
    }
  } finally {
    count--
    all.delete(watch)
    if (all.size === 0) watches.delete(customerOrderId)
  }
}

function news(watch: Watch, longest: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longest)
    watch.wakeUp = () => {
      clearTimeout(timer)
      resolve()
    }
    if (!isPolling) void poll()
  })
}

/** Wakes requests whose moment arrived without a notification, until none are waiting. */
async function poll(): Promise<void> {
  isPolling = true
  try {
    for (;;) {
      await sleep(pollMs())
      const polled = [...watches.keys()]
      const [first] = [...watches.values()].flatMap((all) => [...all])
      if (!first) return
      const standings = new Map((await readStandings(first.db, polled)).map((standing) => [standing.customerOrderId, standing]))
      for (const id of polled) for (const watch of watches.get(id) ?? []) if (hasCome(watch.moment, standings.get(id))) wakeUpOne(watch)
    }
  } catch {
    // A database outage surfaces at the next read of each waiting request.
    for (const all of watches.values()) for (const watch of all) wakeUpOne(watch)
  } finally {
    isPolling = false
  }
}

const paying: readonly Standing['state'][] = ['initiated', 'action-required', 'failed', 'authorised']

function standingOf(payment: Payment | null): Omit<Standing, 'customerOrderId'> | undefined {
  return payment ? { state: payment.state, hasFrame: payment.frameUrl !== null, isAbandoned: payment.abandoned !== null } : undefined
}

/** Without a payment there is nothing to wait for. */
function hasCome(moment: OrderMoment, standing: Omit<Standing, 'customerOrderId'> | undefined): boolean {
  if (!standing || standing.isAbandoned || !paying.includes(standing.state)) return true
  return moment === 'payable' && (standing.hasFrame || standing.state === 'authorised' || standing.state === 'failed')
}
