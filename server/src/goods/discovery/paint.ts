import { markets, type Market } from '@purlin/contract/markets.ts'
import type { ProductCard } from '@purlin/contract/product-card.ts'
import type { SiteScope } from '#platform'
import {
  attributeText,
  findProduct,
  inLanguage,
  offersForSale,
  paintIds,
  paintUrl,
  reference,
  showAttribute,
  stockToSell,
  type AttributeValue,
  type Product,
  type ProductSheet,
  type Reference,
} from '#catalogue'
import { cardsOf, productAlternates } from '#listing'
import { showMoney } from '#pricing'
import { litresMax, planTins } from './plan-tins.ts'

export interface PaintColor {
  value: string
  label: string
  hex: string | null
  selected: boolean
  url: string
  tins: PaintTin[]
}

export interface PaintTin {
  litres: number
  url: string
  stock: number
  card: ProductCard
}

export interface Paint {
  url: string | null
  coverage: number
  color: PaintColor | null
  colors: PaintColor[]
  plan: PaintPlan | null
  alternates: { market: Market; url: string }[]
}

type ShownMoney = ReturnType<typeof showMoney>
export interface PaintPlan {
  litres: number
  lines: { tin: PaintTin; quantity: number; total: ShownMoney }[]
  total: ShownMoney
  spare: number
}

export interface PaintNeed {
  /** Square metres. */
  area: number
  coats: number
}

type Attributes = Readonly<Record<string, AttributeValue>>
interface Tin {
  id: string
  slug: string
  attributes: Attributes
}

/** A model has a few dozen tins at most; this bounds one statement and one question to the engine. */
const tinsMax = 60
const sitemapMax = 5_000

/** Goods sold by the litre whose spreading rate is known. */
export function isPaint({ unitMeasure, attributes }: Pick<Product, 'unitMeasure' | 'attributes'>): boolean {
  return unitMeasure === 'l' && typeof attributes['coverage'] === 'number' && attributes['coverage'] > 0
}

export function ownPaintUrl(product: Pick<Product, 'id' | 'slugs'>, market: Market): string {
  return paintUrl(inLanguage(product.slugs, markets[market].language), product.id)
}

/** The paint page of a tin's own page. */
const atPaint = (url: string): string => url.replace(/^\/p\//, '/paint/')

const litresOf = ({ attributes }: Tin): number => (typeof attributes['volume'] === 'number' ? attributes['volume'] : 0)

/** The paint of a tin, in the colours and sizes that this storefront sells. */
export async function showPaint(scope: SiteScope, productId: string, need: PaintNeed): Promise<Paint | null> {
  const sheet = await findProduct(scope, productId)
  if (!sheet || !isPaint(sheet.product)) return null
  const { product } = sheet
  const tins = tinsOf(sheet, scope.market)
  const tinIds = tins.map(({ id }) => id)
  const [vocabulary, cards, alternates] = await Promise.all([reference(scope), cardsOf(scope, tinIds), productAlternates(scope, tinIds)])
  const sold = new Map(cards.map((card) => [card.productId, card]))
  const offers = await offersForSale(
    scope.db,
    cards.map(({ offerId }) => offerId),
  )
  const colorOf = (value: string): PaintColor => {
    const ofColor = tins.filter(({ attributes }) => (attributes['color'] ?? '') === value)
    const target =
      ofColor.find((tin) => sold.has(tin.id) && litresOf(tin) === product.attributes['volume']) ?? ofColor.find(({ id }) => sold.has(id))
    const { id, slug } = target ?? ofColor[0] ?? { id: product.id, slug: '' }
    return {
      ...wordsOf(vocabulary, scope.market, value),
      selected: (product.attributes['color'] ?? '') === value,
      url: paintUrl(slug, id),
      tins: ofColor
        .flatMap((tin): PaintTin[] => {
          const card = sold.get(tin.id)
          const offer = card && offers.get(card.offerId)
          return card && offer ? [{ litres: litresOf(tin), url: card.url, stock: stockToSell(offer), card }] : []
        })
        .toSorted((a, b) => a.litres - b.litres),
    }
  }
  const values = [...new Set(tins.map(({ attributes }) => String(attributes['color'] ?? '')))]
  const first = tins.find(({ id }) => sold.has(id))
  const colors = values.map(colorOf)
  const color = colors.find(({ selected }) => selected) ?? null
  const coverage = Number(product.attributes['coverage'])
  return {
    url: first ? paintUrl(first.slug, first.id) : null,
    alternates: alternates.map(({ market, url }) => ({ market, url: atPaint(url) })),
    coverage,
    color,
    plan: color && planOf(scope.market, color.tins, coverage, need),
    colors: colors
      .filter(({ tins: ofColor }) => ofColor.length > 0)
      .toSorted((a, b) => a.label.localeCompare(b.label, markets[scope.market].locale)),
  }
}

const coatsMax = 4

function planOf(market: Market, tins: readonly PaintTin[], coverage: number, { area, coats }: PaintNeed): PaintPlan | null {
  const litres = Math.ceil(((area * coats) / coverage) * 100 - 1e-9) / 100
  if (!(litres > 0) || litres > litresMax || coats < 1 || coats > coatsMax || tins.length === 0) return null
  const priceOf = ({ card }: PaintTin) => Math.round(card.prices.main.asFloat * 100)
  const counts = planTins(
    litres,
    tins.map((tin) => ({ litres: tin.litres, price: priceOf(tin), stock: tin.stock, step: tin.card.bulk ?? 1 })),
  )
  const chosen = tins.flatMap((tin, at) => {
    const quantity = counts?.[at] ?? 0
    return quantity > 0 ? [{ tin, quantity, amount: priceOf(tin) * quantity }] : []
  })
  const held = chosen.reduce((sum, { tin, quantity }) => sum + tin.litres * quantity, 0)
  return {
    litres,
    lines: chosen.map(({ tin, quantity, amount }) => ({ tin, quantity, total: showMoney(market, amount) })),
    total: showMoney(
      market,
      chosen.reduce((sum, { amount }) => sum + amount, 0),
    ),
    spare: Math.max(0, Math.round((held - litres) * 100) / 100),
  }
}

function tinsOf({ product, siblings }: ProductSheet, market: Market): Tin[] {
  const own = { id: product.id, slug: inLanguage(product.slugs, markets[market].language), attributes: product.attributes }
  const all = siblings.some(({ id }) => id === product.id) ? siblings : [own, ...siblings]
  return all.filter((tin) => litresOf(tin) > 0).slice(0, tinsMax)
}

function wordsOf(vocabulary: Reference, market: Market, value: string): Pick<PaintColor, 'value' | 'label' | 'hex'> {
  const shown = showAttribute(vocabulary, market, 'color', value)
  return { value, label: shown ? attributeText(shown) : value, hex: vocabulary.words.get(value)?.hex ?? null }
}

/** One address per paint this storefront sells: that of its first tin. */
export async function sitemapPaints(scope: SiteScope): Promise<string[]> {
  const ids = await paintIds(scope.db, scope.market, sitemapMax)
  const paints = new Map<string, string>()
  for (let at = 0; at < ids.length; at += 500)
    for (const { productId, modelId, url } of await cardsOf(scope, ids.slice(at, at + 500))) {
      const key = modelId ?? productId
      if (!paints.has(key)) paints.set(key, atPaint(url))
    }
  return [...paints.values()]
}
