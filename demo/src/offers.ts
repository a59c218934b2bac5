import type { Condition } from '@purlin/contract/product-card.ts'
import { deliveryOf, type DemoDelivery } from './delivery.ts'
import { demoMarkets, type Market } from './languages.ts'
import { couponCodeOf, type DemoOperation } from './operations.ts'
import { shelfPrice } from './price.ts'
import type { DemoProduct } from './product.ts'
import { pricingOf, type PricePoint } from './promotions.ts'
import { chance } from './random.ts'
import { outletsOf, sellersOf, type DemoSeller } from './sellers.ts'
import { solarCategoryId } from './categories.ts'

export interface DemoOffer {
  id: number
  productId: number
  sellerId: number
  market: Market
  pimOfferId: number
  condition: Condition
  currency: 'EUR' | 'GBP'
  price: number
  proPrice: number | null
  quantityBreaks: { group: 'b2c' | 'b2b'; from: number; price: number }[]
  stock: number
  bulk: number | null
  maxQuantity: number | null
  isSample: boolean
  isMmf: boolean
  delivery: DemoDelivery[]
  operationIds: number[]
  promotionEndsAt: Date | null
  couponCode: string | null
  sponsored: boolean
  status: 'active' | 'paused'
  history: PricePoint[]
}

/** Inputs of the offers besides the product. */
export interface OfferSetting {
  seed: number
  /** Midnight UTC of the seed's day. */
  day: number
  operations: readonly DemoOperation[]
}

const firstOfferId = 10_000_001
/** Id range of a product's offers: five markets of twelve slots, and four to spare. */
const idsPerProduct = 64
const placesPerMarket = 12
/** Slots 0…5 of a market are new goods by seller, 6…7 second-hand ones, 10 the sample. */
const secondHandPlace = 6
const samplePlace = 10

const poundsPerEuro = 0.86
const levels: Record<Market, number> = { gb: 1, fr: 1, de: 0.98, es: 0.97, it: 1.01 }

/** All offers of a product, in all markets. */
export function offersOf(product: DemoProduct, setting: OfferSetting): DemoOffer[] {
  return demoMarkets.flatMap((market, marketIndex) => {
    const chosen = sellersIn(product, market, setting.seed)
    const place = (number: number) => ({
      id: firstOfferId + product.index * idsPerProduct + marketIndex * placesPerMarket + number,
      market,
    })
    const offers = chosen.map((seller, number) => newOffer(product, seller, place(number), setting))
    const used = secondHand(product, place(secondHandPlace), setting)
    const onlyUsed = used !== null && product.index >= 120 && chance(setting.seed, product.index, 62) < 0.12
    const sample = sampleOffer(product, chosen, place(samplePlace), setting)
    return [...(onlyUsed ? [] : offers), ...(used ? [used] : []), ...(sample && !onlyUsed ? [sample] : [])]
  })
}

/** One to six sellers, or none: a few products are not sold in every market. The same sellers come first in each market. */
function sellersIn(product: DemoProduct, market: Market, seed: number): DemoSeller[] {
  const roll = (salt: number, more: number) => chance(seed, product.index, salt, more)
  const marketNumber = demoMarkets.indexOf(market)
  const isShown = product.index < 120 || product.leaf.path.includes(solarCategoryId)
  if (!isShown && roll(61, marketNumber) < 0.03) return []
  const able = sellersOf(product.leaf.department, market).toSorted((a, b) => roll(63, a.id) - roll(63, b.id))
  const u = roll(64, product.index < 12 ? 0 : marketNumber)
  const wanted =
    product.index % 6 === 0 && product.index < 120 ? 3 : u < 0.45 ? 1 : u < 0.7 ? 2 : u < 0.84 ? 3 : u < 0.92 ? 4 : u < 0.97 ? 5 : 6
  const chosen = able.slice(0, wanted)
  // A product offered only by trade sellers would be missing from the consumer shop.
  const forAll = able.find((seller) => !seller.b2b)
  if (forAll && chosen.every((seller) => seller.b2b) && roll(65, marketNumber) < 0.85) chosen[chosen.length - 1] = forAll
  return chosen
}

type Place = { id: number; market: Market }

function baseOffer(product: DemoProduct, seller: DemoSeller, place: Place) {
  return {
    ...place,
    productId: product.id,
    sellerId: seller.id,
    pimOfferId: product.index * idsPerProduct + seller.id,
    currency: place.market === 'gb' ? ('GBP' as const) : ('EUR' as const),
    proPrice: null,
    quantityBreaks: [],
    bulk: null,
    maxQuantity: null,
    isSample: false,
    isMmf: false,
    operationIds: [],
    promotionEndsAt: null,
    couponCode: null,
    sponsored: false,
    status: 'active' as const,
  }
}

function localPrice(product: DemoProduct, market: Market, factor: number): number {
  // German solar goods have no VAT: their price is the net one.
  const taxFree = market === 'de' && product.leaf.path.includes(solarCategoryId) ? 1 / 1.19 : 1
  return shelfPrice(Math.max(1.1, product.euros * levels[market] * factor * taxFree * (market === 'gb' ? poundsPerEuro : 1)))
}

function newOffer(product: DemoProduct, seller: DemoSeller, place: Place, { seed, day, operations }: OfferSetting): DemoOffer {
  const roll = (salt: number) => chance(seed, place.id, salt, 71)
  const department = product.leaf.department
  const regular = localPrice(product, place.market, seller.priceFactor * (0.96 + 0.08 * roll(1)))
  const priced = pricingOf({ regular, department, market: place.market, day, operations, roll: (salt) => chance(seed, place.id, salt, 72) })
  const isMmf = seller.mmf === true && !product.flags.includes('bulky') && roll(2) < 0.6
  const bulk = bulkOf(product, roll(7), roll(8))
  const isPro = seller.b2b === true || (seller.pro === true && roll(3) < 0.75) || roll(3) < 0.08
  return {
    ...baseOffer(product, seller, place),
    condition: 'new',
    price: priced.price,
    proPrice: isPro ? Math.max(1, Math.floor(priced.price * (0.84 + 0.12 * roll(4)))) : null,
    quantityBreaks: quantityBreaksOf(priced.price, bulk ?? 1, isPro, roll(13)),
    stock: stockOf(roll(5), roll(6), product.index) * (bulk ?? 1),
    bulk,
    maxQuantity: bulk === null && roll(9) < 0.03 ? 5 : null,
    isMmf,
    delivery: deliveryOf(product, seller, place.market, isMmf, (salt) => chance(seed, place.id, salt, 73)),
    operationIds: priced.operationIds,
    promotionEndsAt: priced.promotionEndsAt,
    couponCode: roll(10) < 0.15 ? couponCodeOf(place.market, department) : null,
    sponsored: roll(11) < 0.02,
    status: product.index >= 120 && roll(12) < 0.01 ? 'paused' : 'active',
    history: priced.history,
  }
}

/** Sellers to the trade give professionals better prices for several pieces; a few give them to everybody. */
function quantityBreaksOf(price: number, bulk: number, isPro: boolean, roll: number): DemoOffer['quantityBreaks'] {
  if (!isPro || price > 50_000 || roll > 0.45) return []
  const steps = [
    [5, 0.81],
    [10, 0.78],
    [25, 0.74],
  ] as const
  const b2b = steps.map(([from, share]) => ({ group: 'b2b' as const, from: from * bulk, price: Math.floor(price * share) }))
  const everybody = roll < 0.1 && price >= 200 ? [{ group: 'b2c' as const, from: 10 * bulk, price: Math.floor(price * 0.95) }] : []
  return price >= 100 ? [...b2b, ...everybody] : []
}

/** Stock of an offer: sold out, a few or plenty; products of the showcase are always in stock. */
function stockOf(u: number, v: number, index: number): number {
  if (index >= 120 && u < 0.05) return 0
  if (u < 0.13) return 1 + Math.floor(v * 5)
  return 6 + Math.floor(v ** 2 * 400)
}

const soldInMultiples = new Set([
  'cement',
  'concrete_mix',
  'plaster',
  'tile_adhesive',
  'osb_panel',
  'plasterboard',
  'floor_tile',
  'wood_pellets',
  'insulation',
  'screws',
  'gloves',
])

function bulkOf(product: DemoProduct, u: number, v: number): number | null {
  if (!soldInMultiples.has(product.family.key) || u > (product.index < 120 ? 0.5 : 0.2)) return null
  return [2, 4, 5, 6, 10][Math.floor(v * 5)] as number
}

/** Durable goods may be resold: machines, appliances, furniture. */
const durable = new Set(['tools', 'garden', 'kitchen', 'furniture', 'heating', 'pool'])
const conditions: readonly Exclude<Condition, 'new'>[] = [
  'used_good',
  'used_very_good',
  'refurbished_good',
  'refurbished_very_good',
  'never_used',
]
const worth: Record<Exclude<Condition, 'new'>, number> = {
  used_good: 0.52,
  used_very_good: 0.61,
  refurbished_good: 0.68,
  refurbished_very_good: 0.75,
  never_used: 0.86,
}
const perishable = /plant|tree|seeds|pellets|firewood|chlorine|saw_blade|drill_bits/

function secondHand(product: DemoProduct, place: Place, { seed, day }: OfferSetting): DemoOffer | null {
  const { leaf, family, index } = product
  if (!durable.has(leaf.department) || perishable.test(family.key)) return null
  if (chance(seed, index, 66) > (index < 120 ? 0.6 : 0.14)) return null
  const [seller] = outletsOf(leaf.department, place.market)
  if (!seller) return null
  const roll = (salt: number) => chance(seed, place.id, salt, 74)
  const condition = conditions[Math.floor(chance(seed, index, 67) * conditions.length)] as Exclude<Condition, 'new'>
  const price = localPrice(product, place.market, worth[condition] * (0.95 + 0.1 * roll(1)))
  return {
    ...baseOffer(product, seller, place),
    condition,
    price,
    stock: 1 + Math.floor(roll(2) ** 2 * 4),
    delivery: deliveryOf(product, seller, place.market, false, roll),
    history: [{ price, validFrom: new Date(day - (3 + Math.floor(roll(3) * 50)) * 86_400_000) }],
  }
}

/** A swatch, an offcut or a test pot of the first seller's product: one per order. */
function sampleOffer(product: DemoProduct, [seller]: DemoSeller[], place: Place, { seed, day }: OfferSetting): DemoOffer | null {
  if (!product.flags.includes('sample') || !seller) return null
  const price = place.market === 'gb' ? 199 : 249
  return {
    ...baseOffer(product, seller, place),
    condition: 'new',
    price,
    stock: 20 + Math.floor(chance(seed, place.id, 75) * 100),
    maxQuantity: 1,
    isSample: true,
    delivery: [{ kind: 'standard', fee: 0, daysMin: 2, daysMax: 4 }],
    history: [{ price, validFrom: new Date(day - 90 * 86_400_000) }],
  }
}
