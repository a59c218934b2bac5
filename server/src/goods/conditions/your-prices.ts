import type { TaxKey } from '@purlin/contract/money.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { reference } from '#catalogue'
import type { Beside, Scope, SiteScope } from '#platform'
import {
  categoryPath,
  cheapestDelivery,
  deliveryFor,
  deliveryKindLabel,
  differsFromPages,
  inTaxMode,
  priceBlock,
  priceDisplay,
  priceSteps,
  showMoney,
  stepAt,
  taxKey,
  unitContent,
  vatOf,
  vatRules,
  type DeliveryOffer,
  type Vat,
} from '#pricing'
import { knownSellers } from '#sellers'
import { companyOnPro, pricesByRules } from './agreed-prices.ts'
import { freeDelivery } from './ports.ts'
import { offersWithRulesBeside, readOffersWithRules } from './store.ts'

const maxOffers = 100

/** The price of an offer, and what its delivery depends on. */
export interface OwnPrice {
  offerId: string
  price: string
  /** The label of its tax mode, where that is not the page's. */
  tax: string | null
  lines: readonly string[]
  isLower: boolean
  /** Whether the label of free delivery on the page is untrue for the company. A plain value: a resolver for each of 48 offers would cost as much as the rest. */
  losesFreeDelivery: boolean
  quantityBreaks: readonly { from: number; each: string }[]
  /** Of one piece, minor units with VAT. */
  asked: number
  /** Null unless delivery was requested. */
  options: readonly DeliveryOffer[] | null
  inMode: { key: TaxKey; vat: Vat }
  /** The company's subscription pays the delivery of parcels. */
  hasFreeDelivery: boolean
}

/** Arguments of a request for prices. Lists show no delivery, a third of an offer's data. */
export interface PricesWanted {
  offerIds: readonly string[]
  withDelivery: boolean
}

/** Ids that cannot be those of offers are ignored. */
function idsIn(offerIds: readonly string[]): string[] {
  return [...new Set(offerIds)].filter((id) => /^[1-9]\d{0,17}$/.test(id)).slice(0, maxOffers)
}

/** Everything that the prices depend on, read in the statement that finds the session. */
export function yourPricesBeside(site: SiteScope, { offerIds, withDelivery }: PricesWanted): Beside | undefined {
  return site.mode === 'b2b' ? offersWithRulesBeside(site, idsIn(offerIds), withDelivery) : undefined
}

/**
 * Prices of the acting company for offers shown on a page that is the same for everybody: only those that are better than the
 * price on the page, or in another tax mode. Without quotes, which count in the cart, for their quantity alone. One statement, however many
 * offers and lists.
 */
export async function showYourPrices(scope: Scope, { offerIds, withDelivery }: PricesWanted): Promise<OwnPrice[]> {
  const companyId = companyOnPro(scope)
  if (companyId === null) return []
  const { offers: found, rules: agreedRules, subscription } = await readOffersWithRules(scope, companyId, idsIn(offerIds), withDelivery)
  const offers = found.filter(({ market }) => market === scope.market)
  const { market, now } = scope
  const display = priceDisplay(scope)
  if (agreedRules.length === 0 && !differsFromPages(display)) return []
  const t = wordsFor(market)
  const [sellers, rules, catalogue] = await Promise.all([
    knownSellers(scope, new Set(offers.map(({ sellerId }) => sellerId))),
    vatRules(scope),
    reference(scope),
  ])
  // A page is rendered for nobody in particular.
  const ofPage = priceDisplay({ market, mode: scope.mode, prefersVat: scope.prefersVat })
  const agreed = pricesByRules(catalogue, offers, agreedRules)
  const hasFreeDelivery = freeDelivery().isFree(subscription, scope)
  return offers.flatMap((offer): OwnPrice | OwnPrice[] => {
    const seller = sellers.get(offer.sellerId)
    const own = { ...offer, agreed: agreed.get(offer.id) }
    const steps = priceSteps(display, own)
    if (!seller) return []
    const key = taxKey(display, seller.country)
    const asked = stepAt(steps, 1).price
    const onPage = stepAt(priceSteps(display, offer), 1).price
    const isBetter = asked !== onPage
    const isTaxedOtherwise = key !== taxKey(ofPage, seller.country)
    if (!isBetter && !isTaxedOtherwise) return []
    const freeFrom = seller.freeDeliveryFrom[market] ?? null
    const vat = vatOf(rules, market, categoryPath(catalogue, offer.categoryId), now)
    const { main, unit, pack } = priceBlock(display, {
      ...own,
      retailPrice: null,
      sellerCountry: seller.country,
      vat,
      unit: offer.isSample ? null : unitContent(offer),
      range: null,
    })
    const tax = key === 'with_vat' ? t('goods.with-vat') : t('goods.without-vat')
    return {
      asked,
      options: withDelivery ? deliveryFor(offer.delivery, asked, freeFrom) : null,
      inMode: { key, vat },
      hasFreeDelivery,
      offerId: offer.id,
      price: main.asString,
      tax: isTaxedOtherwise && vat.rateBp !== 0 ? tax : null,
      lines: [
        ...(isBetter ? [t('your-price.label')] : []),
        ...(pack ? [t('goods.pack', { quantity: pack.quantity, price: pack.amount.asString })] : []),
        ...(unit ? [unit.label] : []),
      ],
      isLower: isBetter,
      losesFreeDelivery: !hasFreeDelivery && freeFrom !== null && asked < freeFrom && onPage >= freeFrom,
      quantityBreaks: steps.slice(1).map(({ from, price }) => ({
        from,
        each: t('quantity-break.each', { price: showMoney(market, inTaxMode(key, price, vat)).formatted }),
      })),
    }
  })
}

/** The fees of the company, whose subscription may pay those of parcels. */
function optionsOf({ options, asked, hasFreeDelivery }: OwnPrice): readonly DeliveryOffer[] | null {
  return options && hasFreeDelivery ? deliveryFor(options, asked, 0) : options
}

export function showLandedPrice({ market }: SiteScope, own: OwnPrice) {
  const options = optionsOf(own)
  const {
    asked,
    inMode: { key, vat },
  } = own
  return options && showMoney(market, inTaxMode(key, asked + (cheapestDelivery(options)?.fee ?? 0), vat))
}

export function showDelivery({ market }: SiteScope, own: OwnPrice) {
  const options = optionsOf(own)
  if (!options) return null
  const { key, vat } = own.inMode
  const t = wordsFor(market)
  return options.map(({ kind, fee }) => ({
    kind,
    text: t('product.delivery-option', {
      kind: deliveryKindLabel(market, kind),
      fee: fee === 0 ? t('goods.free') : showMoney(market, inTaxMode(key, fee, vat)).formatted,
    }),
  }))
}
