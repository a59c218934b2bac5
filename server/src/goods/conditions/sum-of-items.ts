import type { TaxKey } from '@purlin/contract/money.ts'
import { offersToPrice, reference } from '#catalogue'
import type { Scope, SiteScope } from '#platform'
import {
  categoryPath,
  priceDisplay,
  priceSteps,
  stepAt,
  sumInTaxMode,
  taxKey,
  taxKeyOfSum,
  vatOf,
  vatRules,
  type AgreedPrice,
  type LineOfSum,
  type PriceDisplay,
} from '#pricing'
import { knownSellers } from '#sellers'
import { agreedPrices } from './agreed-prices.ts'

export interface Item {
  offerId: string
  quantity: number
}
type Offers = Awaited<ReturnType<typeof offersToPrice>>

const maxItems = 100

/** Goods of these items as the viewer's cart will count them: with quantity breaks, and the prices of the viewer's company, but no quotes. */
export async function sumOfItems(scope: Scope, items: readonly Item[]): Promise<{ taxKey: TaxKey; amount: number }> {
  const offers = await offersOf(scope, items)
  const agreed = await agreedPrices(scope, [...offers.values()])
  const lines = await linesOf(scope, items, { display: priceDisplay(scope), offers, agreed })
  const key = taxKeyOfSum(lines)
  return { taxKey: key, amount: sumInTaxMode(key, lines) }
}

/** Items of a page that is the same for everybody, at public prices; what is not sold here is left out. */
export async function publicLines<One extends Item>(site: SiteScope, items: readonly One[]): Promise<(One & LineOfSum)[]> {
  const { market, mode, prefersVat } = site
  const offers = await offersOf(site, items)
  return linesOf(site, items, { display: priceDisplay({ market, mode, prefersVat }), offers, agreed: new Map() })
}

function offersOf({ db }: SiteScope, items: readonly Item[]): Promise<Offers> {
  const ids = items.map(({ offerId }) => offerId).filter((id) => /^[1-9]\d{0,17}$/.test(id))
  return offersToPrice(db.reads, [...new Set(ids)].slice(0, maxItems))
}

interface Prices {
  display: PriceDisplay
  offers: Offers
  agreed: ReadonlyMap<string, AgreedPrice>
}

async function linesOf<One extends Item>(site: SiteScope, items: readonly One[], { display, offers, agreed }: Prices) {
  const [sellers, rules, catalogue] = await Promise.all([
    knownSellers(site, new Set([...offers.values()].map(({ sellerId }) => sellerId))),
    vatRules(site),
    reference(site),
  ])
  return items.flatMap((item): (One & LineOfSum)[] => {
    const offer = offers.get(item.offerId)
    const seller = offer && sellers.get(offer.sellerId)
    if (!seller || offer.market !== site.market || item.quantity < 1) return []
    const { price } = stepAt(priceSteps(display, { ...offer, agreed: agreed.get(offer.id) }), item.quantity)
    const vat = vatOf(rules, site.market, categoryPath(catalogue, offer.categoryId), site.now)
    return [{ ...item, taxKey: taxKey(display, seller.country), total: price * item.quantity, vat }]
  })
}
