import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assignmentsOf, type Experiment } from '@purlin/contract/experiments.ts'
import { cached } from '@purlin/storefront/route-row.ts'
import { routes } from '@purlin/storefront/routes.ts'
import { createHtmlCache } from '@purlin/web/html-cache.ts'
import { demoExperiments } from './demo-experiments.ts'

/** Those of the demo, as they are shipped. */
const shippedExperiments: Experiment[] = demoExperiments.map(({ campaignId, name, definition }) => ({ ...definition, campaignId, name }))

/** As a web process is started. */
const shipped = Number(/^PAGE_CACHE_MB=(\d+)$/m.exec(readFileSync(join(import.meta.dirname, '../.env.example'), 'utf8'))?.[1])

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
      .filter(({ experiment, variation }) => variation.id !== experiment.variations[0]?.id)
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

/** Points that the demo's two experiments cost, at each share of visitors with consent. */
async function costs(megabytes: number, consents: readonly number[]): Promise<{ without: number; points: number[] }> {
  const without = await hitRate({ megabytes, experiments: [], consent: 0 })
  const points: number[] = []
  for (const consent of consents) points.push(100 * (without - (await hitRate({ megabytes, experiments: shippedExperiments, consent }))))
  return { without, points }
}

test('as shipped, the two experiments cost less than 2 points of the hit rate, however many visitors agree', async () => {
  const { without, points } = await costs(shipped, [0.4, 1])
  assert.ok(without > 0.93, `${without}`)
  assert.ok(
    points.every((each) => each > 0.3 && each < 2),
    `${points}`,
  )
})

test('with 64 MB, which hold nearly every page but not its variations, they cost less than 2 points where eight of ten visitors agree', async () => {
  const { without, points } = await costs(64, [0.8])
  assert.ok(without > 0.98, `${without}`)
  assert.ok(
    points.every((each) => each > 0.3 && each < 2),
    `${points}`,
  )
})
