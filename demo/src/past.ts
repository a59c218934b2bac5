import type { Market, Mode } from '@purlin/contract/markets.ts'

/** The history of the demo people: where they live, how they pay, and their orders over the last year. */

export interface PastAddress {
  line1: string
  line2?: string
  postcode: string
  city: string
  phone: string
  company?: string
}

/** Of a test card of the embedded provider; the expiry counts in months from today. */
export interface PastCard {
  brand: 'visa' | 'mastercard'
  last4: string
  expiresIn: number
  isDefault?: boolean
}

export type PastState = 'paid' | 'shipped' | 'delivered' | 'closed' | 'cancelled' | 'refunded'

export interface PastOrder {
  daysAgo: number
  /** Pieces of each article; articles are taken from the market's offers in turn. */
  quantities: readonly number[]
  /** Pieces of the article this person keeps ordering. */
  usual?: number
  state: PastState
  /** By card unless stated. */
  payBy?: 'invoice'
  /** The dispute or return about the order's first part. */
  followedBy?: 'withdrawal' | 'missing-part' | 'dispute'
  /** The buyer has reviewed the first product. */
  isReviewed?: boolean
}

export interface Past {
  email: string
  market: Market
  mode: Mode
  addresses: readonly PastAddress[]
  cards: readonly PastCard[]
  orders: readonly PastOrder[]
  /** Articles on the wishlist. */
  wishes: number
  /** Code of a coupon for this person alone. */
  coupon?: string
  /** The seller whose goods this person prefers. */
  sellerId?: number
}

const order = (daysAgo: number, state: PastState, ...quantities: number[]): PastOrder => ({ daysAgo, state, quantities })

/** With the article this person keeps ordering. */
const restock = (daysAgo: number, state: PastState, usual: number, ...quantities: number[]): PastOrder => ({
  ...order(daysAgo, state, ...quantities),
  usual,
})

/** On the monthly statement of its company. */
const byInvoice = (of: PastOrder): PastOrder => ({ ...of, payBy: 'invoice' })

const withCase = (followedBy: NonNullable<PastOrder['followedBy']>, of: PastOrder): PastOrder => ({ ...of, followedBy })
const reviewed = (of: PastOrder): PastOrder => ({ ...of, isReviewed: true })

export const demoPast: readonly Past[] = [
  {
    email: 'grace@example.com',
    market: 'gb',
    mode: 'b2c',
    addresses: [
      { line1: '14 Orchard Road', postcode: 'LS6 2AB', city: 'Leeds', phone: '07700 900145' },
      { line1: 'Rose Cottage', line2: '2 Church Lane', postcode: 'YO1 7HH', city: 'York', phone: '01632 960145' },
    ],
    cards: [
      { brand: 'visa', last4: '0002', expiresIn: 29, isDefault: true },
      { brand: 'mastercard', last4: '0007', expiresIn: 1 },
    ],
    orders: [
      reviewed(order(338, 'closed', 1, 2)),
      withCase('dispute', order(251, 'closed', 1)),
      order(187, 'refunded', 1),
      order(96, 'cancelled', 2),
      reviewed(withCase('withdrawal', order(41, 'delivered', 1, 1, 3))),
      order(6, 'shipped', 1),
      order(1, 'paid', 2, 1),
    ],
    wishes: 5,
    coupon: 'THANKS-GRACE',
  },
  {
    email: 'jonas@example.com',
    market: 'de',
    mode: 'b2c',
    addresses: [{ line1: 'Lindenstraße 8', postcode: '10969', city: 'Berlin', phone: '030 23125456' }],
    cards: [
      { brand: 'visa', last4: '0010', expiresIn: 17, isDefault: true },
      { brand: 'mastercard', last4: '0007', expiresIn: -2 },
    ],
    orders: [
      reviewed(withCase('dispute', order(290, 'closed', 1))),
      withCase('withdrawal', order(120, 'delivered', 1, 1)),
      order(58, 'cancelled', 1),
      order(9, 'shipped', 1),
      order(2, 'paid', 1),
    ],
    wishes: 3,
    coupon: 'DANKE-JONAS',
  },
  {
    email: 'priya@hartley.example',
    market: 'gb',
    mode: 'b2b',
    addresses: [{ company: 'Hartley Roofing Ltd', line1: '3 Foundry Lane', postcode: 'S3 8GG', city: 'Sheffield', phone: '01632 960320' }],
    cards: [{ brand: 'visa', last4: '0028', expiresIn: 21, isDefault: true }],
    orders: [
      withCase('dispute', restock(204, 'closed', 5, 10, 4)),
      restock(140, 'closed', 5),
      byInvoice(restock(77, 'delivered', 6, 6)),
      byInvoice(order(47, 'delivered', 3)),
      byInvoice(order(38, 'delivered', 2, 1)),
      byInvoice(order(12, 'shipped', 2, 8)),
    ],
    wishes: 2,
  },
  {
    email: 'leah@hartley.example',
    market: 'gb',
    mode: 'b2b',
    addresses: [{ company: 'Hartley Roofing Ltd', line1: '3 Foundry Lane', postcode: 'S3 8GG', city: 'Sheffield', phone: '01632 960321' }],
    cards: [],
    orders: [order(149, 'closed', 5), withCase('missing-part', order(33, 'delivered', 3, 2)), order(3, 'paid', 4)],
    wishes: 0,
  },
  {
    email: 'camille@mercier.example',
    market: 'fr',
    mode: 'b2b',
    sellerId: 1,
    addresses: [{ company: 'Électricité Mercier', line1: '5 rue des Artisans', postcode: '69007', city: 'Lyon', phone: '01 99 00 56 78' }],
    cards: [{ brand: 'visa', last4: '0002', expiresIn: 14, isDefault: true }],
    orders: [
      reviewed(order(262, 'closed', 3)),
      withCase('dispute', restock(184, 'closed', 4)),
      order(131, 'refunded', 2),
      restock(124, 'closed', 4),
      withCase('missing-part', restock(64, 'delivered', 4, 4, 1)),
      order(4, 'paid', 6),
    ],
    wishes: 2,
  },
]
