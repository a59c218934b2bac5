import { setTimeout as sleep } from 'node:timers/promises'
import type { Violation } from '../invariants.ts'
import { draftAs, type Draft } from '../faults/buyer.ts'
import { newGuest } from '../faults/shop-process.ts'
import { ask } from '../support/ask.ts'

/** Written beside a net price, which only professionals may see. */
const netPrice = /zzgl\.\s+MwSt\.|excl\.\s+VAT/
const pages = ['/search/drill', '/great-deals', '/']

export interface Watched {
  /** Pages of professionals with a net price: without any, the watch has seen nothing. */
  netPrices: number
  violations: Violation[]
}

/** I7: reads pages of both storefronts in turn while faults are injected; no page for consumers may show a professional's price. */
export async function watchPrices(origin: string, until: () => boolean): Promise<Watched> {
  const { port } = new URL(origin)
  const watched: Watched = { netPrices: 0, violations: [] }
  for (let turn = 0; !until(); turn++) {
    const host = ['pro.de', 'de', 'pro.gb', 'gb'][turn % 4] ?? ''
    const path = pages[Math.floor(turn / 4) % pages.length] ?? '/'
    const headers = { host: `${host}.localhost:${port}`, connection: 'close' }
    // A connection handed to a process just as it was killed gets no answer: cluster's parent keeps it.
    const answer = await Promise.race([ask(origin, { path, headers }).catch(() => null), sleep(10_000, null)])
    const showsNet = answer?.status === 200 && netPrice.test(answer.body.toString())
    if (showsNet && host.startsWith('pro.')) watched.netPrices++
    else if (showsNet) watched.violations.push({ id: 'I7', what: `${host}${path} shows consumers a professional's price` })
    await sleep(100)
  }
  return watched
}

/** I7: the order is its buyer's, under the buyer's address; a stranger with a session of their own does not see it. */
export async function orderLeaks(port: number, made: Draft, email: string, offerId: string): Promise<Violation[]> {
  const query = 'query ($id: ID!) { customerOrder(id: $id) { id email } }'
  const own = (await made.guest.ask(query, { id: made.orderId }))['customerOrder'] as { id: string; email: string } | null
  const leaks: Violation[] = []
  if (own?.id !== made.orderId || own.email !== email)
    leaks.push({ id: 'I7', what: `${email} asked for ${made.orderId} and got ${JSON.stringify(own)}` })
  const stranger = await draftAs(newGuest(port), offerId, `stranger-of-${email}`)
  const foreign = await stranger.guest.ask(query, { id: made.orderId }).catch(() => ({ customerOrder: null }))
  if (foreign['customerOrder'] !== null) leaks.push({ id: 'I7', what: `a stranger sees the order ${made.orderId}` })
  return leaks
}
