/**
 * node scripts/bootstrap.mjs scripts/draw-goes-with.ts [seed]: draws a hundred pairs of products that "goes with" shows together in
 * the demo shop, with their attributes, to be judged by eye. `docs/goes-with.md` lists the pairs of the default seed.
 */
import { defaultSeed, product } from '@purlin/demo/index.ts'
import { mix, randomOf, shuffled } from '@purlin/demo/random.ts'
import { goesWith } from '@purlin/server/selling/recommendations/goes-with.ts'
import type { Learnable } from '@purlin/server/selling/recommendations/model.ts'

const products = 5_000
/** Products that a row shows of one source at most. */
const shown = 8
const wanted = 100
const drawSeed = 1128

interface Goods extends Learnable {
  title: string
}
interface Draw {
  /** Products with accessories, and products in all. */
  having: number
  of: number
  /** Pairs of families. */
  kinds: number
  pairs: { product: Goods; accessory: Goods }[]
}

/** In turn from each pair of families, so that rare rules count as much as frequent ones. */
export function drawGoesWith(seed = drawSeed): Draw {
  const sold = Array.from({ length: products }, (_, index) => product(defaultSeed, index)).filter(({ status }) => status === 'active')
  const goods = sold.map(({ id, family, brand, leaf, attributes, popularity, titles }): Goods => {
    return { id: String(id), family: family.key, brandId: brand.id, categoryId: leaf.id, attributes, popularity, title: titles.en }
  })
  const byId = new Map(goods.map((each) => [each.id, each]))
  const lists = goesWith(goods, shown)
  const random = randomOf(mix(defaultSeed, seed))
  const all = goods.flatMap((each) => (lists[each.id] ?? []).flatMap((id) => ({ product: each, accessory: byId.get(id) ?? each })))
  const kinds = [...Map.groupBy(all, (pair) => `${pair.product.family} ${pair.accessory.family}`).values()]
  const drawn = kinds.map((pairs) => shuffled(pairs, random))
  const pairs = Array.from({ length: wanted }, (_, round) => shuffled(drawn, random).flatMap((kind) => kind[round] ?? [])).flat()
  return { having: Object.keys(lists).length, of: goods.length, kinds: kinds.length, pairs: pairs.slice(0, wanted) }
}

if (import.meta.main) {
  const { having, of, kinds, pairs } = drawGoesWith(Number(process.argv[2] ?? drawSeed))
  const facts = ({ attributes }: Goods) => Object.entries(attributes).map(([key, value]) => `${key} ${value}`)
  const lines = pairs.flatMap(({ product: one, accessory }, at) => [
    `| ${at + 1} | ${one.title} | ${accessory.title} |`,
    `    ${facts(one).join(', ')} + ${facts(accessory).join(', ')}`,
  ])
  process.stdout.write(`${having} of ${of} products have accessories, of ${kinds} kinds.\n${lines.join('\n')}\n`)
}
