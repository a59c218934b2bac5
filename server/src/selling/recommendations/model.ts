import type { Product } from '#catalogue'

/** What is learned from a product. */
export type Learnable = Pick<Product, 'id' | 'family' | 'brandId' | 'categoryId' | 'attributes' | 'popularity'>

/** A model of a market: lists of product ids, best first. Everything a page asks is answered from it in memory. */
export interface Model {
  /** Viewed by the same people. */
  alsoViewed: Record<string, string[]>
  boughtTogether: Record<string, string[]>
  goesWith: Record<string, string[]>
  /** By category, its ancestors included. */
  popular: Record<string, string[]>
}
export const noModel: Model = { alsoViewed: {}, boughtTogether: {}, goesWith: {}, popular: {} }

export const sources = ['goes_with', 'bought_together', 'also_viewed', 'popular', 'from_history'] as const
export type Source = (typeof sources)[number]
export const placements = ['article_page', 'cart_page', 'add_to_cart', 'homepage_b2c', 'category_listing'] as const
export type Placement = (typeof placements)[number]

/** The message is verbatim. Source: spec §8, R-611. */
export const emptyConfiguration = 'Recommendations configuration is empty'

export interface Wanted {
  productIds: readonly string[]
  categoryId: number | null
  limit: number
}

/** Product ids of one source: those several of the products lead to come first; never the products themselves. */
export function recommendFrom(model: Model, source: Source, { productIds, categoryId, limit }: Wanted): string[] {
  if (source === 'popular') return without(model.popular[String(categoryId ?? 'all')] ?? [], productIds).slice(0, limit)
  const lists = listsOf(model, source)
  const scores = new Map<string, number>()
  for (const [at, productId] of productIds.entries())
    for (const list of lists)
      for (const [rank, id] of (list[productId] ?? []).entries())
        scores.set(id, (scores.get(id) ?? 0) + 1 / ((rank + 1) * (source === 'from_history' ? at + 1 : 1)))
  const ranked = [...scores].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([id]) => id)
  return without(ranked, productIds).slice(0, limit)
}

function listsOf(model: Model, source: Exclude<Source, 'popular'>): Record<string, string[]>[] {
  if (source === 'goes_with') return [model.goesWith]
  if (source === 'bought_together') return [model.boughtTogether]
  if (source === 'also_viewed') return [model.alsoViewed]
  return [model.boughtTogether, model.goesWith, model.alsoViewed]
}

/** Up to `limit` in the order of the sources; each has an equal share of the places before any takes those left over. */
export function shareOut<Each>(lists: readonly (readonly Each[])[], limit: number): Each[] {
  const share = Math.floor(limit / Math.max(1, lists.filter(({ length }) => length > 0).length))
  const taken = lists.map((list) => Math.min(list.length, share))
  let left = limit - taken.reduce((sum, count) => sum + count, 0)
  return lists.flatMap((list, at) => {
    const more = Math.min(left, list.length - (taken[at] ?? 0))
    left -= more
    return list.slice(0, (taken[at] ?? 0) + more)
  })
}

function without(ids: readonly string[], known: readonly string[]): string[] {
  return ids.filter((id) => !known.includes(id))
}
