/** A card saved with the provider, as shown to its owner. Its number exists only at the provider. */
export interface SavedCard {
  id: string
  brand: string
  last4: string
  expiryYear: number
  expiryMonth: number
  isDefault: boolean
  savedAt: Date
}

/** A saved card with the provider's token for it. */
export interface KeptCard extends SavedCard {
  reference: string
}

export const cardStates = ['valid', 'expiring', 'expired'] as const
export type CardState = (typeof cardStates)[number]

/** A card that expires within this time is pointed out to its owner. */
const noticeDays = 60
const dayMs = 86_400_000

/** A card is good to the end of its month, wherever that moment is later. */
export function cardState({ expiryYear, expiryMonth }: Pick<SavedCard, 'expiryYear' | 'expiryMonth'>, now: Date): CardState {
  const end = Date.UTC(expiryYear, expiryMonth, 1) + dayMs / 2
  if (end <= now.getTime()) return 'expired'
  return end - noticeDays * dayMs <= now.getTime() ? 'expiring' : 'valid'
}

/** "04/29" */
export function expiryOf({ expiryYear, expiryMonth }: Pick<SavedCard, 'expiryYear' | 'expiryMonth'>): string {
  return `${String(expiryMonth).padStart(2, '0')}/${String(expiryYear % 100).padStart(2, '0')}`
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  cartes_bancaires: 'CB',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

/** Name of a brand as it is printed on the card. */
export function brandName(brand: string): string {
  return brands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1)
}
