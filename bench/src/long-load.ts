import pg from 'pg'
import { keepBuying } from '@purlin/e2e/chaos/buyers.ts'
import { drip } from '@purlin/e2e/chaos/faults.ts'
import { figure, type Figure } from './figures.ts'
import { alternately, goodputOf, mixedRequests, type Peak } from './goodput.ts'
import { judgePurchases, judgeResponses } from './judge-load.ts'
import { emptiest, manyPages, pageCacheShares } from './page-cache.ts'
import { slopePerMinute } from './slope.ts'
import { ended, webProcesses } from './web-processes.ts'

interface Options {
  origin: string
  /** The shop's first process. */
  pid: number | undefined
  databaseUrl: string
  minutes: number
  connections?: number
}

const hostsOfPages = ['gb', 'de', 'fr', 'es', 'it', 'pro.gb', 'pro.de']
/** Growth below this is noise: resident memory moves in pages of the allocator, not of the program. */
const flatMbPerMinute = 2
/** Between two bytes of a slow client. */
const slowPauseMs = 500
/** Of each web process, at any time. */
const mostMb = 450

/** Pages of all storefronts without any overload, until the page caches are full, or for six minutes at most. */
async function fillPageCaches(origin: string): Promise<void> {
  const requests = await manyPages(origin, hostsOfPages)
  for (let round = 0; round < 24 && emptiest(await pageCacheShares(origin)) < 95; round++)
    await goodputOf({ origin, requests, connections: 16, seconds: 15 })
  process.stderr.write(`page caches are ${emptiest(await pageCacheShares(origin)).toFixed(0)} % full\n`)
}

/**
 * The memory of the web processes, while 500 connections ask for listings, products and all pages of the sitemaps as fast as they can, a
 * hundred more send slowly and five guests buy. The page caches are filled before. Sampled every five seconds, told for each minute and
 * process. Flat means a slope of the last ten minutes (of the second half of a shorter run) of less than two megabytes a minute. (V-13)
 */
export async function benchLongLoad({ origin, pid, databaseUrl, minutes, connections = 500 }: Options): Promise<Figure[]> {
  const port = new URL(origin).port
  const requests = alternately(await mixedRequests(origin, { categories: 400, products: 2000 }), await manyPages(origin, hostsOfPages))
  const samples: { minute: number; mb: number }[] = []
  const minuteByMinute: Figure[] = []
  const startedAt = Date.now()
  const sampling = setInterval(() => {
    samples.push({ minute: (Date.now() - startedAt) / 60_000, mb: Math.max(...webProcesses(pid).map(({ mb }) => mb)) })
  }, 5000)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => undefined)
  let over = false
  const buying = keepBuying({ port: Number(port), buyers: 5, pool, until: () => over, tries: 3 })
  const peaks: Peak[] = []
  let fullest = 0
  const before = webProcesses(pid)
  try {
    await fillPageCaches(origin)
    for (let minute = 1; minute <= minutes; minute++) {
      const slow = Array.from({ length: connections / 5 }, () => drip(Number(port), 60_000, slowPauseMs))
      const peak = await goodputOf({ origin, requests, connections, seconds: 60 })
      await Promise.all(slow)
      peaks.push(peak)
      const cached = emptiest(await pageCacheShares(origin))
      fullest = Math.max(fullest, cached)
      const processes = webProcesses(pid)
      minuteByMinute.push(
        figure(`minute ${minute}: goodput`, peak.good, 'responses/s'),
        ...processes.map(({ mb }, at) => figure(`minute ${minute}: memory of web process ${at + 1}`, mb, 'MB', `<= ${mostMb}`)),
      )
      const mb = processes.map((each) => each.mb.toFixed(0))
      process.stderr.write(
        `minute ${minute}: ${mb.join(', ')} MB, page cache ${cached.toFixed(0)} % full; ${peak.good.toFixed(0)} good responses a second\n`,
      )
    }
    over = true
    const purchases = await buying
    const from = Math.max(minutes / 2, minutes - 10)
    const good = peaks.reduce((sum, peak) => sum + peak.good / minutes, 0)
    return [
      ...minuteByMinute,
      figure(`goodput at ${connections} connections for ${minutes} minutes`, good, 'responses/s'),
      ...judgeResponses(peaks),
      figure('web processes that ended', ended(before, webProcesses(pid)), 'processes', '<= 0'),
      ...judgePurchases(purchases, () => true),
      figure('page cache of the emptiest web process, at its fullest: of PAGE_CACHE_MB', fullest, '%', '>= 90'),
      figure('largest memory of a web process', Math.max(...samples.map(({ mb }) => mb)), 'MB', `<= ${mostMb}`),
      figure('its growth at the end', slopePerMinute(samples.filter(({ minute }) => minute >= from)), 'MB/minute', `<= ${flatMbPerMinute}`),
    ]
  } finally {
    over = true
    clearInterval(sampling)
    await buying.catch(() => undefined)
    await pool.end()
  }
}
