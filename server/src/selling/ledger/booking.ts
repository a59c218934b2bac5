import type { Currency } from '@purlin/contract/markets.ts'

/**
 * Chart of accounts. Debit is positive, credit negative; the entries of a booking sum to zero.
 * - provider:<name>       what the payment provider holds for us
 * - seller:<id>           what we owe a seller (goods and delivery including the VAT the seller accounts for, less commission), by order
 * - payable:<id>          the part of it that is due: moved here order by order, paid out from here; a debit is carried forward
 * - payouts-due           payouts on their way to sellers' banks
 * - commission            our commission without VAT
 * - vat-on-commission     VAT we owe on that commission
 * - vat-on-sales          VAT we owe as the supplier by law, kept from the seller's money: pounds to HMRC, euros by the import return (IOSS)
 * - coupons               discounts borne by the marketplace rather than the seller
 * - refunds-due           what we owe buyers: booked when a refund is requested, settled when the money leaves
 * - goodwill              refunds that the marketplace pays itself
 * - chargebacks           what buyers' banks have taken back for good, by order, until refunds or the marketplace bear it
 * - chargeback-losses     the part of it that exceeds the price of the order: a loss of the marketplace, until a refund that was made fails
 * - bank                  transfers to buyers whose card did not take a refund
 * - subscriptions         what companies have paid for Purlin Pro, without VAT
 * - vat-on-subscriptions  VAT we owe on it
 * - unapplied             money that belongs to no order: refunded, or yet to be assigned
 */
export type Account =
  | `provider:${string}`
  | `seller:${number}`
  | `payable:${number}`
  | 'payouts-due'
  | 'commission'
  | 'vat-on-commission'
  | 'vat-on-sales'
  | 'coupons'
  | 'refunds-due'
  | 'goodwill'
  | 'chargebacks'
  | 'chargeback-losses'
  | 'bank'
  | 'subscriptions'
  | 'vat-on-subscriptions'
  | 'unapplied'

export interface Entry {
  account: Account
  /** Minor units. */
  amount: number
}

export interface Booking {
  /** Idempotency key: 'capture:<payment>', 'refund:<payment>:<total refunded>', 'refund-due:<refund>', 'payout:<payout>'. */
  key: string
  kind: 'capture' | 'refund' | 'settlement' | 'payout'
  /** The order, or 'payout:<id>' for a booking that concerns many. */
  customerOrderId: string
  currency: Currency
  entries: readonly Entry[]
}

/** The part of a placed order that the ledger needs. Minor units; commission without VAT. */
export interface SoldPart {
  sellerId: number
  goods: number
  delivery: number
  discount: number
  /** The seller's share of the discount. */
  sellerDiscount: number
  commission: number
  commissionVat: number
  /** VAT of the part that the marketplace owes as its supplier. */
  withheldVat?: number | null
}

/** Entries for money captured for an order, split between its recipients. */
export function captureEntries(provider: string, amount: number, parts: readonly SoldPart[]): Entry[] {
  const entries: Entry[] = [{ account: `provider:${provider}`, amount }]
  const sum = (of: (part: SoldPart) => number): number => parts.reduce((all, part) => all + of(part), 0)
  const coupons = sum((part) => part.discount - part.sellerDiscount)
  if (coupons !== 0) entries.push({ account: 'coupons', amount: coupons })
  for (const part of parts) {
    const due = part.goods + part.delivery - part.sellerDiscount - part.commission - part.commissionVat - (part.withheldVat ?? 0)
    entries.push({ account: `seller:${part.sellerId}`, amount: -due })
  }
  entries.push({ account: 'commission', amount: -sum(({ commission }) => commission) })
  entries.push({ account: 'vat-on-commission', amount: -sum(({ commissionVat }) => commissionVat) })
  entries.push({ account: 'vat-on-sales', amount: -sum(({ withheldVat }) => withheldVat ?? 0) })
  return entries.filter(({ amount: value }) => value !== 0)
}

/** The same entries with their signs reversed. */
export function reversed(entries: readonly Entry[]): Entry[] {
  return entries.map(({ account, amount }) => ({ account, amount: -amount }))
}

/** @throws when the entries do not sum to zero */
export function assertBalanced(entries: readonly Entry[]): void {
  const sum = entries.reduce((all, { amount }) => all + amount, 0)
  if (sum !== 0 || entries.length < 2) throw new Error(`A booking of ${entries.length} entries is out of balance by ${sum}`)
}
