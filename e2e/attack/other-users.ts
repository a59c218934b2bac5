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
export function otherUsers(port: number): { stop(): Promise<Seen> } {
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

/** The harm of an attack to other users, compared with a time of quiet: failed answers, and a p99 that has grown. */
export function harm(before: Seen, during: Seen): { said: string; broken: string[] } {
  const [was, is] = [p99(before.times), p99(during.times)]
  const said = `p99 of ${during.times.length} answers to other users ${is.toFixed(1)} ms, before ${was.toFixed(1)} ms`
  const failed = during.failed.length > 0 ? [`${during.failed.length} failed for other users: ${during.failed.slice(0, 3).join('; ')}`] : []
  return { said, broken: [...failed, ...(isSlower(is, was) || during.times.length === 0 ? [said] : [])] }
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
