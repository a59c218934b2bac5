import type { Market } from '@purlin/contract/markets.ts'
import type { RefusalReason, Refused } from '@purlin/contract/refusals.ts'
import { wordsFor, type PlainKey, type Words } from '@purlin/words/catalogues.ts'

export interface RefusalMessage {
  reason: RefusalReason
  message: string
  fields: { field: string; message: string }[]
}

/** A refusal in the market's language, with a message for each invalid field. */
export function describeRefusal(market: Market, refused: Refused): RefusalMessage {
  const t = wordsFor(market)
  const fields = Object.entries(refused.fields ?? {}).map(([field, key]) => ({ field, message: t(fieldMessage(key)) }))
  return { reason: refused.reason, message: sentence(t, refused), fields }
}

/** Maps reasons to the figures and names their messages need; a new reason does not compile until it has a message. */
function sentence(t: Words, { reason, details = {} }: Refused): string {
  switch (reason) {
    case 'out-of-stock':
      return t('refusal.out-of-stock', { available: Number(details['available'] ?? 0) })
    case 'quantity-not-multiple':
      return t('refusal.quantity-not-multiple', { step: Number(details['step'] ?? 0) })
    case 'quantity-too-large':
      return t('refusal.quantity-too-large', { max: Number(details['max'] ?? 0) })
    case 'sold-out':
      return t('refusal.sold-out', { title: String(details['title'] ?? '') })
    default:
      return t(`refusal.${reason}`)
  }
}

type FieldMessage = Extract<PlainKey, `refusal.field.${string}`>

const fieldMessages: Readonly<Record<FieldMessage, true>> = {
  'refusal.field.missing': true,
  'refusal.field.too-long': true,
  'refusal.field.signs': true,
  'refusal.field.postcode-format': true,
  'refusal.field.phone-format': true,
  'refusal.field.country-unknown': true,
  'refusal.field.vat-number-format': true,
  'refusal.field.email-format': true,
  'refusal.field.quantity-whole': true,
}

function fieldMessage(key: string): FieldMessage {
  const found = Object.keys(fieldMessages).find((each): each is FieldMessage => each === `refusal.field.${key}`)
  return found ?? 'refusal.field.missing'
}
