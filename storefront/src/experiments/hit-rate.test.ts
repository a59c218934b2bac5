import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { createHtmlCache } from '@purlin/web/html-cache.ts'
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

/** Of 200,000 page views of a shop with 5,000 products, after as many to fill the cache: the popular ones are seen most. */
async function hitRate(experiments: readonly Experiment[]): Promise<number> {
  let state = 7
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const zipf = (count: number) => Math.floor(count ** random()) - 1
  const cache = createHtmlCache({ maximumBytes: shipped * 2 ** 20 })
  const page = { body: Buffer.alloc(14_000), encoding: 'brotli' as const, etag: '', headers: [] }
  const views = 200_000
  let served = 0
  for (let view = 0; view < 2 * views; view++) {
    const kind = random()
    const [name, path] = kind < 0.15 ? ['homeB2C', '/'] : kind < 0.6 ? ['product', `/p/${zipf(5_000)}`] : ['category', `/c/${zipf(353)}`]
    const declared = routes.find((route) => route.name === name)?.experiments ?? []
    // Four of ten visitors agree to statistics; the others see the control.
    const unit = random() < 0.4 ? String(Math.floor(random() * 30_000)) : null
    const given = unit === null ? [] : assignmentsOf(experiments, { unit, market: 'gb', mode: 'b2c' })
    const others = given.filter((one) => one.variation.name === 'other').map((one) => one.experiment.name)
    const key = [path, ...others.filter((experimentName) => declared.includes(experimentName))].join(' ')
    // As the page layer does: a spelling for each combination of variations, and a page for those it shows.
    const spelling = [`gb.shop.example${path}`, ...others].join(' ')
    if (cache.byAlias(spelling) ?? cache.get(key)) {
      if (view >= views) served++
    } else {
      cache.request(key)
      if (cache.admits(key)) await cache.fill(key, async () => ({ result: null, keep: { page, tags: [], seconds: 1e6, stale: 0 } }))
    }
    cache.alias(spelling, key)
  }
  return served / views
}

test('with two experiments running, the cache of pages serves less than two points fewer views', async () => {
  const without = await hitRate([])
  const withTwo = await hitRate([experiment(1, 'home-order', [0, 500]), experiment(2, 'goods-first', [500, 1000])])
  assert.ok(without > 0.9, `${without}`)
  assert.ok(without - withTwo < 0.02, `${without} and ${withTwo}`)
  assert.ok(withTwo < without, 'pages with an experiment have a copy for each variation')
})
