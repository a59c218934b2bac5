import { readStandings, type Standing } from '#payments'
import type { Db } from '#platform'

/** What a page waits for after an order is placed. */
export type OrderMoment = 'payable' | 'settled'

/** Below the time after which a request is given up, with room for reading the order. */
const longestMs = 3000
/** How often those who wait are looked for: all of a process in one question. */
const lookMs = 40
/** More than these are not kept waiting: each holds one of the requests a process answers at a time. */
const mostWaiting = 200

interface Waiting {
  moment: OrderMoment
  until: number
  end: () => void
}

const waiting = new Map<string, Set<Waiting>>()
let count = 0
let isLooking = false

/**
 * Resolves when the payment of an order has come to a moment, or after three seconds, or at once when too many wait.
 * Who may see the order is the caller's question. Never rejects: a database that is away shows at the caller's next statement.
 */
export function awaitMoment(db: Db, customerOrderId: string, moment: OrderMoment): Promise<void> {
  if (count >= mostWaiting) return Promise.resolve()
  return new Promise((resolve) => {
    const all = waiting.get(customerOrderId) ?? new Set()
    const one: Waiting = {
      moment,
      until: performance.now() + longestMs,
      end: () => {
        if (!all.delete(one)) return
        count--
        if (all.size === 0) waiting.delete(customerOrderId)
        resolve()
      },
    }
    waiting.set(customerOrderId, all.add(one))
    count++
    if (!isLooking) void look(db)
  })
}

/** Looks for everybody until nobody waits. */
async function look(db: Db): Promise<void> {
  isLooking = true
  try {
    while (waiting.size > 0) {
      // Who comes while the question is under way is looked for with the next.
      const asked = [...waiting.keys()]
      const standings = new Map((await readStandings(db, asked)).map((standing) => [standing.customerOrderId, standing]))
      const now = performance.now()
      for (const id of asked)
        for (const one of waiting.get(id) ?? []) if (hasCome(one.moment, standings.get(id)) || now >= one.until) one.end()
      if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  } catch {
    for (const all of waiting.values()) for (const one of all) one.end()
  } finally {
    isLooking = false
  }
}

const paying: readonly Standing['state'][] = ['initiated', 'action-required', 'failed', 'authorised']

/** Nothing to wait for, when there is no payment. */
function hasCome(moment: OrderMoment, standing: Standing | undefined): boolean {
  if (!standing || standing.isAbandoned || !paying.includes(standing.state)) return true
  return moment === 'payable' && (standing.hasFrame || standing.state === 'authorised')
}
