import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { countWork } from '@purlin/server/edges/worker/housekeeping.ts'
import { collectProcessMetrics, metrics } from '@purlin/server/foundation/platform/metrics.ts'
import { takeQuota } from '@purlin/server/foundation/platform/quotas.ts'
import { nameRoute } from '@purlin/server/foundation/platform/request-metrics.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { waitingQueues } from '@purlin/server/foundation/platform/waiting-queues.ts'
import type { ShopPage } from '@purlin/storefront/shell/context.ts'
import { testStorefront } from '@purlin/storefront/server/testing.ts'
import { compile, secondsOf, seriesOf, type Sample, type Scrape } from './promql-for-tests.ts'
import { collectMetrics } from './process-metrics.ts'

// The figures come from a gateway with pages in front, from its queues, quotas and database, and from processes of their own; only the
// times at which they are scraped are invented.

collectProcessMetrics()
const database = await testDatabase()
const gateway = await testGateway(database.pool)
after(() => gateway.close())

const page = (load: () => Promise<void>) =>
  ({
    load: async () => {
      await load()
      return { data: null, title: 'a page' }
    },
    Page: () => 'a page',
  }) as unknown as ShopPage
let slowMs = 0
let failure: Error | null = null
const shown = page(async () => {
  if (failure) throw failure
  if (slowMs) await sleep(slowMs)
})
const { storefront } = await testStorefront({
  pages: { './cart/cart-page.tsx': shown, './category/category-page.tsx': shown },
  nameRoute: (response, route) => nameRoute(response, 'page', route),
})
gateway.mount(storefront.tryHandle)
const status = async (path: string) => (await fetch(gateway.url + path)).status

const rules = readFileSync(join(import.meta.dirname, '../deploy/prometheus/alerts.yml'), 'utf8')
  .split('- alert: ')
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expr: /expr: (.*)/.exec(text)?.[1] ?? '',
    forSeconds: secondsOf(/for: (.*)/.exec(text)?.[1] ?? '0s'),
  }))

const scrapeSeconds = 30

/** Scrapes the gateway's metrics before and after each of these steps. */
async function scraped(minutes: number, step: () => Promise<unknown>): Promise<Scrape[]> {
  const scrapes: Scrape[] = []
  for (let at = 0; at <= minutes * 60; at += scrapeSeconds) {
    if (at > 0) await step()
    scrapes.push({ at, text: await (await fetch(`${gateway.url}/metrics`)).text() })
  }
  return scrapes
}

/** The same figures for as long. */
function held(text: string | null, minutes: number): Scrape[] {
  return Array.from({ length: (minutes * 60) / scrapeSeconds + 1 }, (_, index) => ({ at: index * scrapeSeconds, text }))
}

/** Alerts that are pending for long enough to fire in the course of these scrapes. */
function firing(scrapes: readonly Scrape[], only: readonly { name: string; expr: string; forSeconds: number }[] = rules): string[] {
  const series = seriesOf(scrapes)
  return only.flatMap(({ name, expr, forSeconds }) => {
    const evaluate = compile(expr, scrapes, series)
    let since: number | null = null
    const isFiring = scrapes.some(({ at }, index) => {
      const found = evaluate(index)
      const holds = Array.isArray(found) && found.length > 0
      since = holds ? (since ?? at) : null
      return since !== null && at - since >= forSeconds
    })
    return isFiring ? [name] : []
  })
}

/** A web process is ready, as app.ts says once it listens. */
const ready = () => metrics.ready.set(1)
ready()

test('a shop that answers raises no alert', async () => {
  assert.deepEqual(
    firing(
      await scraped(15, async () => {
        assert.deepEqual([await status('/cart'), await status('/drills-11'), await status('/nowhere')], [200, 200, 404])
        assert.equal((await gateway.post('{ site { market } }')).status, 200)
      }),
    ),
    [],
  )
})

test('V-12 pages, calls and files are counted by route and class of status, never by address', async () => {
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const counted = new Set(text.match(/purlin_request_seconds_count\{.*\}/g))
  for (const labels of [
    'kind="page",route="cart",status="2xx"',
    'kind="page",route="category",status="2xx"',
    'kind="page",route="cached",status="2xx"',
    'kind="page",route="none",status="4xx"',
    'kind="api",route="/graphql",status="2xx"',
    'kind="api",route="/metrics",status="2xx"',
  ])
    assert.ok(
      [...counted].some((series) => series.includes(labels)),
      `${labels}\n${[...counted].join('\n')}`,
    )
  assert.doesNotMatch(text, /nowhere|drills-11/)
})

test('R-649 PurlinErrors fires for pages that fail, and names them', async () => {
  failure = new Error('broken')
  const scrapes = await scraped(8, async () => {
    assert.deepEqual([await status('/cart'), await status('/drills-12')], [500, 500])
  })
  failure = null
  assert.deepEqual(firing(scrapes), ['PurlinErrors'])
  const failures = compile('sum by (kind, route) (rate(purlin_request_seconds_count{status="5xx"}[5m])) > 0', scrapes)(scrapes.length - 1)
  assert.deepEqual(
    (failures as Sample[]).map(({ labels }) => labels),
    [
      { kind: 'page', route: 'cart' },
      { kind: 'page', route: 'category' },
    ],
  )
})

test('R-649 PurlinUnavailable fires for pages that are refused with 503, and PurlinErrors does not', async () => {
  failure = Object.assign(new Error('The database is away'), { status: 503 })
  const scrapes = await scraped(8, async () => assert.equal(await status('/cart'), 503))
  failure = null
  assert.deepEqual(firing(scrapes), ['PurlinUnavailable'])
})

test('R-649 PurlinSlow fires for pages that take more than a second', async () => {
  slowMs = 1100
  // However many of them have ended at the first scrape: the figures before them are the first ones.
  await status('/cart')
  const before = await (await fetch(`${gateway.url}/metrics`)).text()
  const slow = Array.from({ length: 40 }, () => status('/cart'))
  let done = 0
  const scrapes = await scraped(14, async () => void (await slow[done++]))
  slowMs = 0
  // All of them end within a moment: the figures are spread over the scrapes as if they had not.
  const last = scrapes.at(-1)?.text ?? ''
  const spread = scrapes.map(({ at }, index) => ({ at, text: between(before, last, index / (scrapes.length - 1)) }))
  assert.deepEqual(firing(spread), ['PurlinSlow'])
})

/** Real queues with one turn, which have measured three times that a turn takes a minute: they refuse at once. */
async function fullQueues() {
  let now = 0
  const queues = waitingQueues({ atOnce: 1, now: () => now })
  // A single long turn would be a pause.
  for (let turns = 0; turns < 3; turns++) {
    const leave = await queues.enter('cart')
    now += 60_000
    leave?.()
  }
  await queues.enter('cart')
  after(() => queues.stop())
  return queues
}

test('R-649 PurlinSheddingCheckout fires while buyers are sent away, and not for a single moment', async () => {
  const queues = await fullQueues()
  let refusals = 0
  const refuse = async () => {
    assert.equal(await queues.enter('checkout'), null)
    refusals++
  }
  assert.deepEqual(firing(await scraped(6, refuse)), ['PurlinSheddingCheckout'])
  let isFirst = true
  const moment = await scraped(10, async () => {
    if (isFirst) for (let n = 0; n < 20; n++) await refuse()
    isFirst = false
  })
  assert.equal(refusals, 32)
  assert.deepEqual(firing(moment), [])
})

test('R-649 PurlinShedding fires when more than a request a second is refused', async () => {
  const queues = await fullQueues()
  const scrapes = await scraped(11, async () => {
    for (let n = 0; n < 40; n++) assert.equal(await queues.enter('listing'), null)
  })
  assert.deepEqual(firing(scrapes), ['PurlinShedding'])
})

test('R-649 PurlinQuota fires when one sender is refused again and again', async () => {
  const suggestions = () => takeQuota('suggestion', { address: '203.0.113.9' })
  for (let n = 0; n < 90; n++) assert.equal((await suggestions()).ok, true)
  const scrapes = await scraped(11, async () => {
    for (let n = 0; n < 200; n++) await suggestions()
  })
  assert.deepEqual(firing(scrapes), ['PurlinQuota'])
  const [refused] = compile('sum by (name) (rate(purlin_requests_refused_total{by="quota"}[5m]))', scrapes)(scrapes.length - 1) as Sample[]
  assert.deepEqual(refused?.labels, { name: 'suggestion' })
  assert.ok(Math.abs((refused?.value ?? 0) - 200 / scrapeSeconds) < 0.01)
})

test('R-649 PurlinDeadLetters and PurlinWorkDelayed fire for what the worker counts in the database', async () => {
  const write = (events: number, parkedAt: string) =>
    database.pool.query(
      `insert into platform.outbox (id, type, aggregate, payload, parked_at)
       select gen_random_uuid(), 'order.paid', 'o' || n, '{}', ${parkedAt} from generate_series(1, $1::int) n`,
      [events],
    )
  const text = async () => {
    await countWork(database.pool)
    return (await fetch(`${gateway.url}/metrics`)).text()
  }
  await write(1000, 'null')
  assert.deepEqual(firing(held(await text(), 10)), [])
  await write(1, 'null')
  assert.deepEqual(firing(held(await text(), 10)), ['PurlinWorkDelayed'])
  await database.pool.query('delete from platform.outbox')
  await write(1, 'now()')
  assert.deepEqual(firing(held(await text(), 1)), ['PurlinDeadLetters'])
  await database.pool.query('delete from platform.outbox')
  await countWork(database.pool)
})

const children: ChildProcess[] = []
after(() => children.forEach((child) => child.kill('SIGKILL')))

/** A process under a supervisor, with memory and blocking to measure. */
async function processNamed(name: string, burden: Record<string, string> = {}): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'metrics-process-for-tests.ts'), [], {
    env: { ...process.env, PURLIN_ROLE: name, ...burden },
  })
  children.push(child)
  await new Promise((resolve) => child.once('message', resolve))
  return child
}

test('R-649 PurlinMemory and PurlinEventLoop look at each process by itself', async () => {
  const web = await processNamed('web 1', { BALLAST_MB: '64' })
  const worker = await processNamed('worker', { BALLAST_MB: '64', BLOCKING_MS: '700' })
  await sleep(1500)
  const scrapes = held(await collectMetrics([web, worker]), 10)
  const at = (expression: string) =>
    (compile(expression, scrapes)(0) as Sample[]).map(({ labels, value }) => ({
      process: labels['process'],
      value,
    }))
  const lags = at('nodejs_eventloop_lag_p99_seconds{job="purlin"} > 0.5')
  assert.deepEqual(
    lags.map((lag) => lag.process),
    ['worker'],
  )
  const memory = at('process_resident_memory_bytes{job="purlin"}')
  assert.deepEqual(memory.map((each) => each.process).sort(), ['web 1', 'worker'])
  const [most, sum] = [Math.max(...memory.map(({ value }) => value)), memory.reduce((all, { value }) => all + value, 0)]
  assert.ok(most > 64 * 2 ** 20)

  // A limit between the two: a single process is below it, their sum is not.
  const limited = (limit: number) => rules.map((rule) => ({ ...rule, expr: rule.expr.replace('1e9', String(Math.round(limit))) }))
  assert.ok(!firing(held(scrapes[0]?.text ?? '', 15), limited((most + sum) / 2)).includes('PurlinMemory'))
  assert.ok(firing(held(scrapes[0]?.text ?? '', 15), limited(most - 1)).includes('PurlinMemory'))
  assert.ok(firing(scrapes).includes('PurlinEventLoop'))
})

test('a process that does not respond in time leaves a gap and no false failures', async () => {
  failure = new Error('broken')
  for (let n = 0; n < 100; n++) await status('/cart')
  failure = null
  const all = await (await fetch(`${gateway.url}/metrics`)).text()
  const late = all.replace(/^.*process="shop".*$/gm, '')
  const scrapes = held(all, 10).map((scrape, index) => (index === 9 ? { ...scrape, text: late } : scrape))
  assert.deepEqual(firing(scrapes), [])
})

test('R-649 PurlinNoWebProcess fires without a ready web process, and when no process responds at all', async () => {
  const worker = await processNamed('worker')
  assert.deepEqual(firing(held(await collectMetrics([worker]), 3)), ['PurlinNoWebProcess'])
  assert.deepEqual(firing(held(await collectMetrics([]), 3)), ['PurlinNoWebProcess'])
})

test('R-649 PurlinDown fires when nobody answers Prometheus', () => {
  assert.deepEqual(firing(held(null, 3)), ['PurlinDown', 'PurlinNoWebProcess'])
})

test('every expression of the dashboard has figures', async () => {
  const { panels } = JSON.parse(readFileSync(join(import.meta.dirname, '../deploy/grafana/purlin.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  failure = new Error('broken')
  metrics.work.inc({ handler: 'a', outcome: 'done' })
  metrics.workDelay.observe(1)
  const scrapes = await scraped(2, async () => status('/cart'))
  failure = null
  for (const { title, targets } of panels)
    for (const { expr } of targets) assert.ok((compile(expr, scrapes)(scrapes.length - 1) as unknown[]).length > 0, `${title}: ${expr}`)
})

/** The figures between two scrapes, at this share of the way. */
function between(first: string, last: string, share: number): string {
  const known = new Map(first.split('\n').map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
  return last
    .split('\n')
    .map((line) => {
      const [name, value] = [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]
      const before = known.get(name) ?? 0
      return line.startsWith('#') || Number.isNaN(value) ? line : `${name} ${before + (value - before) * share}`
    })
    .join('\n')
}
