import { setTimeout as sleep } from 'node:timers/promises'
import { send, sendListing } from './client.ts'

const visitors = 4
const pauseMs = 40
const paths: readonly string[] = ['/', '/search/drill', '/great-deals', '/cart', '/brands', '/search/paint', '/bs', '/our-advice']
const words = ['drill', 'paint', 'saw', 'screws', 'tap']
/** Pages that other users read. */
export const visitedPaths: readonly string[] = [...paths, ...words.map((word) => `/search/${word}`)]
const listing = (price: number) => ({ kind: 'search', query: 'saw', pageSize: 24, ranges: [{ key: 'price', max: price }] })

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
      const { status, ms } = path === undefined ? await sendListing(port, from, listing(price++)) : await send(port, { path, from })
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

const warmingWindows = 2

/** Response times of other users in three windows: during the attack, during the same traffic to a bare server on the machine, and without either. */
export interface Windows {
  attacked: Seen
  bare: Seen
  quiet: Seen
}

/**
 * Watches other users in three windows by turns. The last two last as long as the first, so that all have the same load of the machine and
 * as many requests for a p99. What the attacker computes and sends takes processors from everybody: the bare server tells it apart.
 * Before, other users have the shop to themselves: one in production is warm, and one that has just started is slower for whoever comes
 * first. Their p99 in these windows is told as well.
 */
export async function inWindows(
  port: number,
  windows: number,
  windowMs: number,
  attack: (on: 'shop' | 'bare server', until: number) => Promise<unknown>,
): Promise<{ windows: Windows[]; warming: number[] }> {
  const seen: Windows[] = []
  const watch = async (work: () => Promise<unknown>) => {
    const users = otherUsers(port)
    await work()
    return users.stop()
  }
  const warming: number[] = []
  for (let at = 0; at < warmingWindows; at++) warming.push(p99((await watch(() => sleep(windowMs))).times))
  for (let at = 0; at < windows; at++) {
    const startedAt = Date.now()
    const attacked = await watch(() => attack('shop', startedAt + windowMs))
    const lasted = Date.now() - startedAt
    const bare = await watch(() => attack('bare server', Date.now() + lasted))
    const quiet = await watch(() => sleep(lasted))
    seen.push({ attacked, bare, quiet })
  }
  return { windows: seen, warming }
}

/**
 * The harm of an attack to other users: failed answers, and a p99 that is higher than beside a bare server that gets the same bytes, in the
 * median of the rounds. How it compares with nothing at all is told as well.
 */
export function harm(windows: readonly Windows[]): { said: string; broken: string[] } {
  const rounds = windows.map(({ attacked, bare, quiet }) => ({ is: p99(attacked.times), bare: p99(bare.times), quiet: p99(quiet.times) }))
  // The load of the machine changes from minute to minute: each window is compared with its neighbours.
  const beside = median(rounds.map(({ bare }) => bare))
  const is = beside * median(rounds.map((each) => each.is / each.bare))
  const ofQuiet = (by: 'is' | 'bare') => median(rounds.map((each) => each[by] / each.quiet)).toFixed(2)
  const answers = windows.reduce((sum, { attacked }) => sum + attacked.times.length, 0)
  const said =
    `p99 of ${answers} answers to other users ${is.toFixed(1)} ms, beside a bare server that gets the same ${beside.toFixed(1)} ms:` +
    ` ${(is / beside).toFixed(2)} of it; of that without either ${ofQuiet('is')} and ${ofQuiet('bare')}` +
    ` (quiet, bare, shop: ${rounds.map((each) => `${each.quiet.toFixed(0)}, ${each.bare.toFixed(0)}, ${each.is.toFixed(0)}`).join('; ')})`
  const failures = windows.flatMap(({ attacked }) => attacked.failed)
  const failed = failures.length > 0 ? [`${failures.length} failed for other users: ${failures.slice(0, 3).join('; ')}`] : []
  const isSilent = windows.length === 0 || windows.some((each) => Object.values(each).some(({ times }: Seen) => times.length === 0))
  return { said, broken: [...failed, ...(isSilent || isSlower(is, beside) ? [said] : [])] }
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
