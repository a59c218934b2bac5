import { goesWith } from './goes-with.ts'
import type { Learnable, Model } from './model.ts'

/** Products bought in one order, or viewed by one customer. */
export type Basket = readonly string[]

/** Products per list; more are never shown. */
const listed = 12
/** A pair counts once it was bought this often in relation to how popular both are; rare pairs are pulled towards zero. */
const shrinkage = 2
const maxBasket = 60

/** Products viewed by one person: by signed-in customers, and by visitors with consent to statistics on each day. */
export interface Viewed {
  histories?: readonly Basket[]
  days?: readonly (readonly Basket[])[]
}

/** Learns a market's model from its orders, its goods and what people have viewed. */
export function learn(
  baskets: readonly Basket[],
  goods: readonly Learnable[],
  ancestors: (categoryId: number) => readonly number[],
  { histories = [], days = [] }: Viewed = {},
): Model {
  const sold = new Set(goods.map(({ id }) => id))
  const ofSold = (all: readonly Basket[]) => all.map((basket) => [...new Set(basket)].filter((id) => sold.has(id)).slice(0, maxBasket))
  return {
    alsoViewed: joined(boughtTogether(ofSold(histories)), viewedTogether(days.map(ofSold))),
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
  return ranked(pairs, bought)
}

/** By cosine, pairs seen at least so often. */
function ranked(pairs: ReadonlyMap<string, ReadonlyMap<string, number>>, totals: ReadonlyMap<string, number>): Model['boughtTogether'] {
  const lists: Model['boughtTogether'] = {}
  for (const [id, others] of pairs) {
    const often = [...others].filter(([, count]) => count >= minBaskets)
    if (often.length === 0) continue
    const score = (other: string, count: number) => count / (Math.sqrt((totals.get(id) ?? 1) * (totals.get(other) ?? 1)) + shrinkage)
    lists[id] = often
      .map(([other, count]) => ({ other, score: score(other, count) }))
      .toSorted((a, b) => b.score - a.score || a.other.localeCompare(b.other))
      .slice(0, listed)
      .map(({ other }) => other)
  }
  return lists
}

/**
 * Products that visitors viewed together, by days: anybody can send views, so a pair counts once a day, however many views say
 * so, and a thousand invented visitors weigh as much as one.
 */
export function viewedTogether(days: readonly (readonly Basket[])[]): Model['alsoViewed'] {
  const daysOf = new Map<string, number>()
  const pairs = new Map<string, Map<string, number>>()
  for (const day of days) {
    const seen = new Map<string, Set<string>>()
    for (const basket of day)
      for (const id of basket) {
        const others = seen.get(id) ?? new Set<string>()
        seen.set(id, others)
        for (const other of basket) if (other !== id) others.add(other)
      }
    for (const [id, others] of seen) {
      daysOf.set(id, (daysOf.get(id) ?? 0) + 1)
      const counts = pairs.get(id) ?? new Map<string, number>()
      pairs.set(id, counts)
      for (const other of others) counts.set(other, (counts.get(other) ?? 0) + 1)
    }
  }
  return ranked(pairs, daysOf)
}

/** The lists of both, those of the first one first. */
function joined(first: Model['alsoViewed'], second: Model['alsoViewed']): Model['alsoViewed'] {
  const lists: Model['alsoViewed'] = { ...second }
  for (const [id, list] of Object.entries(first)) lists[id] = [...new Set([...list, ...(second[id] ?? [])])].slice(0, listed)
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
