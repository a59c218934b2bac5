import type { SellerCost } from './price-lines.ts'

/** An offer from which a product can be bought, in the quantity that is wanted. */
export interface Option {
  offerId: string
  sellerId: number
  /** Its line totals in the cart, before delivery and quotes. */
  goods: number
  /** Accepted quotes for this quantity. */
  quoteIds: readonly string[]
}

/** Goods and delivery of what is bought from a seller, next to what the cart holds. */
type Costs<One extends Option> = (sellerId: number, bought: readonly One[]) => SellerCost

/** Up to this many combinations are all compared. */
const fewCombinations = 64
/** A seller's goods are priced anew for each change that is tried; after this many, each counted as often, the best so far is taken. */
export const mostGoodsPriced = 150_000

/**
 * The options that cost least together, one for each product. Delivery is charged once per seller, by everything bought from that
 * seller, and a quote wants all of its goods, so that products cannot be decided one by one. If there are few combinations, all are
 * compared; otherwise the public winners are improved until no change makes them cheaper.
 * @param products the options of each in the public order, which also decides between those that cost the same
 */
export function cheapestSellers<One extends Option>(products: readonly (readonly One[])[], costOf: Costs<One>): One[] {
  const combinations = products.reduce((product, { length }) => Math.min(product * length, fewCombinations + 1), 1)
  return combinations <= fewCombinations ? cheapestOf(everyCombination(products), costOf) : improved(products, costOf)
}

function everyCombination<One extends Option>(products: readonly (readonly One[])[]): One[][] {
  return products.reduce<One[][]>((all, options) => all.flatMap((chosen) => options.map((option) => [...chosen, option])), [[]])
}

function cheapestOf<One extends Option>(choices: readonly One[][], costOf: Costs<One>): One[] {
  const sellers = new Set(choices.flat().map(({ sellerId }) => sellerId))
  let best: One[] = []
  let least = Infinity
  for (const choice of choices) {
    const bought = Map.groupBy(choice, ({ sellerId }) => sellerId)
    let cost = 0
    for (const sellerId of sellers) cost += costOf(sellerId, bought.get(sellerId) ?? []).total
    if (cost < least) [best, least] = [choice, cost]
  }
  return best
}

/** Another option for the product at this place. */
interface Change<One> {
  at: number
  option: One
}

function improved<One extends Option>(products: readonly (readonly One[])[], costOf: Costs<One>): One[] {
  const chosen = products.map(([winner]) => winner as One)
  const bought = new Map<number, readonly One[]>(Map.groupBy(chosen, ({ sellerId }) => sellerId))
  const costs = new Map<number, SellerCost>()
  const rankOf = new Map(products.flatMap((options) => options.map((option, rank) => [option, rank])))
  let priced = 0
  const costFor = (sellerId: number, goods: readonly One[]): SellerCost => {
    priced += goods.length + 1
    return costOf(sellerId, goods)
  }
  const costNow = (sellerId: number): SellerCost => {
    const known = costs.get(sellerId) ?? costFor(sellerId, bought.get(sellerId) ?? [])
    costs.set(sellerId, known)
    return known
  }

  /** Makes a change if that is cheaper, or costs the same and follows the public order better. */
  const attempt = (changes: readonly Change<One>[]): boolean => {
    const real = changes.filter(({ at, option }) => chosen[at] !== option)
    if (real.length === 0 || priced >= mostGoodsPriced) return false
    const leaving = new Set(real.map(({ at }) => chosen[at] as One))
    const coming = Map.groupBy(
      real.map(({ option }) => option),
      ({ sellerId }) => sellerId,
    )
    const after = [...new Set([...leaving].map(({ sellerId }) => sellerId)).union(coming)].map((sellerId) => {
      const goods = [...(bought.get(sellerId) ?? []).filter((option) => !leaving.has(option)), ...(coming.get(sellerId) ?? [])]
      return { sellerId, goods, cost: costFor(sellerId, goods) }
    })
    const more = after.reduce((sum, { sellerId, cost }) => sum + cost.total - costNow(sellerId).total, 0)
    const later = real.reduce((sum, { at, option }) => sum + (rankOf.get(option) ?? 0) - (rankOf.get(chosen[at] as One) ?? 0), 0)
    if (more > 0 || (more === 0 && later >= 0)) return false
    for (const { at, option } of real) chosen[at] = option
    for (const { sellerId, goods, cost } of after) {
      bought.set(sellerId, goods)
      costs.set(sellerId, cost)
    }
    return true
  }

  const all = products.flatMap((options, at) => options.map((option) => ({ at, option })))
  const quotes = changesBy(all, ({ quoteIds }) => quoteIds)
  const sellers = changesBy(all, ({ sellerId }) => [sellerId])
  const completesQuote = ({ at, option }: Change<One>) =>
    option.quoteIds.some((id) => quotes.get(id)?.every((each) => each.at === at || chosen[each.at]?.quoteIds.includes(id)))
  /** Nothing else that a change of one product saves can exceed what is paid to its two sellers besides goods, unless it completes a quote. */
  const mayPay = (change: Change<One>) => {
    const { at, option } = change
    const now = chosen[at] as One
    const atLeast = option.goods - now.goods - costNow(now.sellerId).avoidable - costNow(option.sellerId).avoidable
    return atLeast < 0 || (atLeast === 0 && (rankOf.get(option) ?? 0) < (rankOf.get(now) ?? 0)) || completesQuote(change)
  }
  const elsewhere = (sellerId: number) =>
    (sellers.get(sellerId) ?? []).flatMap(({ at }) => {
      const others = chosen[at]?.sellerId === sellerId ? (products[at] ?? []).filter((option) => option.sellerId !== sellerId) : []
      return others.length > 0 ? [{ at, option: lowestGoods(others) }] : []
    })
  const attemptAll = (): boolean => {
    let isBetter = false
    const tried = (changes: readonly Change<One>[]) => {
      isBetter = attempt(changes) || isBetter
    }
    for (const changes of quotes.values()) if (changes.length > 1) tried(changes)
    for (const [sellerId, changes] of sellers) {
      if (changes.length > 1) tried(changes)
      tried(elsewhere(sellerId))
    }
    for (const change of all) if (chosen[change.at] !== change.option && mayPay(change)) tried([change])
    return isBetter && priced < mostGoodsPriced
  }

  attempt(products.map((options, at) => ({ at, option: lowestGoods(options) })))
  let goesOn = true
  while (goesOn) goesOn = attemptAll()
  return chosen
}

/** The changes to all goods of each quote, or of each seller: of several options of one product the one with the lowest price. */
function changesBy<One extends Option, Key>(
  all: readonly Change<One>[],
  keysOf: (option: One) => readonly Key[],
): ReadonlyMap<Key, readonly Change<One>[]> {
  const byKey = new Map<Key, Map<number, Change<One>>>()
  for (const change of all)
    for (const key of keysOf(change.option)) {
      const changes = byKey.get(key) ?? new Map<number, Change<One>>()
      const other = changes.get(change.at)
      if (!other || change.option.goods < other.option.goods) changes.set(change.at, change)
      byKey.set(key, changes)
    }
  return new Map([...byKey].map(([key, changes]) => [key, [...changes.values()]]))
}

function lowestGoods<One extends Option>(options: readonly One[]): One {
  return options.reduce((best, option) => (option.goods < best.goods ? option : best))
}
