import { product } from './product.ts'
import { chance, mix, pick, randomOf, shuffled, type Random } from './random.ts'

/** A product, as far as the choice of the demo’s buyers depends on it. */
interface Article {
  id: string
  leafId: number
  department: string
  brandId: number
  euros: number
  popularity: number
}

export interface DemoOrders {
  seed: number
  /** Number of products of the shop. */
  products: number
  orders: number
}

/** Kinds of work in one department: its kinds of goods, of which each buyer needs some. */
const worksOfDepartment = 8
const kindsOfWork = 5
/** Shares of goods that buyers choose by their brand, and that they buy besides their work. */
const loyal = 0.5
const besides = 0.2
/** Buyers look at the best-known goods of a kind. */
const looksAt = 12

/**
 * Orders of invented buyers, oldest first, as lists of product ids. A buyer has some work in one department, needs a few kinds of
 * goods for it, and chooses among the known ones by brand and by price; and takes something else along. No pair of products is
 * written down anywhere, and nothing of what the shop recommends by.
 */
export function demoOrders({ seed, products, orders }: DemoOrders): string[][] {
  const articles = Array.from({ length: products }, (_, index): Article => {
    const { id, leaf, brand, euros, popularity } = product(seed, index)
    return { id: String(id), leafId: leaf.id, department: leaf.department, brandId: brand.id, euros, popularity }
  })
  const known = articles.toSorted((a, b) => b.popularity - a.popularity)
  const ofLeaf = Map.groupBy(known, ({ leafId }) => leafId)
  const works = [...Map.groupBy(articles, ({ department }) => department)].flatMap(([, own], at) => {
    const leaves = [...new Set(own.map(({ leafId }) => leafId))]
    const random = randomOf(mix(mix(seed, 808), at))
    return Array.from({ length: worksOfDepartment }, () => shuffled(leaves, random).slice(0, kindsOfWork))
  })
  return Array.from({ length: orders }, (_, order) => {
    const random = randomOf(mix(mix(seed, 909), order))
    const work = pick(works, chance(seed, order, 91) ** 1.5)
    const buyer = { brandId: 0, level: random() }
    const bought = shuffled(work, random)
      .slice(0, 2 + Math.floor(random() * 3))
      .map((leafId) => choose((ofLeaf.get(leafId) ?? []).slice(0, looksAt), buyer, random))
    if (random() < besides) bought.push(pick(known, random() ** 3))
    return [...new Set(bought.map(({ id }) => id))]
  })
}

/** The first choice of a buyer decides their brand; then they prefer it, or what costs as much as they usually spend. */
function choose(goods: readonly Article[], buyer: { brandId: number; level: number }, random: Random): Article {
  const own = goods.filter(({ brandId }) => brandId === buyer.brandId)
  const isLoyal = own.length > 0 && random() < loyal
  const from = isLoyal ? own : goods.toSorted((a, b) => a.euros - b.euros)
  const wanted = isLoyal ? random() ** 2 : buyer.level + (random() - 0.5) * 0.4
  const chosen = pick(from, Math.min(0.999, Math.max(0, wanted)))
  buyer.brandId ||= chosen.brandId
  return chosen
}
