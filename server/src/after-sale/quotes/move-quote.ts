import { authorize, customerIdOf, readMember, readMembers } from '#accounts'
import { putLines } from '#cart'
import { handOverQuotedPrices, quotesOfOrder, readQuoteHolder, writeQuotedPrices } from '#conditions'
import type { EventPayloads } from '#events'
import { sendMail } from '#mail'
import { isId, type JobScope, type Scope } from '#platform'
import { knownSellers } from '#sellers'
import { quoteMail } from './mails.ts'
import { maxValidDays, type Quote, type QuoteMove, moves } from './quote.ts'
import { blankQuotes, readDue, readQuote, readQuotesBy, writeMove, writePrices } from './store.ts'

export type MoveRefusal = { ok: false; reason: 'unknown-quote' | 'quote-not-open' | 'lines-invalid' | 'validity-invalid' }
type Moved = { ok: true } | MoveRefusal

export interface QuoteAnswer {
  /** Every line, once. Minor units with VAT per piece. */
  lines: readonly { offerId: string; price: number }[]
  delivery: number
  validUntil: Date
  note: string
}

/** The seller names prices, delivery and validity; the buyer gets a mail. */
export async function answerQuote(scope: Scope, sellerId: number, id: string, answer: QuoteAnswer): Promise<Moved> {
  const quote = await sellersQuote(scope, sellerId, id)
  if (!quote) return { ok: false, reason: 'unknown-quote' }
  const named = new Set(answer.lines.map(({ offerId }) => offerId))
  if (named.size !== answer.lines.length || named.size !== quote.lines.length || !quote.lines.every(({ offerId }) => named.has(offerId)))
    return { ok: false, reason: 'lines-invalid' }
  const days = (answer.validUntil.getTime() - scope.now.getTime()) / 86_400_000
  if (days <= 0 || days > maxValidDays) return { ok: false, reason: 'validity-invalid' }
  const { delivery, validUntil, note } = answer
  if (!(await writeMove(scope.db, id, 'answer', { delivery, validUntil, note }))) return { ok: false, reason: 'quote-not-open' }
  await writePrices(scope.db, id, answer.lines)
  await tellBuyer(scope, { ...quote, validUntil, note }, 'answered')
  return { ok: true }
}

export async function refuseQuote(scope: Scope, sellerId: number, id: string, note: string): Promise<Moved> {
  const quote = await sellersQuote(scope, sellerId, id)
  if (!quote) return { ok: false, reason: 'unknown-quote' }
  if (!(await writeMove(scope.db, id, 'refuse', { note }))) return { ok: false, reason: 'quote-not-open' }
  await tellBuyer(scope, { ...quote, note }, 'refused')
  return { ok: true }
}

async function sellersQuote(scope: Scope, sellerId: number, id: string): Promise<Quote | undefined> {
  const quote = isId(id) ? await readQuote(scope.db, id) : undefined
  return quote && quote.sellerId === sellerId && authorize(scope, 'sellerQuote.answer', { sellerId: quote.sellerId }) ? quote : undefined
}

/** The quote, if the principal may take this action on it here. */
export async function ownQuote(scope: Scope, action: 'quote.see' | 'quote.decide', id: string): Promise<Quote | undefined> {
  const quote = isId(id) ? await readQuote(scope.db, id) : undefined
  if (!quote || quote.market !== scope.market) return undefined
  const owned = { owner: `c:${quote.customerId}`, companyId: quote.companyId }
  return authorize(scope, action, owned) ? quote : undefined
}

/** The buyer takes a quote into their cart: its lines at its prices, in its quantities, until it expires. */
export async function acceptQuote(scope: Scope, id: string): Promise<Moved> {
  const quote = await ownQuote(scope, 'quote.decide', id)
  const customerId = customerIdOf(scope)
  if (!quote || customerId === null) return { ok: false, reason: 'unknown-quote' }
  const { validUntil, delivery, sellerId, companyId, market } = quote
  if (!validUntil || delivery === null || validUntil <= scope.now) return { ok: false, reason: 'quote-not-open' }
  const lines = quote.lines.flatMap(({ offerId, quantity, price }) => (price === null ? [] : [{ offerId, quantity, price }]))
  const left = await holderWhoLeft(scope, quote)
  if (left !== null) {
    if (!(await handOverQuotedPrices(scope.db, id, left, customerId))) return { ok: false, reason: 'quote-not-open' }
    await putLines(scope, lines)
    return { ok: true }
  }
  if (!(await writeMove(scope.db, id, 'accept'))) return { ok: false, reason: 'quote-not-open' }
  await writeQuotedPrices(scope.db, { quoteId: id, sellerId, customerId, companyId, market, delivery, validUntil, lines })
  await putLines(scope, lines)
  scope.emit('quote.changed', { quoteId: id, sellerId, state: 'accepted' })
  return { ok: true }
}

/** The customer who accepted a quote and has left its company since: an admin may put it into their own cart. */
async function holderWhoLeft({ db }: Pick<Scope, 'db'>, { id, state, companyId }: Quote): Promise<string | null> {
  const holder = state === 'accepted' ? await readQuoteHolder(db, id) : null
  return holder !== null && !(await readMember(db, holder, companyId)) ? holder : null
}

/** The buyer ends a quote: withdraws the request, or declines the answer. */
export async function endQuote(scope: Scope, id: string): Promise<Moved> {
  const quote = await ownQuote(scope, 'quote.decide', id)
  if (!quote) return { ok: false, reason: 'unknown-quote' }
  return (await end(scope, quote)) ? { ok: true } : { ok: false, reason: 'quote-not-open' }
}

/** False if the quote is neither waiting for its seller nor for its buyer. */
async function end(scope: JobScope, { id, sellerId }: Quote): Promise<boolean> {
  for (const move of ['withdraw', 'decline'] as const satisfies QuoteMove[])
    if (await writeMove(scope.db, id, move)) {
      scope.emit('quote.changed', { quoteId: id, sellerId, state: moves[move].to })
      return true
    }
  return false
}

/**
 * Erases the address of a person who has requested quotes, their messages and the sellers' notes to them. Open quotes end, because
 * nobody can be told of them; one that is in a colleague's cart can still be ordered. Returns the ids of the quotes.
 */
export async function forgetQuotesOf(scope: JobScope, customerId: string): Promise<string[]> {
  for (const quote of await readQuotesBy(scope.db, customerId)) await end(scope, quote)
  return blankQuotes(scope.db, customerId)
}

/** Deadlines that have passed: requests without an answer, answers without an order. */
export async function expireQuotes(scope: JobScope): Promise<void> {
  for (const id of await readDue(scope.db, scope.now)) {
    const quote = await readQuote(scope.db, id)
    if (!quote || !(await writeMove(scope.db, id, 'expire'))) continue
    scope.emit('quote.changed', { quoteId: id, sellerId: quote.sellerId, state: 'expired' })
    if (quote.state !== 'accepted') await tellBuyer(scope, quote, 'expired')
  }
}

/** Quotes whose order is paid are ordered. Consumers have none. */
export async function followPaidOrder(scope: JobScope, { customerOrderId, mode }: EventPayloads['order.paid']): Promise<void> {
  if (mode === 'b2c') return
  for (const id of await quotesOfOrder(scope.db, customerOrderId)) {
    const quote = await readQuote(scope.db, id)
    if (quote && (await writeMove(scope.db, id, 'order', { orderId: customerOrderId })))
      scope.emit('quote.changed', { quoteId: id, sellerId: quote.sellerId, state: 'ordered' })
  }
}

/** The member who requested the quote; once they have left the company, its admins, who decide instead. */
async function tellBuyer(scope: JobScope, quote: Quote, state: 'answered' | 'refused' | 'expired'): Promise<void> {
  const seller = (await knownSellers(scope, [quote.sellerId])).get(quote.sellerId)
  const { id, number, market, origin, email, validUntil, note, customerId, companyId } = quote
  const site = { market, mode: 'b2b', origin } as const
  const payload = { id, number, state, sellerName: seller?.name ?? '', validUntil, note }
  const key = `quote:${id}:${state}`
  if (await readMember(scope.db, customerId, companyId)) await sendMail(scope, quoteMail, { to: email, site, payload, key })
  else
    for (const { id: adminId, email: to, role } of await readMembers(scope.db, companyId))
      if (role === 'admin') await sendMail(scope, quoteMail, { to, site, payload, key: `${key}:${adminId}` })
}
