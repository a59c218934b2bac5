/** The decisions of the embedded credit provider: deterministic, by registration number, limit and amount. */

export type Decision =
  | { state: 'authorized'; reason: null }
  | { state: 'pre_approved' | 'waiting'; reason: null }
  | { state: 'declined'; reason: 'credit-declined' | 'credit-limit' | 'credit-unknown-company' }

export interface Asked {
  registrationNumber: string
  /** Minor units. */
  amount: number
  /** Open claims and pending orders of the company. Minor units. */
  used: number
}

const digitsOf = (registrationNumber: string): string => registrationNumber.replaceAll(/\D/g, '')

/** A company's limit in minor units; null for numbers in no register, which have fewer than five digits. */
export function limitOf(registrationNumber: string): number | null {
  const digits = digitsOf(registrationNumber)
  if (digits.length < 5) return null
  return 500_000 + (Number(digits.slice(-2)) % 4) * 500_000
}

/** Whether the provider pays for a company at all: not for one whose number ends in zero, which is insolvent. */
export function isAccepted(registrationNumber: string): boolean {
  return limitOf(registrationNumber) !== null && !digitsOf(registrationNumber).endsWith('0')
}

/**
 * Yes, no or maybe. A number that ends in nine is reviewed, which takes a moment; a first order above half of the limit
 * needs the buyer to confirm on the provider's page that they may order for the company.
 */
export function decide({ registrationNumber, amount, used }: Asked): Decision {
  const limit = limitOf(registrationNumber)
  if (limit === null) return { state: 'declined', reason: 'credit-unknown-company' }
  if (!isAccepted(registrationNumber)) return { state: 'declined', reason: 'credit-declined' }
  if (amount > limit - used) return { state: 'declined', reason: 'credit-limit' }
  if (digitsOf(registrationNumber).endsWith('9')) return { state: 'waiting', reason: null }
  if (used === 0 && amount > limit / 2) return { state: 'pre_approved', reason: null }
  return { state: 'authorized', reason: null }
}
