import { markets, type Market } from '@purlin/contract/markets.ts'
import {
  inLanguage,
  pictureUrl,
  pictureVersion,
  productUrl,
  reference,
  showAttribute,
  type OfferForSale,
  type OfferToPrice,
} from '#catalogue'
import type { Scope } from '#platform'
import { conditionLabel, inTaxMode, priceBlock, priceDisplay, showMoney } from '#pricing'
import { hasChanges } from './confirm-cart-changes.ts'
import { describePricedCart, loadCartPrices, loadPricedCart, priceHeldCart, priceStoredCart } from './load-cart.ts'
import type { Cart } from './cart.ts'
import { deliveryNetOf, type PricedCart, type PricedSeller } from './price-cart.ts'
import type { PricedLine } from './price-lines.ts'
import { describeRefusal } from './refusal-words.ts'
import { couponBenefit } from './show-coupons.ts'
import { showTotals } from './show-totals.ts'

/** Attributes shown on a cart line. */
const shownAttributes = 3

/** A cart for the API; expensive fields are computed on request. */
export type ShownCart = ReturnType<typeof show>

/** Up to this many lines everything is read at once: what is shown of a few offers costs less than another statement. */
const fewLines = 20

/** The viewer's cart for the API. */
export async function showCart(scope: Scope): Promise<ShownCart> {
  return showWhole(scope, await loadPricedCart(scope))
}

/**
 * The cart that a command has left; read unless the command knows it. Most clients want the new totals: what is shown of many
 * offers is read when a field needs it.
 */
export async function showCartLeft(scope: Scope, known?: Cart | null, offers: readonly OfferForSale[] = []): Promise<ShownCart> {
  if (known && known.lines.length <= fewLines) return showWhole(scope, await priceStoredCart(scope, known, offers))
  const priced = await (known ? priceHeldCart(scope, known, offers) : loadCartPrices(scope))
  let described: Promise<PricedCart> | undefined
  return show(scope, priced, () => (described ??= describePricedCart(scope, priced)))
}

function showWhole(scope: Scope, priced: PricedCart): ShownCart {
  return show(scope, priced, () => Promise.resolve(priced))
}

/** `whole` is the same cart with everything that is shown of its offers. */
function show(scope: Scope, priced: PricedCart<OfferToPrice>, whole: () => Promise<PricedCart>) {
  const { market } = scope
  return {
    id: priced.cart.id,
    currency: markets[market].currency,
    taxKey: priced.totals.taxKey,
    itemCount: priced.cart.lines.reduce((all, { quantity }) => all + quantity, 0),
    // By far the most expensive part, and an add-to-cart does not request it.
    sellers: async () => {
      const [{ sellers }, vocabulary] = [await whole(), await reference(scope)]
      return sellers.map((group) =>
        showSeller(
          market,
          group,
          group.lines.map((one) => showLine(scope, vocabulary, one, group)),
        ),
      )
    },
    coupon: showCoupon(market, priced),
    totals: showTotals(market, priced.totals),
    changes: async () => (hasChanges(priced) ? showChanges(market, await whole()) : []),
    // For fields computed when they are requested.
    whole,
  }
}

function showSeller(market: Market, group: PricedSeller, lines: ReturnType<typeof showLine>[]) {
  const rate = group.lines.find(({ counted }) => counted > 0)?.vat ?? { rateBp: 0, hasNoVATForDE: false }
  const missing = group.freeDeliveryFrom === null ? 0 : group.freeDeliveryFrom - group.goods
  return {
    seller: group.seller,
    lines,
    deliveryOptions: group.options.map((option) => ({ ...option, fee: showMoney(market, inTaxMode(group.taxKey, option.fee, rate)) })),
    deliveryKind: group.kind || null,
    delivery: showMoney(market, group.taxKey === 'without_vat' ? deliveryNetOf(group) : group.delivery),
    subtotal: showMoney(
      market,
      group.lines.reduce((all, { taxKey, total, vat }) => all + inTaxMode(taxKey === group.taxKey ? taxKey : 'with_vat', total, vat), 0),
    ),
    missingForFreeDelivery: missing > 0 ? showMoney(market, missing) : null,
    freeDeliveryFrom: group.freeDeliveryFrom === null ? null : showMoney(market, group.freeDeliveryFrom),
  }
}

function showLine(
  scope: Scope,
  vocabulary: Awaited<ReturnType<typeof reference>>,
  line: PricedLine,
  { seller, options, kind }: PricedSeller,
) {
  const { market } = scope
  const { language } = markets[market]
  const { offer } = line
  const slug = inLanguage(offer.slugs, language)
  const unit = offer.unitMeasure && offer.unitQuantityMilli ? { measure: offer.unitMeasure, quantityMilli: offer.unitQuantityMilli } : null
  return {
    offerId: offer.id,
    productId: offer.productId,
    title: inLanguage(offer.titles, language),
    url: productUrl(slug, offer.productId),
    imageUrl: pictureUrl(offer.productId, offer.pictures[0], pictureVersion(offer)),
    quantity: line.quantity,
    step: line.step,
    maxQuantity: line.maxQuantity,
    unitPrice: priceBlock(priceDisplay(scope), {
      ...offer,
      // As charged, whatever it is that makes it so.
      price: line.unitPrice,
      proPrice: null,
      quantityBreaks: [],
      retailPrice: null,
      sellerCountry: seller.country,
      vat: line.vat,
      unit,
      range: null,
    }),
    total: showMoney(market, inTaxMode(line.taxKey, line.total, line.vat)),
    totalWithVat: showMoney(market, line.total),
    nextBreak: line.nextStep && {
      missing: line.nextStep.from - line.quantity,
      saving: showMoney(market, inTaxMode(line.taxKey, line.unitPrice, line.vat) - inTaxMode(line.taxKey, line.nextStep.price, line.vat)),
    },
    isYourPrice: line.isYourPrice,
    state: line.state,
    deliveryPromise: options.find((option) => option.kind === kind)?.promise ?? '',
    conditionLabel: offer.condition === 'new' ? null : conditionLabel(market, offer.condition),
    attributes: Object.entries(offer.attributes)
      .flatMap(([key, value]) => showAttribute(vocabulary, market, key, value) ?? [])
      .slice(0, shownAttributes),
  }
}

function showCoupon(market: Market, { cart, couponDiscount, couponReason, sellers }: PricedCart<OfferToPrice>) {
  if (cart.couponCode === null) return null
  const hasQuotes = sellers.some(({ lines }) => lines.some(({ quote }) => quote !== null))
  const reason = couponReason ?? (hasQuotes ? 'coupon-not-for-quotes' : null)
  return {
    code: cart.couponCode,
    label: cart.coupon ? couponBenefit(market, cart.coupon) : cart.couponCode,
    discount: showMoney(market, couponDiscount),
    note: reason && describeRefusal(market, { ok: false, reason }).message,
  }
}

function showChanges(market: Market, priced: PricedCart) {
  const { language } = markets[market]
  const gone = priced.vanished.map((offerId) => ({ offerId, title: '', kind: 'offer-gone', before: null, after: null }))
  const changed = priced.sellers.flatMap(({ lines }) =>
    lines
      .filter(({ state }) => state !== 'ok')
      .map(({ offer, state, seenPrice, unitPrice, quantity, counted }) => {
        const isPrice = state === 'price-changed'
        return {
          offerId: offer.id,
          title: inLanguage(offer.titles, language),
          kind: state,
          before: isPrice ? showMoney(market, seenPrice).formatted : String(quantity),
          after: isPrice ? showMoney(market, unitPrice).formatted : String(counted),
        }
      }),
  )
  return [...gone, ...changed]
}
