import { boundedCache, type Db } from '#platform'
import { readRulesOfLists, readRulesWithin, type HeldList, type PriceRule } from './store.ts'

/** Lists with more rules are asked for the goods of a page alone. */
const maxRules = 300
/** Lists read whole for one page; of further ones the rules for its goods are read, and they are kept another time. */
const maxLists = 20
/** Rules in all, some five megabytes. */
const keptRules = 40_000

type Goods = Pick<PriceRule, 'productId' | 'categoryId'>
export type RuleOf = Pick<PriceRule, 'price' | 'percentBp'>
/** The rules of a list by goods; null for a long one. */
type ListRules = ReadonlyMap<string, readonly RuleOf[]> | null

/** For good: a list is never changed, only ended and replaced, and whether it is in force is read each time. */
const kept = boundedCache<{ rules: ListRules }>(keptRules, ({ rules }) => 1 + (rules?.size ?? 0))

export function goodsKey({ productId, categoryId }: Goods): string {
  return productId ?? `in ${categoryId}`
}

interface Asked {
  offers: readonly { sellerId: number; productId: string }[]
  categoryIds: readonly number[]
}

/** The rules of lists by seller and goods; no statement if all lists are short and cached. */
export async function rulesOfLists(
  db: Db,
  lists: readonly HeldList[],
  asked: Asked,
): Promise<(sellerId: number, goods: Goods) => RuleOf[]> {
  const missing = lists.flatMap(({ id }) => (kept.get(id) ? [] : [id])).slice(0, maxLists)
  const read = new Map(
    missing.length === 0 ? [] : (await readRulesOfLists(db, missing, maxRules)).map((list) => [list.id, indexed(list.rules)]),
  )
  for (const [id, rules] of read) kept.set(id, { rules })
  const found = lists.map((list) => ({ ...list, rules: read.get(list.id) ?? kept.get(list.id)?.rules ?? null }))
  const long = found.filter(({ rules }) => rules === null)
  const others = long.length === 0 ? [] : await readRulesWithin(db, long, asked)
  const bySeller = Map.groupBy(
    [
      ...found.flatMap(({ sellerId, rules }) => (rules ? [{ sellerId, rules }] : [])),
      ...[...Map.groupBy(others, ({ sellerId }) => sellerId)].map(([sellerId, rules]) => ({ sellerId, rules: byGoods(rules) })),
    ],
    ({ sellerId }) => sellerId,
  )
  return (sellerId, goods) => {
    const key = goodsKey(goods)
    return (bySeller.get(sellerId) ?? []).flatMap(({ rules }) => rules.get(key) ?? [])
  }
}

function indexed(rules: readonly (RuleOf & Goods)[]): ListRules {
  return rules.length > maxRules ? null : byGoods(rules)
}

function byGoods(rules: readonly (RuleOf & Goods)[]): ReadonlyMap<string, readonly RuleOf[]> {
  return Map.groupBy(rules, goodsKey)
}
