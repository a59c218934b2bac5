import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { keepBuying } from '@purlin/e2e/chaos/buyers.ts'
import { drip } from '@purlin/e2e/chaos/faults.ts'
import { figure, type Figure } from './figures.ts'
import { goodsOf } from './goods.ts'
import { asked, listingDocument, productDocument } from './questions.ts'

interface Peak {
  good: number
  failed: number
  refused: number
}

interface Options {
  origin: string
  /** The shop's first process: the memory of the web processes below it is measured. */
  pid: number | undefined
  databaseUrl: string
  seconds: number
}

/**
 * Goodput, answers with status 200 in a second, of 100, 500 and 2,000 connections that ask as fast as they can, with and without slow
 * clients, while five guests buy (V-12, V-13). Only ratios between loads of one run mean anything.
 */
export async function benchOverload({ origin, pid, databaseUrl, seconds }: Options): Promise<Figure[]> {
  const port = Number(new URL(origin).port)
  const { categories, products } = await goodsOf(origin)
  const requests = [
    ...categories
      .slice(0, 60)
      .map((id, at) => asked(listingDocument, { input: { kind: 'category', id, page: 1 + (at % 3), pageSize: 48 } })),
    ...products.slice(0, 200).map((id) => asked(productDocument, { id })),
  ]
  const measure = async (connections: number): Promise<Peak> => {
    let opened = 0
    const sent = requests.map(({ method, path, headers, body }) => ({ method, path, headers, body }))
    const result = await autocannon({
      url: origin,
      connections,
      duration: seconds,
      timeout: 20,
      requests: sent.slice(0, 1),
      setupClient: (client) => {
        const begin = (opened++ * 7) % sent.length
        client.setRequests([...sent.slice(begin), ...sent.slice(0, begin)])
      },
    })
    const counts = Object.entries(result.statusCodeStats ?? {}).map(([status, { count }]) => [Number(status), count ?? 0] as const)
    const sum = (holds: (status: number) => boolean) => counts.reduce((all, [status, count]) => (holds(status) ? all + count : all), 0)
    return {
      good: sum((status) => status === 200) / result.duration,
      refused: sum((status) => status === 503) / result.duration,
      failed: sum((status) => status >= 500 && status !== 503),
    }
  }
  const withSlow = async (connections: number): Promise<Peak> => {
    const slow = Array.from({ length: connections / 5 }, () => drip(port, seconds * 1000))
    const peak = await measure(connections)
    await Promise.all(slow)
    return peak
  }

  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => undefined)
  let over = false
  const buying = keepBuying({ port, buyers: 5, pool, until: () => over })
  try {
    await measure(100)
    const figures: Figure[] = []
    let failed = 0
    const base = await measure(100)
    for (const [connections, target] of [
      [500, '>= 85'],
      [2000, '>= 75'],
    ] as const)
      for (const [name, run] of [
        ['', measure],
        [', and a fifth as many slow ones', withSlow],
      ] as const) {
        const peak = await run(connections)
        failed += peak.failed
        figures.push(figure(`goodput at ${connections} connections${name}: of that at 100`, (100 * peak.good) / base.good, '%', target))
        figures.push(
          figure(`refused at ${connections} connections${name}: of all answers`, (100 * peak.refused) / (peak.good + peak.refused), '%'),
        )
      }
    await sleep(5000)
    const after = await measure(100)
    over = true
    const { begun, paid, ended } = await buying
    const left = ended.get('left without paying') ?? 0
    return [
      ...figures,
      figure('goodput at 100 connections, five seconds after the peak: of that before', (100 * after.good) / base.good, '%', '>= 85'),
      figure('answers with 500', failed + base.failed + after.failed, 'answers', '<= 0'),
      figure(
        'purchases completed: of those begun, but for buyers who leave',
        (100 * paid.length) / Math.max(1, begun - left),
        '%',
        '>= 99',
      ),
      figure('memory of the largest web process', largestWebProcess(pid), 'MB', '<= 450'),
    ]
  } finally {
    over = true
    await buying.catch(() => undefined)
    await pool.end()
  }
}

/** Resident memory in MB. */
function largestWebProcess(parent: number | undefined): number {
  const list = execFileSync('ps', ['-o', 'ppid=,rss=,args=', '-e'], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  const sizes = list.split('\n').flatMap((line) => {
    const [, ppid, size, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(ppid) === parent && command?.includes('start/app.ts') ? [Number(size) / 1024] : []
  })
  return Math.max(0, ...sizes)
}
