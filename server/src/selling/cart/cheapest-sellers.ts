/** An offer from which a product can be bought, in the quantity that is wanted. */
export interface Option {
  offerId: string
  sellerId: number
  /** Of all pieces, without delivery. */
  goods: number
  /** Accepted quotes for this quantity. */
  quoteIds: readonly string[]
}

/** Up to this many combinations are all compared. */
const fewCombinations = 64
/** Each passes over all options once; two are nearly always enough. */
const maxRounds = 4

/**
 * The options that cost least together, one for each product. Delivery is charged once per seller, by everything bought from that
 * seller, and a quote wants all of its goods, so that products cannot be decided one by one. If there are few combinations, all are
 * compared; otherwise the best of the obvious ones is improved until no single change makes it cheaper.
 * @param products the options of each, its public winner first, which also wins a tie
 * @param costOf goods and delivery of what is bought from a seller, next to what the cart holds
 */
export function cheapestSellers<One extends Option>(products: readonly (readonly One[])[], costOf: Costs<One>): One[] {
  const sellers = new Set(products.flat().map(({ sellerId }) => sellerId))
  const combinations = products.reduce((product, { length }) => Math.min(product * length, fewCombinations + 1), 1)
  if (combinations <= fewCombinations) return cheapestOf(everyCombination(products), sellers, costOf)
  return improved(products, cheapestOf(obviousOnes(products, sellers), sellers, costOf), sellers, costOf)
}

type Costs<One extends Option> = (sellerId: number, bought: readonly One[]) => number

const ofSeller = <One extends Option>(chosen: readonly One[], sellerId: number) => chosen.filter((option) => option.sellerId === sellerId)

function cheapestOf<One extends Option>(choices: readonly One[][], sellers: ReadonlySet<number>, costOf: Costs<One>): One[] {
  let best: One[] = []
  let least = Infinity
  for (const choice of choices) {
    let cost = 0
    for (const sellerId of sellers) cost += costOf(sellerId, ofSeller(choice, sellerId))
    if (cost < least) [best, least] = [choice, cost]
  }
  return best
}

function improved<One extends Option>(
  products: readonly (readonly One[])[],
  start: One[],
  sellers: ReadonlySet<number>,
  costOf: Costs<One>,
): One[] {
  let chosen = start
  const costs = new Map([...sellers].map((sellerId) => [sellerId, costOf(sellerId, ofSeller(chosen, sellerId))]))
  const costNow = (sellerId: number) => costs.get(sellerId) ?? 0
  const quoting = new Set(products.flat().flatMap(({ sellerId, quoteIds }) => (quoteIds.length > 0 ? [sellerId] : [])))
  /** The most that another choice of goods could save of what is paid to a seller besides them. */
  const savedAt = (sellerId: number) => {
    if (quoting.has(sellerId)) return Infinity
    return costNow(sellerId) - ofSeller(chosen, sellerId).reduce((sum, { goods }) => sum + goods, 0)
  }
  const mayPay = (now: One, option: One) => option.goods - now.goods < savedAt(now.sellerId) + savedAt(option.sellerId)
  for (let round = 0; round < maxRounds; round++) {
    const before = chosen
    for (const changed of changes(products, sellers, () => chosen, mayPay)) {
      const touched = new Set(
        changed.flatMap((option, at) => (option === chosen[at] ? [] : [option.sellerId, (chosen[at] as One).sellerId])),
      )
      const after = new Map([...touched].map((sellerId) => [sellerId, costOf(sellerId, ofSeller(changed, sellerId))]))
      const more = [...after].reduce((sum, [sellerId, cost]) => sum + cost - costNow(sellerId), 0)
      if (more >= 0) continue
      chosen = changed
      for (const [sellerId, cost] of after) costs.set(sellerId, cost)
    }
    if (chosen === before) break
  }
  return chosen
}

function everyCombination<One extends Option>(products: readonly (readonly One[])[]): One[][] {
  return products.reduce<One[][]>((all, options) => all.flatMap((chosen) => options.map((option) => [...chosen, option])), [[]])
}

/** The public winners, the lowest prices without delivery, and everything from one seller as far as possible. */
function obviousOnes<One extends Option>(products: readonly (readonly One[])[], sellers: ReadonlySet<number>): One[][] {
  const cheapest = products.map(lowestGoods)
  return [
    products.map(([winner]) => winner as One),
    cheapest,
    ...[...sellers].map((sellerId) => products.map((options, at) => from(options, sellerId) ?? (cheapest[at] as One))),
  ]
}

/** Choices that differ from the current one: by all goods of a quote, by a seller more or less, or by one product. */
function* changes<One extends Option>(
  products: readonly (readonly One[])[],
  sellers: ReadonlySet<number>,
  current: () => readonly One[],
  mayPay: (now: One, option: One) => boolean,
): Generator<One[]> {
  const instead = (find: (options: readonly One[], now: One) => One | undefined) =>
    current().map((now, at) => find(products[at] ?? [], now) ?? now)
  for (const quoteId of new Set(products.flat().flatMap(({ quoteIds }) => quoteIds)))
    yield instead((options) => options.find(({ quoteIds }) => quoteIds.includes(quoteId)))
  for (const sellerId of sellers) {
    yield instead((options) => from(options, sellerId))
    yield instead((options, now) => {
      const others = now.sellerId === sellerId ? options.filter((option) => option.sellerId !== sellerId) : []
      return others.length > 0 ? lowestGoods(others) : undefined
    })
  }
  for (const [at, options] of products.entries())
    for (const option of options) {
      const now = current()[at]
      if (now && option !== now && mayPay(now, option)) yield current().with(at, option)
    }
}

function from<One extends Option>(options: readonly One[], sellerId: number): One | undefined {
  const own = options.filter((option) => option.sellerId === sellerId)
  return own.length > 0 ? lowestGoods(own) : undefined
}

function lowestGoods<One extends Option>(options: readonly One[]): One {
  return options.reduce((best, option) => (option.goods < best.goods ? option : best))
}
