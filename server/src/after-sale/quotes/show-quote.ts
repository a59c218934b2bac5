import { authorize, companyOf, customerIdOf, readMembers, type CompanyMember } from '#accounts'
import { readQuoteHolder } from '#conditions'
import { inTaxMode, priceDisplay, showMoney, splitGross, taxKey } from '#pricing'
import type { Scope } from '#platform'
import { knownSellers } from '#sellers'
import { draftQuote, wantedDays, type QuoteSubject } from './request-quote.ts'
import { ownQuote } from './move-quote.ts'
import { deliveryByRate, isPriced } from './quote-pdf.ts'
import type { Quote, QuoteLine } from './quote.ts'
import { countQuotesOf, readQuotesOf } from './store.ts'

const pageSize = 50
const lastPage = 1000

/** The quotes of the acting company, newest first, page by page. */
export async function showQuotes(scope: Scope, state: Quote['state'] | null, page: number) {
  const companyId = companyOf(scope)
  if (companyId === null || page < 1 || page > lastPage) return []
  const asked = { companyId, market: scope.market, state }
  const quotes = await readQuotesOf(scope.db, asked, { limit: pageSize, offset: (page - 1) * pageSize })
  const members = await readMembers(scope.db, companyId)
  return Promise.all(quotes.map((quote) => showQuote(scope, quote, members)))
}

export async function countQuotes({ db, market, ...scope }: Scope, state: Quote['state'] | null) {
  const companyId = companyOf(scope)
  const total = companyId === null ? 0 : await countQuotesOf(db, { companyId, market, state })
  return { total, pages: Math.max(1, Math.ceil(total / pageSize)) }
}

export async function showOwnQuote(scope: Scope, id: string) {
  const quote = await ownQuote(scope, 'quote.see', id)
  return quote ? showQuote(scope, quote, await readMembers(scope.db, quote.companyId)) : null
}

export async function showDraft(scope: Scope, subject: QuoteSubject) {
  const draft = await draftQuote(scope, subject)
  if (!draft) return null
  const { lines, taxKey: key } = await amounts(scope, draft.sellerId, {
    lines: draft.lines.map((line) => ({ ...line, price: null })),
    delivery: null,
  })
  const { from: wantedFrom, until: wantedUntil } = wantedDays(scope)
  return { sellerId: draft.sellerId, sellerName: draft.sellerName, wantedFrom, wantedUntil, taxKey: key, lines }
}

async function showQuote(scope: Scope, quote: Quote, members: readonly CompanyMember[]) {
  const { id, number, state, message, note, wantedOn, createdAt, answerBy, validUntil, orderId, customerId, companyId } = quote
  const shown = await amounts(scope, quote.sellerId, quote)
  const pdfUrl = isPriced(quote) ? `/api/v1/quotes/${id}/pdf` : null
  const mayDecide = authorize(scope, 'quote.decide', { owner: `c:${customerId}`, companyId })
  // The customer whose cart it counts in.
  const holder = state === 'accepted' ? await readQuoteHolder(scope.db, id) : null
  const isLeft = holder !== null && !members.some((member) => member.id === holder)
  return {
    id,
    number,
    state,
    message,
    note,
    wantedOn,
    createdAt,
    answerBy,
    validUntil,
    orderId,
    pdfUrl,
    ...shown,
    requestedBy: members.find((member) => member.id === customerId)?.name ?? null,
    canAccept: mayDecide && (state === 'answered' || isLeft),
    canEnd: mayDecide && (state === 'answered' || state === 'requested'),
    isInYourCart: holder !== null && holder === customerIdOf(scope),
  }
}

/** Amounts in the viewer's tax mode; the total is what the order will cost without and with VAT. */
async function amounts(scope: Scope, sellerId: number, { lines, delivery }: { lines: readonly QuoteLine[]; delivery: number | null }) {
  const { market } = scope
  const seller = (await knownSellers(scope, [sellerId])).get(sellerId)
  const key = taxKey(priceDisplay(scope), seller?.country ?? '')
  const shown = (gross: number, rateBp: number) => inTaxMode(key, gross, { rateBp, hasNoVATForDE: false })
  const show = (amount: number) => showMoney(market, amount)
  const goods = lines.reduce((sum, { price, listPrice, quantity, vatRateBp }) => sum + shown((price ?? listPrice) * quantity, vatRateBp), 0)
  const shares = deliveryByRate({ lines, delivery })
  const freight = delivery === null ? null : shares.reduce((sum, [share, rateBp]) => sum + shown(share, rateBp), 0)
  const all = [...lines.map(({ price, quantity, vatRateBp }) => [(price ?? 0) * quantity, vatRateBp] as const), ...shares]
  const gross = all.reduce((sum, [amount]) => sum + amount, 0)
  const net = all.reduce((sum, [amount, rateBp]) => sum + splitGross(amount, rateBp).net, 0)
  const saving = lines.reduce(
    (sum, { price, listPrice, quantity, vatRateBp }) =>
      sum + shown(listPrice * quantity, vatRateBp) - shown((price ?? listPrice) * quantity, vatRateBp),
    0,
  )
  const isAnswered = isPriced({ lines, delivery })
  return {
    sellerName: seller?.name ?? '',
    taxKey: key,
    lines: lines.map(({ offerId, title, url, quantity, listPrice, price, vatRateBp }) => ({
      offerId,
      title,
      url,
      quantity,
      listPrice: show(shown(listPrice, vatRateBp)),
      price: price === null ? null : show(shown(price, vatRateBp)),
      total: show(shown((price ?? listPrice) * quantity, vatRateBp)),
    })),
    delivery: freight === null ? null : show(freight),
    total: isAnswered && freight !== null ? show(goods + freight) : null,
    totalWithoutVat: isAnswered ? show(net) : null,
    vat: isAnswered ? show(gross - net) : null,
    totalWithVat: isAnswered ? show(gross) : null,
    saving: isAnswered && saving > 0 ? show(saving) : null,
  }
}
