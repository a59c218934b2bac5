import { markets } from '@purlin/contract/markets.ts'
import { companyOf, customerIdOf, emailOf } from '#accounts'
import { loadPricedCart } from '#cart'
import { inLanguage, offersForSale, productUrl, reference, type OfferForSale } from '#catalogue'
import { addDays, askedPrice, categoryPath, localDay, priceDisplay, vatOf, vatRules } from '#pricing'
import { contractPrices } from '#conditions'
import { newId, takeNumbers, takeQuota, type Scope } from '#platform'
import { knownSellers, sellsTo } from '#sellers'
import { answerDays, maxLines, type QuoteLine } from './quote.ts'
import { ownQuote } from './move-quote.ts'
import { writeQuote } from './store.ts'

/** All the lines of one seller in the cart, one offer, or the goods of an earlier quote. */
export interface QuoteSubject {
  sellerId?: number | null
  quoteId?: string | null
  offerId?: string | null
  quantity?: number | null
}
export interface RequestQuote extends QuoteSubject {
  message: string
  /** A day: "2026-12-24". */
  wantedOn?: string | null
}

interface Draft {
  sellerId: number
  sellerName: string
  lines: Omit<QuoteLine, 'price'>[]
}
export type QuoteRefusal =
  | 'nothing-to-quote'
  | 'message-too-long'
  | 'day-invalid'
  | 'too-many-attempts'
  | 'unknown-quote'
  | 'quote-not-open'

/** The goods of a request for a quote; null if they cannot be bought here. */
export async function draftQuote(scope: Scope, subject: QuoteSubject): Promise<Draft | null> {
  if (scope.mode !== 'b2b') return null
  const wanted = await wantedGoods(scope, subject)
  const [first] = wanted
  if (!first || wanted.length > maxLines) return null
  const seller = (await knownSellers(scope, [first.offer.sellerId])).get(first.offer.sellerId)
  if (!seller || !sellsTo(seller, 'b2b')) return null
  const { language } = markets[scope.market]
  const [rules, catalogue, agreed] = await Promise.all([
    vatRules(scope),
    reference(scope),
    contractPrices(
      scope,
      wanted.map(({ offer }) => offer),
    ),
  ])
  const display = priceDisplay(scope)
  return {
    sellerId: seller.id,
    sellerName: seller.name,
    lines: wanted.map(({ offer, quantity: pieces }) => ({
      offerId: offer.id,
      title: inLanguage(offer.titles, language),
      url: productUrl(inLanguage(offer.slugs, language), offer.productId),
      quantity: pieces,
      listPrice: askedPrice(display, { ...offer, agreed: agreed.get(offer.id) }, pieces),
      vatRateBp: vatOf(rules, scope.market, categoryPath(catalogue, offer.categoryId), scope.now).rateBp,
    })),
  }
}

interface Wanted {
  offer: OfferForSale
  quantity: number
}

async function wantedGoods(scope: Scope, { sellerId, offerId, quantity, quoteId }: QuoteSubject): Promise<Wanted[]> {
  if (quoteId) {
    const { lines = [] } = (await ownQuote(scope, 'quote.see', quoteId)) ?? {}
    return (await Promise.all(lines.map((line) => oneOffer(scope, line.offerId, line.quantity)))).flat()
  }
  if (offerId) return oneOffer(scope, offerId, quantity ?? 1)
  const { sellers } = await loadPricedCart(scope)
  const lines = sellers.filter(({ seller }) => seller.id === sellerId).flatMap((group) => group.lines)
  return lines.filter(({ counted }) => counted > 0).map((line) => ({ offer: line.offer, quantity: line.counted }))
}

async function oneOffer(scope: Scope, offerId: string, quantity: number): Promise<Wanted[]> {
  if (!/^[1-9]\d{0,17}$/.test(offerId) || !Number.isSafeInteger(quantity) || quantity < 1 || quantity > 999) return []
  const offer = (await offersForSale(scope.db, [offerId])).get(offerId)
  if (!offer?.onSale || offer.market !== scope.market || offer.isSample) return []
  const step = offer.bulk ?? 1
  return [{ offer, quantity: Math.ceil(quantity / step) * step }]
}

/** Requests a quote from one seller, on behalf of the acting company. */
export async function requestQuote(
  scope: Scope,
  { message, wantedOn = null, ...subject }: RequestQuote,
): Promise<{ ok: true; quoteId: string } | { ok: false; reason: QuoteRefusal }> {
  const [companyId, customerId, email] = [companyOf(scope), customerIdOf(scope), emailOf(scope)]
  const draft = await draftQuote(scope, subject)
  if (!draft || companyId === null || customerId === null || email === null) return { ok: false, reason: 'nothing-to-quote' }
  const text = message.trim()
  if (text.length > 2000) return { ok: false, reason: 'message-too-long' }
  const { market, origin, now } = scope
  if (wantedOn !== null && !isDay(wantedOn, wantedDays(scope))) return { ok: false, reason: 'day-invalid' }
  const { ok } = await takeQuota('message', { customer: customerId })
  if (!ok) return { ok: false, reason: 'too-many-attempts' }
  const id = newId()
  const number = `Q${await takeNumbers(scope.db, 'quote', 1, 10_001)}`
  const answerBy = new Date(now.getTime() + answerDays * 86_400_000)
  const { sellerId, lines } = draft
  await writeQuote(scope.db, {
    id,
    number,
    sellerId,
    market,
    origin,
    companyId,
    customerId,
    email,
    message: text,
    wantedOn,
    answerBy,
    lines,
  })
  scope.emit('quote.changed', { quoteId: id, sellerId, state: 'requested' })
  return { ok: true, quoteId: id }
}

/** The first and the last day by which goods may be wanted. */
export function wantedDays({ market, now }: Pick<Scope, 'market' | 'now'>): { from: string; until: string } {
  const from = localDay(market, now)
  return { from, until: addDays(from, 730) }
}

function isDay(day: string, { from, until }: ReturnType<typeof wantedDays>): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) && day >= from && day <= until
}
