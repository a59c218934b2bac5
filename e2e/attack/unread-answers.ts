import { setTimeout as sleep } from 'node:timers/promises'
import { attackFromOutside, startBareServer } from './attack-from-outside.ts'
import type { RunnableAttack } from './attacks.ts'
import { send, type Target } from './client.ts'
import { judgeReaders, type ReadersSeen } from './judge.ts'
import { harm, inWindows } from './other-users.ts'
import { readSlowly, timeUntilCut, type Held } from './read-little.ts'

const windowMs = 25_000
const readers = { silent: 500, pipelining: 250, slow: 250 }
const all = readers.silent + readers.pipelining + readers.slow
/** Each network may have 64 requests under way in each process. */
const networks = 40

/** What anybody may ask for: pages, feeds, sitemaps, data files. */
export const largestPaths: readonly string[] = [
  '/',
  '/brands',
  '/great-deals',
  '/our-advice',
  '/bs',
  '/search/drill',
  '/search/paint',
  '/feeds/google.xml',
  '/sitemap.xml',
  '/sitemaps/products-1.xml',
  '/sitemaps/categories.xml',
  '/llms.txt',
  '/api/seller/v1/openapi.json',
]

/** The largest of them, and those that were not answered. */
async function largest({ port, newAddress }: Target, count: number) {
  const sizes: { path: string; bytes: number }[] = []
  const missing: string[] = []
  for (const path of largestPaths) {
    const { status, text } = await send(port, { path, from: newAddress() })
    if (status === 200) sizes.push({ path, bytes: Buffer.byteLength(text) })
    else missing.push(`${path} answered ${status}`)
  }
  return { asked: sizes.toSorted((one, other) => other.bytes - one.bytes).slice(0, count), missing }
}

export const unreadAnswers: RunnableAttack = {
  ids: 'A67 V-13 V-15',
  name: `${all} connections ask for the largest answers and hardly read them: ${readers.silent} read nothing, ${readers.pipelining} pipeline a hundred requests and read nothing, ${readers.slow} read 5 KB a second`,
  rule: 'no web process takes more than 450 MB; a reader of nothing is closed within 70 s; a phone that reads 5 KB a second gets a whole page meanwhile; no other user is refused, and their p99 is less than a fifth above that beside a bare server that gets the same',
  run: async (target) => {
    const { port, rounds, webMemoryMb, newAddress } = target
    const host = `gb.localhost:${port}`
    const { asked, missing } = await largest(target, 4)
    const from = Array.from({ length: networks }, newAddress)
    const bare = await startBareServer()
    const held: Held[] = []
    const honest: Awaited<ReturnType<typeof readSlowly>>[] = []
    const memory = { before: [] as number[], most: 0, total: 0 }
    const { windows } = await inWindows(port, rounds, windowMs, async (on, until) => {
      const attack = { kind: 'readers', host, paths: asked.map(({ path }) => path), from, ...readers, until } as const
      if (on === 'bare server') return void (await attackFromOutside({ ...attack, port: bare.port }))
      if (memory.before.length === 0) memory.before = webMemoryMb()
      const sampling = setInterval(() => {
        const now = webMemoryMb()
        memory.most = Math.max(memory.most, ...now)
        memory.total = Math.max(memory.total, sum(now))
      }, 1000)
      try {
        const phone = sleep(5000).then(() => readSlowly(port, host, '/', newAddress()))
        held.push((await attackFromOutside({ ...attack, port })).held)
        honest.push(await phone)
      } finally {
        clearInterval(sampling)
      }
    }).finally(bare.stop)
    const cutAfterMs = await timeUntilCut({ port, host, path: '/search/drill', newAddress }, 20, 75_000)
    const others = harm(windows)
    const seen: ReadersSeen = { held, wanted: all, mostMb: memory.most, cutAfterMs, honest }
    const perThousand = ((memory.total - sum(memory.before)) * 1000) / all
    return {
      tried:
        `${rounds} × ${all} connections for ${asked.map(({ path, bytes }) => `${path} (${Math.round(bytes / 1000)} KB)`).join(', ')};` +
        ` ${held.map(({ open }) => open).join(', ')} still open in the end; web processes ${mb(memory.before)} MB before, ${memory.most.toFixed(0)} MB at most,` +
        ` ${perThousand.toFixed(0)} MB in all for a thousand; readers of nothing closed after ${(Math.max(...cutAfterMs) / 1000).toFixed(0)} s;` +
        ` a phone got ${honest.map(({ bytes, ms }) => `${Math.round(bytes / 1000)} KB in ${(ms / 1000).toFixed(0)} s`).join(', ')}; ${others.said}`,
      broken: [...missing, ...judgeReaders(seen), ...others.broken],
    }
  },
}

const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
const mb = (values: readonly number[]) => values.map((each) => each.toFixed(0)).join(' and ')
