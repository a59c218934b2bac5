import type { Language, Market } from '@purlin/contract/markets.ts'
import type { UnitOfMeasure } from '@purlin/contract/price.ts'
import type { Condition } from '@purlin/contract/product-card.ts'
import type { Picture } from './addresses.ts'

/** Value of a technical attribute: a number in its unit, the key of a term, or plain text. */
export type AttributeValue = number | string

/** Ids are decimal numbers as text: they may exceed the integers a float holds exactly. */
export interface Product {
  id: string
  articleId: string
  modelId: string | null
  brandId: number
  categoryId: number
  family: string
  ean: string
  mpn: string
  titles: Partial<Record<Language, string>>
  descriptions: Partial<Record<Language, string>>
  slugs: Partial<Record<Language, string>>
  attributes: Record<string, AttributeValue>
  weightG: number
  unitMeasure: UnitOfMeasure | null
  unitQuantityMilli: number | null
  flags: string[]
  pictures: Picture[]
  documents: ProductDocument[]
  safety: Partial<ProductSafety>
  rating: number | null
  ratingCount: number
  /** 0…1,000,000. */
  popularity: number
  status: 'active' | 'ended'
  successorId: string | null
  createdAt: Date
  updatedAt: Date
}

export interface ProductDocument {
  kind: string
  language: string
  url: string
  label?: string
}

/** Manufacturer and responsible person (GPSR art. 19). */
export interface ProductSafety {
  manufacturer: string
  address: string
  email: string
  responsiblePerson: string
  warnings: Partial<Record<Language, string[]>> | string[]
}

export const offerStatuses = ['draft', 'pending_match', 'active', 'paused', 'suspended', 'ended'] as const
export type OfferStatus = (typeof offerStatuses)[number]

/** One seller's offer of one product in one market. Minor units with VAT. */
export interface Offer {
  id: string
  productId: string
  sellerId: number
  market: Market
  pimOfferId: string
  condition: Condition
  currency: 'EUR' | 'GBP'
  price: number
  proPrice: number | null
  quantityBreaks: QuantityBreak[]
  stock: number
  /** Sold in multiples of this. */
  bulk: number | null
  maxQuantity: number | null
  isSample: boolean
  isMmf: boolean
  delivery: OfferDelivery[]
  commercialOperationIds: number[]
  promotionEndsAt: Date | null
  couponCode: string | null
  sponsored: boolean
  status: OfferStatus
  createdAt: Date
}

/** A lower price per piece from a quantity on. Consumers pay those of `b2c`, professionals the better of both groups. */
export interface QuantityBreak {
  group: 'b2c' | 'b2b'
  from: number
  /** Minor units with VAT. */
  price: number
}

export interface OfferDelivery {
  kind: 'standard' | 'kerbside' | 'express' | 'relay' | 'appointment'
  fee: number
  daysMin: number
  daysMax: number
}

/** Another product of the same model. */
export interface Sibling {
  id: string
  slug: string
  attributes: Record<string, AttributeValue>
  /** At least one seller has it in stock in this market. */
  available: boolean
  /** At least one seller offers it in this market; without an offer its page is the sheet. */
  offered: boolean
}

/** A product with the catalogue data that its page needs. */
export interface ProductSheet {
  product: Product
  /** Active offers in the requested market. */
  offers: Offer[]
  /** Attribute keys in which the model's products differ; empty without a model. */
  axes: string[]
  siblings: Sibling[]
  successor: { id: string; slug: string } | null
}

/** The available part of an offer's stock: for goods sold by the ten, whole tens. */
export function stockToSell({ stock, bulk }: Pick<Offer, 'stock' | 'bulk'>): number {
  return stock - (stock % (bulk ?? 1))
}

/** When the pictures may last have changed: part of their address. */
export function pictureVersion(product: Pick<Product, 'updatedAt'>): string {
  return Math.floor(product.updatedAt.getTime() / 1000).toString(36)
}
