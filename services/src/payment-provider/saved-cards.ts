import { randomBytes } from 'node:crypto'
import { hasExpired } from './card-number.ts'
import type { TestCard } from './demo-cards.ts'

/** A buyer with saved cards. */
export interface Customer {
  id: string
  /** The shop's own id of this person. */
  reference: string
  defaultCard: string | null
}

/** A card as charged, which is all that is stored of it. Its number and security code are never stored. */
export interface ChargedCard extends Pick<
  TestCard,
  'brand' | 'behaviour' | 'messages' | 'captureDeclined' | 'refundDeclined' | 'chargedBack'
> {
  last4: string
  expiry: { year: number; month: number }
}

/** A card its owner has agreed to save. */
export interface SavedCard extends ChargedCard {
  id: string
  customer: string
  savedAt: number
}

export function newCustomer(reference: string): Customer {
  return { id: `cus_${randomBytes(12).toString('base64url')}`, reference, defaultCard: null }
}

export function newSavedCard(customer: string, card: ChargedCard, now: number): SavedCard {
  return { ...card, id: `card_${randomBytes(12).toString('base64url')}`, customer, savedAt: now }
}

/** A card saved twice is stored once. */
export function isSameCard(one: ChargedCard, other: ChargedCard): boolean {
  return (
    one.brand === other.brand &&
    one.last4 === other.last4 &&
    one.expiry.year === other.expiry.year &&
    one.expiry.month === other.expiry.month
  )
}

/** Cards as offered: unexpired ones, the default first, then the newest. */
export function offeredCards(cards: readonly SavedCard[], { defaultCard }: Pick<Customer, 'defaultCard'>, now: Date): SavedCard[] {
  return cards
    .filter(({ expiry }) => !hasExpired(expiry, now))
    .toSorted((one, other) => Number(other.id === defaultCard) - Number(one.id === defaultCard) || other.savedAt - one.savedAt)
}

export function cardWire({ id, brand, last4, expiry, savedAt }: SavedCard): object {
  return { id, brand, last4, exp_month: expiry.month, exp_year: expiry.year, created: new Date(savedAt).toISOString() }
}
