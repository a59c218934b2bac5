import { brandName, cardState, expiryOf, type SavedCard } from './saved-card.ts'

/** A saved card as pages show it. */
export function showCard(card: SavedCard, now: Date) {
  const { id, brand, last4, isDefault, savedAt } = card
  return { id, brand: brandName(brand), last4, expires: expiryOf(card), state: cardState(card, now), isDefault, savedAt }
}
