import type { Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import type { ReferenceRefusal } from './order-reference.ts'

/** A refusal of an order's names in the market's language, with the message at each name that caused it. */
export function describeReferenceRefusal(market: Market, refused: ReferenceRefusal) {
  const t = wordsFor(market)
  const message = t(`order-reference.refusal.${refused.reason}`)
  const fields = 'fields' in refused ? refused.fields.map((field) => ({ field, message })) : []
  return { reason: refused.reason, message, fields }
}
