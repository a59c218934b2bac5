import { setTimeout as sleep } from 'node:timers/promises'
import { send, sendOperation } from './client.ts'

const visitors = 4
const pauseMs = 40
const paths = ['/', '/search/drill', '/great-deals', '/cart', '/brands', '/search/paint', '/bs', '/our-advice']
const listing = '{ listing(input: { kind: search, query: "saw", pageSize: 24 }) { total cards { productId title } } }'

/** Times of pages and lists for visitors who do nothing wrong, until stopped; each request comes from another address. */
export function otherUsers(port: number): { stop(): Promise<number[]> } {
  const times: number[] = []
  let over = false
  let turn = 0
  const visit = async (): Promise<void> => {
    for (; !over; await sleep(pauseMs)) {
      const from = `192.0.2.${turn++ % 250}`
      const path = paths[turn % (paths.length + 2)]
      const { ms } = path === undefined ? await sendOperation(port, from, listing) : await send(port, { path, from })
      times.push(ms)
    }
  }
  const visiting = Promise.all(Array.from({ length: visitors }, visit))
  return {
    stop: async () => {
      over = true
      await visiting
      return times
    },
  }
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
