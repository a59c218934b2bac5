import { blockSize, groupOf, isPaint, leafOfBlock } from './blocks.ts'
import { brandsOf, type DemoBrand } from './brands.ts'
import type { Leaf } from './categories.ts'
import { familyOf, series, type Attributes, type Family } from './grammar.ts'
import type { InFive, Language } from './languages.ts'
import { drawAttributes, drawOptions, paintOptions, valuesIn } from './options.ts'
import { priceOf, weightOf } from './price.ts'
import { chance, mix, pick, randomOf } from './random.ts'
import { descriptionsOf, slugsOf, titlesOf, warningsOf } from './words.ts'
import { averageOf, starsOf } from './stars.ts'
import { picturesOf, documentsOf } from './views.ts'

/** Ids start here, so that product, article, model and offer ids are never confused. */
export const firstProductId = 100_001
export const firstArticleId = 3_000_001
export const firstModelId = 5_000_001

/** Few buyers write a review. */
const buyersPerReview = 18

export interface DemoProduct {
  index: number
  id: number
  articleId: number
  model: { id: number; axes: string[]; isFirst: boolean } | null
  brand: DemoBrand
  leaf: Leaf
  family: Family
  ean: string
  mpn: string
  titles: InFive
  descriptions: InFive
  slugs: InFive
  attributes: Attributes
  weightG: number
  unit: { measure: 'm2' | 'l' | 'kg' | 'm' | 'piece'; quantityMilli: number } | null
  flags: string[]
  pictures: { view: string }[]
  documents: { kind: string; language: Language; url: string }[]
  safety: { manufacturer: string; address: string; email: string; responsiblePerson: string; warnings: Record<Language, string[]> }
  rating: number | null
  ratingCount: number
  /** Of each review. */
  stars: number[]
  popularity: number
  status: 'active' | 'ended'
  successorId: number | null
  /** Price as new, in euros with VAT, before a seller's own margin. */
  euros: number
}

/** Product number `index` of the shop. It depends only on the seed and the number: shops of any size begin alike. */
export function product(seed: number, index: number): DemoProduct {
  const block = Math.floor(index / blockSize)
  const leaf = leafOfBlock(seed, block)
  const family = familyOf(leaf.family)
  const group = groupOf(seed, index)
  const values = valuesIn(family, leaf)

  const shared = randomOf(mix(mix(seed, 101), group.start))
  const brand = pick(brandsOf(family), shared())
  const line = `${pick(series, shared())} ${100 + Math.floor(shared() * 900)}`
  const noise = Math.sqrt(-2 * Math.log(1 - shared())) * Math.cos(2 * Math.PI * shared())
  const common = drawAttributes(family, values, shared)
  const { axes, options } = isPaint(family) ? paintOptions(values, group.size, shared) : drawOptions(family, values, group.size, shared)
  const option = options[group.place]

  // If a model runs out of options, the rest of its block are single products.
  const own = randomOf(mix(mix(seed, 202), index))
  const attributes = option ? { ...common, ...option } : group.place === 0 ? common : drawAttributes(family, values, own)
  const name =
    option || group.place === 0 ? `${brand.name} ${line}` : `${brand.name} ${pick(series, own())} ${100 + Math.floor(own() * 900)}`

  const titles = titlesOf(family, attributes, name)
  const weightG = weightOf(family, attributes)
  const id = firstProductId + index
  const roll = (salt: number) => chance(seed, index, salt)
  const fame = roll(41) < 0.12 ? 0 : Math.floor(roll(42) ** 4 * 900) + 1
  const popularity = Math.round(1_000_000 * (0.75 * roll(43) ** 3 + 0.25 * Math.min(1, fame / 900)))
  const stars = starsOf(Math.ceil(fame / buyersPerReview), 3 + 2 * Math.sqrt(roll(45)), randomOf(mix(mix(seed, 606), index)))
  const isEnded = index >= 300 && roll(44) < 0.005
  return {
    index,
    id,
    articleId: firstArticleId + index,
    model: option ? { id: firstModelId + group.start, axes, isFirst: group.place === 0 } : null,
    brand,
    leaf,
    family,
    ean: eanOf(index),
    mpn: `${brand.name.slice(0, 3).toUpperCase()}-${leaf.id}-${String(index + 1).padStart(5, '0')}`,
    titles,
    descriptions: descriptionsOf(family, attributes, index),
    slugs: slugsOf(titles),
    attributes,
    weightG,
    unit: unitOf(family, attributes),
    flags: flagsOf({ family, attributes, brand, weightG, isTopSale: popularity > 640_000, roll, index }),
    pictures: picturesOf(family.key),
    documents: documentsOf(id, attributes.energy !== undefined),
    safety: {
      manufacturer: brand.maker.name,
      address: brand.maker.address,
      email: brand.maker.email,
      responsiblePerson:
        brand.country === 'GB'
          ? 'Purlin Compliance EU B.V., Keizerskade 14, 1000 AA Amsterdam, Netherlands'
          : `${brand.maker.name}, ${brand.maker.address}`,
      warnings: warningsOf(family, weightG),
    },
    rating: averageOf(stars),
    ratingCount: stars.length,
    stars,
    popularity,
    status: isEnded ? 'ended' : 'active',
    successorId: isEnded && roll(46) < 0.6 && option && group.place > 0 ? firstProductId + group.start : null,
    euros: priceOf(family, attributes, brand.tier, noise),
  }
}

/** A valid EAN in the range reserved for in-store numbers (200…299): never a real product's. */
function eanOf(index: number): string {
  const digits = `200${String(index).padStart(9, '0').slice(-9)}`
  let sum = 0
  for (let i = 0; i < 12; i += 1) sum += (i % 2 ? 3 : 1) * Number(digits[i])
  return digits + ((10 - (sum % 10)) % 10)
}

function unitOf(family: Family, attributes: Attributes): DemoProduct['unit'] {
  if (!family.unit_price) return null
  const { unit, per } = family.unit_price
  const quantityMilli = Math.round(Number(attributes[per]) * 1000)
  // A price per piece is pointless for a single piece.
  if (!(quantityMilli > 0) || (unit === 'piece' && quantityMilli === 1000)) return null
  return { measure: unit, quantityMilli }
}

const sampled = new Set(['floor_tile', 'wall_tile', 'laminate', 'parquet', 'vinyl_plank', 'decking', 'wall_paint', 'wallpaper'])

/** Materials often made from recycled ones, as claimed by the flag "eco" and its badge. */
const recycled = new Set([
  'steel',
  'galv_steel',
  'stainless',
  'aluminium',
  'cast_alu',
  'glass',
  'glass_wool',
  'plastic',
  'polyester',
  'wood_fibre',
  'wpc',
])

function flagsOf(of: {
  family: Family
  attributes: Attributes
  brand: DemoBrand
  weightG: number
  isTopSale: boolean
  roll: (salt: number) => number
  index: number
}): string[] {
  const { family, roll } = of
  const flags: string[] = []
  if (family.flags.includes('eco') || (recycled.has(String(of.attributes.material)) && roll(51) < 0.4)) flags.push('eco')
  if (of.brand.country === 'FR' && roll(52) < 0.6) flags.push('local_fr')
  if (family.flags.includes('battery') || of.attributes.power_source === 'battery') flags.push('battery')
  if (of.weightG > 40_000 || family.flags.some((flag) => flag === 'bulky' || flag === 'pallet') || isLong(family, of.attributes))
    flags.push('bulky')
  if (sampled.has(family.key) && (of.index < 120 || roll(53) < 0.6)) flags.push('sample')
  if (family.flags.includes('solar')) flags.push('solar')
  if (of.isTopSale) flags.push('top_sale')
  return flags
}

/** Too long for a parcel. */
function isLong(family: Family, { length_m: metres = 2, length_cm: centimetres = Number(metres) * 100 }: Attributes): boolean {
  return family.flags.includes('long') && Number(centimetres) >= 200
}
