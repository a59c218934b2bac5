import { marketCodes } from '@purlin/contract/markets.ts'
import { adjustPopularity, readMarketOffers, readProductPage, reference, type Product } from '#catalogue'
import { readViewedByDay } from '#insights'
import { readBaskets } from '#orders'
import { enqueue, every, job, purgePages, readNote, writeNote, type Db } from '#platform'
import { learn } from './learn.ts'
import type { Learnable } from './model.ts'
import { recommendationsTag } from './recommend.ts'
import { writeModel } from './store.ts'

const hourMs = 3_600_000
/** When it is quiet in all five markets, after the segments. */
const hourOfNight = 3
const learnedDays = 365
const pageSize = 500

/** Learns all markets anew. A model replaces the one before it at once. */
export const jobs = [
  job<{ key: string }>('recommendations.learn', {
    run: async (context) => {
      const now = new Date()
      const { categories } = await reference({ db: context.db })
      const ancestors = (categoryId: number) => categories.byId.get(categoryId)?.path ?? []
      const goods = await allGoods(context.db)
      for (const [at, market] of marketCodes.entries()) {
        const baskets = await readBaskets(context.db.reports, market, new Date(now.getTime() - learnedDays * 24 * hourMs))
        const offered = await offeredIn(context.db, market, goods)
        const model = learn(baskets, offered, ancestors, await readViewedByDay(context.db.reports, market))
        await context.checkpoint(market, async ({ db }) => {
          await writeModel(db, market, model, now)
          await purgePages(db, [recommendationsTag])
        })
        context.progress(at + 1, marketCodes.length)
      }
    },
  }),
]

async function allGoods(db: Db): Promise<Learnable[]> {
  const goods: Learnable[] = []
  for (let after = '0'; ;) {
    const page: Product[] = await readProductPage(db, after, pageSize)
    for (const { id, family, brandId, categoryId, attributes, popularity, status } of page)
      if (status === 'active') goods.push({ id, family, brandId, categoryId, attributes, popularity })
    const last = page.at(-1)
    if (!last || page.length < pageSize) return goods
    after = last.id
  }
}

async function offeredIn(db: Db, market: (typeof marketCodes)[number], goods: readonly Learnable[]): Promise<Learnable[]> {
  const offered: Learnable[] = []
  for (let at = 0; at < goods.length; at += pageSize) {
    const page = goods.slice(at, at + pageSize)
    const offers = await readMarketOffers(
      db,
      page.map(({ id }) => id),
      market,
    )
    offered.push(...page.filter(({ id }) => (offers.get(id)?.length ?? 0) > 0))
  }
  return offered
}

/** Weight that one order adds to the popularity of each of its products. */
const orderWeight = 20
const salesNote = 'popularity-counted-until'

export const schedules = [
  // Orders of our own records weigh, and no event about them: an event can be invented.
  every(hourMs, 'recommendations.count-sales', async ({ db, emit, now }) => {
    const since = (await readNote<string>(db, salesNote)) ?? now.toISOString()
    await writeNote(db, salesNote, now.toISOString())
    const weights = new Map<string, number>()
    for (const market of marketCodes)
      for (const basket of await readBaskets(db, market, new Date(since)))
        for (const productId of new Set(basket)) weights.set(productId, (weights.get(productId) ?? 0) + orderWeight)
    await adjustPopularity(
      { db, emit },
      [...weights].map(([productId, weight]) => ({ productId, weight })),
    )
  }),
  every(12 * hourMs, 'recommendations.plan-night', async ({ db, now }) => {
    const night = new Date(now)
    night.setUTCHours(hourOfNight, 0, 0, 0)
    if (night <= now) night.setUTCDate(night.getUTCDate() + 1)
    await enqueue(db, { name: 'recommendations.learn', key: 'all', payload: { key: 'all' }, runAt: night })
    // A new shop does not wait for its first night.
    if (await readNote(db, 'recommendations-begun')) return
    await writeNote(db, 'recommendations-begun', now.toISOString())
    await enqueue(db, { name: 'recommendations.learn', key: 'first', payload: { key: 'first' } })
  }),
]
