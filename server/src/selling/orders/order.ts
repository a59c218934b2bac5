import { randomBytes } from 'node:crypto'
import type { Currency, Market, Mode } from '@purlin/contract/markets.ts'
import type { TaxKey } from '@purlin/contract/money.ts'
import type { PostalAddress } from '#addresses'
import type { PickUpPoint, Slot } from '#pickup'
import type { ServiceVat } from '#pricing'
import type { CustomerOrderState, SellerOrderState } from './order-states.ts'

export type Address = PostalAddress

export interface OrderTotals {
  taxKey: TaxKey
  goods: number
  delivery: number
  discount: number
  net: number
  vat: number
  total: number
  vatLines: { rateBp: number; net: number; vat: number }[]
}

/** An order as stored. Amounts in minor units with VAT; seller orders and lines exist from placement on. */
export interface CustomerOrder {
  id: string
  owner: string
  /** The company for which one of its members ordered. */
  companyId: string | null
  cartId: string
  cartVersion: number | null
  market: Market
  mode: Mode
  /** Scheme and host the buyer used; null for orders from before it was stored. */
  origin: string | null
  currency: Currency
  taxKey: TaxKey
  email: string
  state: CustomerOrderState
  address: Address
  billingAddress: Address
  couponCode: string | null
  total: number | null
  totals: OrderTotals | null
  placement: number
  createdAt: Date
  placedAt: Date | null
  paidAt: Date | null
  holdsUntil: Date | null
  /** The seller order whose pieces this one replaces, without payment. */
  replaces?: string | null
  /** Days in which a company may send back what it does not need, as of placement. */
  freeReturnDays?: number | null
  sellerOrders: SellerOrder[]
}

export interface SellerOrder {
  id: string
  sellerId: number
  state: SellerOrderState
  /** The seller as of placement. */
  seller: SoldBy
  deliveryKind: string
  deliveryOptions: { kind: string; label: string; promise: string; fee: number; daysMin: number; daysMax: number }[]
  /** The point that holds the parcels, as of the sale; null for delivery to the door. */
  pickUpPoint: PickUpPoint | null
  /** When bulky goods are brought; null, or absent, for other deliveries and while the time is to be agreed. */
  appointment?: Slot | null
  goods: number
  delivery: number
  discount: number
  total: number
  sellerDiscount: number
  /** Without VAT, and the VAT on it. */
  commission: number
  commissionVat: number
  /** How that VAT was determined, and its rate; null, or absent, for orders from before this was stored. */
  commissionTreatment?: ServiceVat['treatment'] | null
  commissionVatBp?: number | null
  /** VAT that the marketplace owes as the supplier by law and keeps from the seller's money; null, or absent, where the seller accounts for it. */
  withheldVat?: number | null
  lines: OrderLine[]
}

export interface SoldBy {
  id: number
  slug: string
  name: string
  legalName: string
  country: string
  vatNumber: string
}

export interface OrderLine {
  offerId: string
  productId: string
  quantity: number
  unitPrice: number
  total: number
  discount: number
  net: number
  vat: number
  vatRateBp: number
  taxKey: TaxKey
  snapshot: { title: string; url: string; imageUrl: string; conditionLabel: string | null }
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** "P" and 16 letters and digits that are unambiguous when read aloud: 80 random bits. Source: R-491. */
export function newOrderId(): string {
  return `P${Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join('')}`
}

/** Well-formed, of no order: looked up where an object is missing, so that it takes as many statements as another person's. */
export const noOrderId = 'P0000000000000000'

/** Valid order ids in addresses; anything else is not looked up. Source: spec §5, R-491. */
export function isOrderId(id: unknown): id is string {
  return typeof id === 'string' && /^[A-Za-z0-9_-]{8,40}$/.test(id)
}

export function sellerOrderId(customerOrderId: string, sellerId: number): string {
  return `${customerOrderId}-${sellerId}`
}

/** A seller order's id ends with its seller's. */
export function sellerOfPart(id: string): number {
  return Number(id.split('-').at(-1))
}
