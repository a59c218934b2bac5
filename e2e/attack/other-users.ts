import { setTimeout as sleep } from 'node:timers/promises'
import { send, sendOperation } from './client.ts'

const visitors = 4
const pauseMs = 40
const paths = ['/', '/search/drill', '/great-deals', '/cart', '/brands', '/search/paint', '/bs', '/our-advice']
const words = ['drill', 'paint', 'saw', 'screws', 'tap']
const listing = (price: number) =>
  `{ listing(input: { kind: search, query: "saw", pageSize: 24, ranges: [{ key: "price", max: ${price} }] }) { total cards { productId title } } }`

export interface Seen {
  /** Milliseconds of each answer with status 200. */
  times: number[]
  /** Everything else they were answered. */
  failed: string[]
}

/**
 * Visitors who do nothing wrong, until stopped, each request from another address: lists and pages, half of them made for the request,
 * because each names a price of its own that no cache knows.
 */
function otherUsers(port: number): { stop(): Promise<Seen> } {
  const seen: Seen = { times: [], failed: [] }
  let over = false
  let turn = 0
  let price = 1000 + Math.floor(Math.random() * 1_000_000)
  const visit = async (): Promise<void> => {
    for (; !over; await sleep(pauseMs)) {
      const from = `192.0.2.${turn++ % 250}`
      const path =
        turn % 2 === 0
          ? `/search/${words[turn % words.length]}?max%5Bprice%5D=${price++ / 100}`
          : paths[((turn - 1) / 2) % (paths.length + 1)]
      const { status, ms } = path === undefined ? await sendOperation(port, from, listing(price++)) : await send(port, { path, from })
      if (status === 200) seen.times.push(ms)
      else seen.failed.push(`${path ?? 'a list'}: ${status} after ${ms.toFixed(0)} ms`)
    }
  }
  const visiting = Promise.all(Array.from({ length: visitors }, visit))
  return {
    stop: async () => {
      over = true
      await visiting
      return seen
    },
  }
}

/** What other users saw in a window with the attack, and without it in the one that follows. */
export interface Windows {
  quiet: Seen
  attacked: Seen
}

/**
 * Watches other users in attacked and quiet windows by turns. A quiet window lasts as long as the attacked one before it, so that both have
 * the same load of the machine and as many requests for a p99.
 */
export async function inWindows(
  port: number,
  windows: number,
  windowMs: number,
  attack: (until: number) => Promise<unknown>,
): Promise<Windows[]> {
  const seen: Windows[] = []
  const watch = async (work: () => Promise<unknown>) => {
    const users = otherUsers(port)
    await work()
    return users.stop()
  }
  for (let at = 0; at < windows; at++) {
    const startedAt = Date.now()
    const attacked = await watch(() => attack(startedAt + windowMs))
    const lasted = Date.now() - startedAt
    const quiet = await watch(() => sleep(lasted))
    seen.push({ quiet, attacked })
  }
  return seen
}

/** The harm of an attack to other users: failed answers, and a p99 that has grown in the median of the pairs of windows. */
export function harm(windows: readonly Windows[]): { said: string; broken: string[] } {
  const pairs = windows.map(({ quiet, attacked }) => ({ was: p99(quiet.times), is: p99(attacked.times) }))
  const was = median(pairs.map((pair) => pair.was))
  // The load of the machine changes from minute to minute: each window is compared with its neighbour.
  const is = was * median(pairs.map((pair) => pair.is / pair.was))
  const answers = windows.reduce((sum, { attacked }) => sum + attacked.times.length, 0)
  const said =
    `p99 of ${answers} answers to other users ${is.toFixed(1)} ms, without the attack ${was.toFixed(1)} ms` +
    ` (${pairs.map((pair) => `${pair.was.toFixed(0)} → ${pair.is.toFixed(0)}`).join(', ')})`
  const failures = windows.flatMap(({ attacked }) => attacked.failed)
  const failed = failures.length > 0 ? [`${failures.length} failed for other users: ${failures.slice(0, 3).join('; ')}`] : []
  const isSilent = windows.length === 0 || windows.some(({ quiet, attacked }) => quiet.times.length === 0 || attacked.times.length === 0)
  return { said, broken: [...failed, ...(isSilent || isSlower(is, was) ? [said] : [])] }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The time that one request in a hundred exceeds. */
export function p99(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0
}

/** A difference that the clock and the scheduler of the system make by themselves. */
const noiseMs = 3

/** Whether a p99 has grown by a fifth or more. */
export function isSlower(during: number, before: number): boolean {
  return during >= 1.2 * before && during - before > noiseMs
}
