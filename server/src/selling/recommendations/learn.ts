import { goesWith } from './goes-with.ts'
import type { Learnable, Model } from './model.ts'

/** Products bought in one order, or viewed by one customer. */
export type Basket = readonly string[]

/** Products per list; more are never shown. */
const listed = 12
/** A pair counts once it was bought this often in relation to how popular both are; rare pairs are pulled towards zero. */
const shrinkage = 2
const maxBasket = 60

/** Learns a market's model from its orders, its goods and what customers have viewed. */
export function learn(
  baskets: readonly Basket[],
  goods: readonly Learnable[],
  ancestors: (categoryId: number) => readonly number[],
  viewed: readonly Basket[] = [],
): Model {
  const sold = new Set(goods.map(({ id }) => id))
  const ofSold = (all: readonly Basket[]) => all.map((basket) => [...new Set(basket)].filter((id) => sold.has(id)).slice(0, maxBasket))
  return {
    alsoViewed: boughtTogether(ofSold(viewed)),
    boughtTogether: boughtTogether(ofSold(baskets)),
    goesWith: goesWith(goods, listed),
    popular: popular(baskets, goods, ancestors),
  }
}

/** Fewer baskets show what somebody bought, not what is often bought together. */
const minBaskets = 3

/** Cosine of two products over baskets, shrunk for pairs seen seldom. */
export function boughtTogether(baskets: readonly Basket[]): Model['boughtTogether'] {
  const bought = new Map<string, number>()
  const pairs = new Map<string, Map<string, number>>()
  for (const basket of baskets) {
    for (const id of basket) bought.set(id, (bought.get(id) ?? 0) + 1)
    for (const one of basket) {
      const others = pairs.get(one) ?? new Map<string, number>()
      pairs.set(one, others)
      for (const other of basket) if (other !== one) others.set(other, (others.get(other) ?? 0) + 1)
    }
  }
  const lists: Model['boughtTogether'] = {}
  for (const [id, others] of pairs) {
    const often = [...others].filter(([, count]) => count >= minBaskets)
    if (often.length === 0) continue
    const score = (other: string, count: number) => count / (Math.sqrt((bought.get(id) ?? 1) * (bought.get(other) ?? 1)) + shrinkage)
    lists[id] = often
      .map(([other, count]) => ({ other, score: score(other, count) }))
      .toSorted((a, b) => b.score - a.score || a.other.localeCompare(b.other))
      .slice(0, listed)
      .map(({ other }) => other)
  }
  return lists
}

/** By orders, then by the popularity of the catalogue: a new shop has a list as well. */
function popular(
  baskets: readonly Basket[],
  goods: readonly Learnable[],
  ancestors: (categoryId: number) => readonly number[],
): Model['popular'] {
  const orders = new Map<string, number>()
  for (const basket of baskets) for (const id of new Set(basket)) orders.set(id, (orders.get(id) ?? 0) + 1)
  const ranked = goods.toSorted((a, b) => (orders.get(b.id) ?? 0) - (orders.get(a.id) ?? 0) || b.popularity - a.popularity)
  const lists: Model['popular'] = {}
  for (const { id, categoryId } of ranked) {
    for (const key of ['all', ...ancestors(categoryId).map(String)]) {
      const list = (lists[key] ??= [])
      if (list.length < listed) list.push(id)
    }
  }
  return lists
}
