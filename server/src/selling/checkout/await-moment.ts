import { setTimeout as sleep } from 'node:timers/promises'
import { readStandings, type Payment, type Standing } from '#payments'
import { isWoken, onWake, type Db } from '#platform'

/** What a page waits for after an order is placed. */
export type OrderMoment = 'payable' | 'settled'

/** Below the time after which a request is given up, with room for reading the order. */
const longestMs = 3000
/** How often the orders of all waiting requests are polled, in one query; where commits wake us, as the net only. */
const pollMs = () => (isWoken() ? 250 : 40)
/** More than these are not kept waiting: each holds one of the requests a process answers at a time. */
const mostWaiting = 200
/** Nor more for one order: its buyer has a few tabs, not a hundred. */
const mostPerOrder = 10

interface Watch {
  db: Db
  moment: OrderMoment
  /** The order may have moved since this watch was set or last waited for. */
  hasNews: boolean
  wakeUp: () => void
}

const watches = new Map<string, Set<Watch>>()
let count = 0
let isPolling = false

onWake((wakeUp) => {
  if (wakeUp.topic === 'order') for (const watch of watches.get(wakeUp.id) ?? []) wakeUpOne(watch)
})

function wakeUpOne(watch: Watch): void {
  watch.hasNews = true
  watch.wakeUp()
}

/**
 * Reads until the payment of what was read has come to a moment, at most for three seconds, and answers what was read last.
 * It reads again when the order has moved. What `read` may not see is not waited for; nor does anybody wait where too many do.
 */
export async function readAtMoment<Seen extends { payment: Payment | null }>(
  db: Db,
  customerOrderId: string,
  moment: OrderMoment,
  read: () => Promise<Seen | undefined>,
): Promise<Seen | undefined> {
  // Set before the first read: what is committed after it wakes this watch.
  const watch: Watch = { db, moment, hasNews: false, wakeUp: () => undefined }
  const all = watches.get(customerOrderId) ?? new Set()
  watches.set(customerOrderId, all.add(watch))
  const until = performance.now() + longestMs
  const isCrowded = ++count > mostWaiting || all.size > mostPerOrder
  try {
    for (;;) {
      watch.hasNews = false
      const seen = await read()
      if (!seen || isCrowded || performance.now() >= until || hasCome(moment, standingOf(seen.payment))) return seen
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

/** Wakes those whose moment has come without a wake-up, until nobody waits. */
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
    // A database that is away shows at the next read of those who wait.
    for (const all of watches.values()) for (const watch of all) wakeUpOne(watch)
  } finally {
    isPolling = false
  }
}

const paying: readonly Standing['state'][] = ['initiated', 'action-required', 'failed', 'authorised']

function standingOf(payment: Payment | null): Omit<Standing, 'customerOrderId'> | undefined {
  return payment ? { state: payment.state, hasFrame: payment.frameUrl !== null, isAbandoned: payment.abandoned !== null } : undefined
}

/** Nothing to wait for, when there is no payment. */
function hasCome(moment: OrderMoment, standing: Omit<Standing, 'customerOrderId'> | undefined): boolean {
  if (!standing || standing.isAbandoned || !paying.includes(standing.state)) return true
  return moment === 'payable' && (standing.hasFrame || standing.state === 'authorised')
}
