import * as v from 'valibot'
import { sellerIdOf } from '#accounts'
import { answerQuote, maxValidDays, quoteStates, readQuote, readSellerQuotes, refuseQuote, type Quote } from '#quotes'
import { endpoint, found, type Outcome } from './endpoint.ts'
import { amount, cursor, id, market, next, note, offerId, quantity, time } from './schemas.ts'

const pageSize = 50
const common = { tag: 'Quotes', action: 'sellerQuote.answer' } as const
const params = v.strictObject({ quoteId: id })
const minor = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100_000_000), v.description('Minor units, with VAT'))
const state = v.picklist(quoteStates)
const quote = v.object({
  id,
  number: v.string(),
  market,
  state,
  companyId: id,
  message: v.string(),
  wantedOn: v.nullable(v.string()),
  createdAt: time,
  answerBy: time,
  validUntil: v.nullable(time),
  delivery: v.nullable(minor),
  note: v.string(),
  orderId: v.nullable(v.string()),
  lines: v.array(v.object({ offerId, title: v.string(), quantity, listPrice: minor, price: v.nullable(minor) })),
})
const moved = v.object({ id, state })

const shown = ({ createdAt, answerBy, validUntil, ...facts }: Quote) => ({
  ...facts,
  createdAt: createdAt.toISOString(),
  answerBy: answerBy.toISOString(),
  validUntil: validUntil?.toISOString() ?? null,
})
const done = async (outcome: ReturnType<typeof refuseQuote>, quoteId: string, reached: (typeof quoteStates)[number]): Promise<Outcome> => {
  const result = await outcome
  return result.ok ? { ok: true, body: { id: quoteId, state: reached } } : result
}

export const quoteCalls = [
  endpoint({
    ...common,
    id: 'listQuotes',
    method: 'get',
    path: '/quotes',
    summary: 'Requests for quotes, newest first, fifty at a time',
    scope: 'quotes:read',
    query: v.strictObject({ after: cursor }),
    result: v.object({ quotes: v.array(quote), next }),
    handle: async (scope, { query: { after } }) => {
      if (after !== undefined && !v.is(id, after)) return { ok: false, reason: 'input-invalid' }
      const rows = await readSellerQuotes(scope.db, sellerIdOf(scope) ?? 0, after ?? null, pageSize + 1)
      const quotes = rows.slice(0, pageSize).map(shown)
      return { ok: true, body: { quotes, next: rows.length > pageSize ? (quotes.at(-1)?.id ?? null) : null } }
    },
  }),
  endpoint({
    ...common,
    id: 'readQuote',
    method: 'get',
    path: '/quotes/{quoteId}',
    summary: 'One request for a quote, with its answer',
    scope: 'quotes:read',
    params,
    result: quote,
    handle: async (scope, { params: { quoteId } }) => {
      const own = await readQuote(scope.db, quoteId)
      return found(own?.sellerId === sellerIdOf(scope) ? shown(own) : null)
    },
  }),
  endpoint({
    ...common,
    id: 'answerQuote',
    method: 'post',
    path: '/quotes/{quoteId}/answer',
    summary: 'Quotes a price per piece for every line, the delivery of all, and how long they are valid',
    description: `Quantities are those requested. An answer is valid for ${maxValidDays} days at most; the buyer gets a mail and may order once, at exactly these prices.`,
    scope: 'quotes:write',
    params,
    body: v.strictObject({
      lines: v.pipe(v.array(v.strictObject({ offerId, price: amount })), v.minLength(1), v.maxLength(50)),
      delivery: minor,
      validUntil: time,
      note: v.optional(note(2000), ''),
    }),
    result: moved,
    handle: (scope, { params: { quoteId }, body: { validUntil, ...answer } }) =>
      done(answerQuote(scope, sellerIdOf(scope) ?? 0, quoteId, { ...answer, validUntil: new Date(validUntil) }), quoteId, 'answered'),
  }),
  endpoint({
    ...common,
    id: 'refuseQuote',
    method: 'post',
    path: '/quotes/{quoteId}/refuse',
    summary: 'Declines a request for a quote',
    scope: 'quotes:write',
    params,
    body: v.strictObject({ note: v.optional(note(2000), '') }),
    result: moved,
    handle: (scope, { params: { quoteId }, body }) =>
      done(refuseQuote(scope, sellerIdOf(scope) ?? 0, quoteId, body.note), quoteId, 'refused'),
  }),
]
