import { digitsOf, hasExpired, passesLuhn, readExpiry } from './card-number.ts'
import { findTestCard } from './demo-cards.ts'
import type { ChargedCard } from './saved-cards.ts'
import type { Words } from '@purlin/words/catalogues.ts'

export type CardField = 'number' | 'expiry' | 'code'
export type CardProblems = Partial<Record<CardField, string>>

/** Parses the card fields: the card to charge, or the error of each field. */
export function readCard(form: URLSearchParams, t: Words, now: Date): { card: ChargedCard } | { problems: CardProblems } {
  const problems: CardProblems = {}
  const digits = digitsOf(form.get('number') ?? '')
  const card = findTestCard(digits)
  if (!passesLuhn(digits)) problems.number = t('card-payment.number-wrong')
  else if (!card) problems.number = t('card-payment.number-unknown')
  const expiry = readExpiry(form.get('expiry') ?? '')
  if (!expiry) problems.expiry = t('card-payment.expiry-wrong')
  else if (hasExpired(expiry, now)) problems.expiry = t('card-payment.expired')
  if (!/^\d{3,4}$/.test((form.get('code') ?? '').trim())) problems.code = t('card-payment.code-wrong')
  if (!card || !expiry || Object.keys(problems).length > 0) return { problems }
  const { brand, behaviour, messages, captureDeclined, refundDeclined, chargedBack } = card
  return {
    card: {
      brand,
      behaviour,
      ...(messages && { messages }),
      ...(captureDeclined && { captureDeclined }),
      ...(refundDeclined && { refundDeclined }),
      ...(chargedBack && { chargedBack }),
      last4: digits.slice(-4),
      expiry,
    },
  }
}
