import type { Db } from '#platform'
import type { Quote, QuoteLine } from './quote.ts'
import { readQuotesBy } from './store.ts'

/** The words and lines of a person, without what the seller and colleagues have made of them. */
type OwnRequest = Omit<Quote, 'state' | 'validUntil' | 'delivery' | 'note' | 'orderId' | 'lines'> & { lines: Omit<QuoteLine, 'price'>[] }

/**
 * All quotes that a customer has requested, in every market: for their data export. `companyIds` are those that they are a member of; for
 * any other company it is only the request. Source: decision 063.
 */
export async function exportQuotesOf(db: Db, customerId: string, companyIds: ReadonlySet<string>): Promise<(Quote | OwnRequest)[]> {
  const quotes = await readQuotesBy(db, customerId)
  return quotes.map((quote) => (companyIds.has(quote.companyId) ? quote : requestOf(quote)))
}

function requestOf({ lines, ...quote }: Quote): OwnRequest {
  const { id, number, sellerId, market, origin, companyId, customerId, email, message, wantedOn, createdAt, answerBy } = quote
  const own = { id, number, sellerId, market, origin, companyId, customerId, email, message, wantedOn, createdAt, answerBy }
  return {
    ...own,
    lines: lines.map(({ offerId, title, url, quantity, listPrice, vatRateBp }) => ({
      offerId,
      title,
      url,
      quantity,
      listPrice,
      vatRateBp,
    })),
  }
}
