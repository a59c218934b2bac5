import assert from 'node:assert/strict'
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

/** Of 100,000 page views of a shop with 5,000 products, after as many to fill the cache: the popular ones are seen most. */
async function hitRate(experiments: readonly Experiment[]): Promise<number> {
  let state = 7
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const zipf = (count: number) => Math.floor(count ** random()) - 1
  const cache = createHtmlCache({ maximumBytes: 64 * 2 ** 20 })
  const page = { body: Buffer.alloc(14_000), encoding: 'brotli' as const, etag: '', headers: [] }
  const views = 100_000
  let before = cache.stats()
  for (let view = 0; view < 2 * views; view++) {
    if (view === views) before = cache.stats()
    const kind = random()
    const [name, path] = kind < 0.15 ? ['homeB2C', '/'] : kind < 0.6 ? ['product', `/p/${zipf(5_000)}`] : ['category', `/c/${zipf(353)}`]
    const declared = routes.find((route) => route.name === name)?.experiments ?? []
    // Four of ten visitors agree to statistics; the others see the control.
    const unit = random() < 0.4 ? String(Math.floor(random() * 30_000)) : null
    const given = unit === null ? [] : assignmentsOf(experiments, { unit, market: 'gb', mode: 'b2c' })
    const seen = given.filter((one) => declared.includes(one.experiment.name) && one.variation.name === 'other')
    const key = [path, ...seen.map((one) => one.experiment.name)].join(' ')
    if (cache.get(key)) continue
    cache.request(key)
    if (cache.admits(key)) await cache.fill(key, async () => ({ result: null, keep: { page, tags: [], seconds: 1e6, stale: 0 } }))
  }
  const { hits, misses } = cache.stats()
  return (hits - before.hits) / (hits - before.hits + misses - before.misses)
}

test('with two experiments running, the cache of pages serves less than two points fewer views', async () => {
  const without = await hitRate([])
  const withTwo = await hitRate([experiment(1, 'home-order', [0, 500]), experiment(2, 'goods-first', [500, 1000])])
  assert.ok(without > 0.9, `${without}`)
  assert.ok(without - withTwo < 0.02, `${without} and ${withTwo}`)
  assert.ok(withTwo < without, 'pages with an experiment have a copy for each variation')
})
