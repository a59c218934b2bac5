import { goesWith } from './goes-with.ts'
import type { Learnable, Model } from './model.ts'

/** Products bought in one order. */
export type Basket = readonly string[]

/** Products per list; more are never shown. */
const listed = 12
/** A pair counts once it was bought this often in relation to how popular both are; rare pairs are pulled towards zero. */
const shrinkage = 2
const maxBasket = 60

/** Products that one visitor viewed on one day, and the group of networks the views came from. */
export interface View {
  network: number
  productIds: Basket
}

/** What no view can change about products: their paid orders and their popularity. */
export interface Carrying {
  orders: ReadonlyMap<string, number>
  popularity: ReadonlyMap<string, number>
}

/** Learns a market's model from its orders, its goods and what visitors viewed on each day. */
export function learn(
  baskets: readonly Basket[],
  goods: readonly Learnable[],
  ancestors: (categoryId: number) => readonly number[],
  days: readonly (readonly View[])[] = [],
): Model {
  const sold = new Set(goods.map(({ id }) => id))
  const ofSold = (all: readonly Basket[]) => all.map((basket) => [...new Set(basket)].filter((id) => sold.has(id)).slice(0, maxBasket))
  const views = days.map((day) => {
    const products = ofSold(day.map(({ productIds }) => productIds))
    return day.map(({ network }, at) => ({ network, productIds: products[at] ?? [] }))
  })
  const orders = ordersByProduct(baskets)
  const popularity = new Map(goods.map((product) => [product.id, product.popularity]))
  return {
    alsoViewed: viewedTogether(views, { orders, popularity }),
    boughtTogether: boughtTogether(ofSold(baskets)),
    goesWith: goesWith(goods, listed),
    popular: popular(orders, goods, ancestors),
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

/**
 * Products that visitors viewed together. Anybody can send views, from many networks on many days, so they count as far as paid
 * orders carry them: a pair is listed once it was viewed on three days and from three networks, and weighs no more than the product
 * recommended has orders. What nobody has bought comes last, by popularity. More views never lower what another pair weighs.
 * (decision 086)
 */
export function viewedTogether(days: readonly (readonly View[])[], { orders, popularity }: Carrying): Model['alsoViewed'] {
  const viewsOf = new Map<string, { day: number; view: View }[]>()
  for (const [day, views] of days.entries())
    for (const view of views)
      for (const id of view.productIds) {
        const all = viewsOf.get(id) ?? []
        viewsOf.set(id, all)
        all.push({ day, view })
      }
  const lists: Model['alsoViewed'] = {}
  for (const [id, views] of viewsOf) {
    const others = new Map<string, { days: Set<number>; networks: Set<number> }>()
    for (const { day, view } of views)
      for (const other of view.productIds) {
        if (other === id) continue
        const seen = others.get(other) ?? { days: new Set(), networks: new Set() }
        others.set(other, seen)
        seen.days.add(day)
        seen.networks.add(view.network)
      }
    const list = [...others]
      .filter(([, seen]) => Math.min(seen.days.size, seen.networks.size) >= minBaskets)
      .map(([other, seen]) => ({
        other,
        weight: Math.min(seen.days.size, seen.networks.size, orders.get(other) ?? 0),
        popularity: popularity.get(other) ?? 0,
      }))
      .toSorted((a, b) => b.weight - a.weight || b.popularity - a.popularity || a.other.localeCompare(b.other))
    if (list.length > 0) lists[id] = list.slice(0, listed).map(({ other }) => other)
  }
  return lists
}

/** Paid orders of each product. */
function ordersByProduct(baskets: readonly Basket[]): Map<string, number> {
  const orders = new Map<string, number>()
  for (const basket of baskets) for (const id of new Set(basket)) orders.set(id, (orders.get(id) ?? 0) + 1)
  return orders
}

/** By orders, then by the popularity of the catalogue: a new shop has a list as well. */
function popular(
  orders: ReadonlyMap<string, number>,
  goods: readonly Learnable[],
  ancestors: (categoryId: number) => readonly number[],
): Model['popular'] {
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
