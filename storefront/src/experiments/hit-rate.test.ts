import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { createHtmlCache } from '@purlin/web/html-cache.ts'
import { cached } from '../route-row.ts'
import { routes } from '../routes.ts'

/** As those of the demo: each has half of the visitors. */
const experiment = (campaignId: number, name: string, slots: [number, number]): Experiment => ({
  campaignId,
  name,
  type: 'ab',
  layer: 'pages',
  slots,
  markets: ['gb'],
  modes: ['b2c'],
  segments: [],
  variations: [
    { id: 1, name: 'control', weight: 1 },
    { id: 2, name: 'other', weight: 1 },
  ],
})

/** As a web process is started. */
const shipped = Number(/^PAGE_CACHE_MB=(\d+)$/m.exec(readFileSync(join(import.meta.dirname, '../../../.env.example'), 'utf8'))?.[1])

interface Shop {
  megabytes: number
  experiments: readonly Experiment[]
  /** Share of visitors who agree to statistics; the others see the control. */
  consent: number
}

/** Of 200,000 page views of a shop with 5,000 products, fifty a second, after as many to fill the cache: the popular ones are seen most. */
async function hitRate({ megabytes, experiments, consent }: Shop): Promise<number> {
  let state = 7
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const zipf = (count: number) => Math.floor(count ** random()) - 1
  let time = 0
  const cache = createHtmlCache({ maximumBytes: megabytes * 2 ** 20, now: () => time })
  const { seconds, stale } = cached([]).cache
  const page = { body: Buffer.alloc(14_000), encoding: 'brotli' as const, etag: '', headers: [] }
  const declared = new Map<string, readonly string[]>(routes.map(({ name, experiments: names = [] }) => [name, names]))
  const units = Array.from({ length: 30_000 }, (_, unit) =>
    assignmentsOf(experiments, { unit: String(unit), market: 'gb', mode: 'b2c' })
      .filter(({ variation }) => variation.name === 'other')
      .map((one) => one.experiment.name),
  )
  const views = 200_000
  let served = 0
  for (let view = 0; view < 2 * views; view++) {
    time += 20
    const kind = random()
    const [name, path] = kind < 0.15 ? ['homeB2C', '/'] : kind < 0.6 ? ['product', `/p/${zipf(5_000)}`] : ['category', `/c/${zipf(353)}`]
    const others = (random() < consent && units[Math.floor(random() * units.length)]) || []
    const key = [path, ...others.filter((experimentName) => declared.get(name)?.includes(experimentName))].join(' ')
    // As the page layer does: a spelling for each combination of variations, and a page for those it shows.
    const spelling = [`gb.shop.example${path}`, ...others].join(' ')
    const kept = cache.byAlias(spelling) ?? cache.get(key)
    if (kept && view >= views) served++
    if (!kept) cache.request(key)
    if (kept ? kept.revalidate : cache.admits(key)) {
      await cache.fill(key, async () => ({ result: null, keep: { page, tags: [], seconds, stale } }))
    }
    cache.alias(spelling, key)
  }
  return served / views
}

/** Points that two experiments cost: home pages and product pages each have one, shown to half of the visitors with consent. */
async function costs(megabytes: number, consents: readonly number[]): Promise<{ without: number; points: number[] }> {
  const without = await hitRate({ megabytes, experiments: [], consent: 0 })
  const experiments = [experiment(1, 'home-order', [0, 500]), experiment(2, 'goods-first', [500, 1000])]
  const points: number[] = []
  for (const consent of consents) points.push(100 * (without - (await hitRate({ megabytes, experiments, consent }))))
  return { without, points }
}

const isWithin = (points: readonly number[], limits: readonly number[]) =>
  points.every((each, at) => each > 0.5 && each < (limits[at] ?? Number.NaN))

test('as shipped, two experiments cost less than 2 points of the hit rate where four of ten visitors agree, 2.4 where six do, 2.8 where eight do', async () => {
  const { without, points } = await costs(shipped, [0.4, 0.6, 0.8])
  assert.ok(without > 0.93, `${without}`)
  assert.ok(isWithin(points, [2, 2.4, 2.8]), `${points}`)
})

test('with 64 MB, which hold nearly every page but not its variations, two experiments cost up to 2.1, 2.7 and 3.1 points', async () => {
  const { without, points } = await costs(64, [0.4, 0.6, 0.8])
  assert.ok(without > 0.98, `${without}`)
  assert.ok(isWithin(points, [2.1, 2.7, 3.1]), `${points}`)
})

test('with 96 MB, which also hold most of the variations, two experiments cost less than 1.8 points where eight of ten visitors agree', async () => {
  const { points } = await costs(96, [0.8])
  assert.ok(isWithin(points, [1.8]), `${points}`)
})
