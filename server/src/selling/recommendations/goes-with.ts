import { accessoryRules } from './accessory-rules.ts'
import type { Learnable, Model } from './model.ts'

/** For each product the accessories that fit it, the most popular first, in turn from each rule. */
export function goesWith(goods: readonly Learnable[], limit: number): Model['goesWith'] {
  const byFamily = Map.groupBy(
    goods.toSorted((a, b) => b.popularity - a.popularity),
    ({ family }) => family,
  )
  const rules = accessoryRules.map((rule) => ({
    ...rule,
    byKey: keyed(
      rule.to.flatMap((family) => byFamily.get(family) ?? []),
      rule.keysOfTo,
    ),
  }))
  const lists: Model['goesWith'] = {}
  for (const product of goods) {
    const own = rules.filter(({ from }) => from.includes(product.family))
    const fitting = own.map(({ keysOfFrom, byKey, fits }) => {
      const found = keysOfFrom(product).flatMap((key) => firstOf(byKey.get(key) ?? [], limit, (other) => fits?.(product, other) ?? true))
      return found.toSorted((a, b) => b.popularity - a.popularity).map(({ id }) => id)
    })
    const list = inTurn(fitting, limit)
    if (list.length > 0) lists[product.id] = list
  }
  return lists
}

function keyed(goods: readonly Learnable[], keysOf: (product: Learnable) => readonly string[]): ReadonlyMap<string, Learnable[]> {
  const byKey = new Map<string, Learnable[]>()
  for (const product of goods)
    for (const key of keysOf(product)) {
      const list = byKey.get(key) ?? []
      byKey.set(key, list)
      list.push(product)
    }
  return byKey
}

/** Stops as soon as there are enough: some lists have thousands of products. */
function firstOf(goods: readonly Learnable[], limit: number, isRight: (product: Learnable) => boolean): Learnable[] {
  const found: Learnable[] = []
  for (const product of goods) {
    if (found.length === limit) break
    if (isRight(product)) found.push(product)
  }
  return found
}

function inTurn(lists: readonly (readonly string[])[], limit: number): string[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const all = Array.from({ length: Math.min(longest, limit) }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat()
  return [...new Set(all)].slice(0, limit)
}
