import pg from 'pg'
import { keepBuying } from '@purlin/e2e/chaos/buyers.ts'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'
import { figure, type Figure } from './figures.ts'
import { goodputOf, mixedRequests } from './goodput.ts'
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

/** Pages in several storefronts, so that page caches fill as well. */
const pagePaths = ['/', '/great-deals', '/brands', '/search/drill', '/search/paint', '/search/saw', '/our-advice', '/bs']
const hostsOfPages = ['gb', 'de', 'fr', 'es', 'it', 'pro.gb', 'pro.de']
/** Growth below this is noise: resident memory moves in pages of the allocator, not of the program. */
const flatMbPerMinute = 2
/** Of each web process, at any time. */
const mostMb = 450

/**
 * The memory of the web processes, while 500 connections ask for listings, products and pages as fast as they can and five guests buy:
 * sampled every five seconds, told for each minute and process. Flat means a slope of the last ten minutes (of the second half of a shorter run) of
 * less than two megabytes a minute. (V-13)
 */
export async function benchLongLoad({ origin, pid, databaseUrl, minutes, connections = 500 }: Options): Promise<Figure[]> {
  const port = new URL(origin).port
  const requests = [...(await mixedRequests(origin, { categories: 400, products: 2000 })), ...pages(port)]
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
  const before = webProcesses(pid)
  let failed = 0
  let broken = 0
  let good = 0
  try {
    for (let minute = 1; minute <= minutes; minute++) {
      const peak = await goodputOf({ origin, requests, connections, seconds: 60 })
      failed += peak.failed
      broken += peak.broken
      good += peak.good / minutes
      const processes = webProcesses(pid)
      minuteByMinute.push(
        figure(`minute ${minute}: goodput`, peak.good, 'responses/s'),
        ...processes.map(({ mb }, at) => figure(`minute ${minute}: memory of web process ${at + 1}`, mb, 'MB', `<= ${mostMb}`)),
      )
      const mb = processes.map((each) => each.mb.toFixed(0))
      process.stderr.write(`minute ${minute}: ${mb.join(', ')} MB; ${peak.good.toFixed(0)} good responses a second\n`)
    }
    over = true
    const { begun, paid, ended: reasons } = await buying
    const from = Math.max(minutes / 2, minutes - 10)
    const left = reasons.get('left without paying') ?? 0
    return [
      ...minuteByMinute,
      figure(`goodput at ${connections} connections for ${minutes} minutes`, good, 'responses/s'),
      figure('answers with 500', failed, 'answers', '<= 0'),
      figure('requests without an answer', broken, 'requests', '<= 0'),
      figure('web processes that ended', ended(before, webProcesses(pid)), 'processes', '<= 0'),
      figure(
        'purchases completed: of those begun, but for buyers who leave',
        (100 * paid.length) / Math.max(1, begun - left),
        '%',
        '>= 99',
      ),
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

function pages(port: string): RequestOptions[] {
  return hostsOfPages.flatMap((host) =>
    pagePaths.map((path) => ({ method: 'GET', path, headers: { host: `${host}.localhost:${port}`, 'accept-encoding': 'br' } })),
  )
}
