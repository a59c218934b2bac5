import { setTimeout as sleep } from 'node:timers/promises'
import { readStandings, type Standing } from '#payments'
import { isWoken, onWake, type Db } from '#platform'

/** What a page waits for after an order is placed. */
export type OrderMoment = 'payable' | 'settled'

/** Below the time after which a request is given up, with room for reading the order. */
const longestMs = 3000
/** How often those who wait are looked for, all of a process in one query; where commits wake us, as the net only. */
const lookMs = () => (isWoken() ? 250 : 40)
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
/** Orders to look for now: somebody waits for them and was not looked for yet, or they have moved. */
const stirred = new Set<string>()
let news = Promise.withResolvers<void>()

function stir(id: string): void {
  if (!waiting.has(id)) return
  stirred.add(id)
  news.resolve()
}
onWake((wakeUp) => wakeUp.topic === 'order' && stir(wakeUp.id))

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
    stir(customerOrderId)
    if (!isLooking) void look(db)
  })
}

/** Looks for everybody until nobody waits. */
async function look(db: Db): Promise<void> {
  isLooking = true
  try {
    let everybody = performance.now() + lookMs()
    while (waiting.size > 0) {
      // Requests that arrive while the query runs are served by the next one.
      const isDue = performance.now() >= everybody
      const asked = isDue ? [...waiting.keys()] : [...stirred]
      if (isDue) everybody = performance.now() + lookMs()
      stirred.clear()
      news = Promise.withResolvers()
      const found = asked.length > 0 ? await readStandings(db, asked) : []
      const standings = new Map(found.map((standing) => [standing.customerOrderId, standing]))
      const now = performance.now()
      for (const id of asked)
        for (const one of waiting.get(id) ?? []) if (hasCome(one.moment, standings.get(id)) || now >= one.until) one.end()
      if (waiting.size > 0) await Promise.race([news.promise, sleep(Math.max(0, everybody - performance.now()))])
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
