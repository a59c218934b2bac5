import { publicUrl } from '@purlin/contract/public-addresses.ts'
import type { Language, Market } from '@purlin/contract/markets.ts'

export type SellerStatus = 'applied' | 'kyc_pending' | 'active' | 'restricted' | 'suspended' | 'closed'

/** A seller. Texts are by language, amounts in minor units with VAT. */
export interface Seller {
  id: number
  slug: string
  name: string
  legalName: string
  /** ISO 3166-1 alpha-2, upper case. */
  country: string
  vatNumber: string
  registration: string
  address: SellerAddress
  email: string
  phone: string
  /** Sells to professionals only. */
  isB2b: boolean
  rating: number | null
  ratingCount: number
  responseHours: number
  /** Basis points of the net price. */
  commissionBp: number
  /** Order value from which delivery is free, by market. */
  freeDeliveryFrom: Partial<Record<Market, number>>
  about: Partial<Record<Language, string>>
  returnTerms: Partial<Record<Language, string>>
  status: SellerStatus
}

/** Lines as printed; the keys follow the sign-up form for sellers. */
export interface SellerAddress {
  line1?: string
  line2?: string
  postcode?: string
  city?: string
  region?: string
  country?: string
}

/** Only these may sell; offers of all others are hidden, whatever their status. */
export function isTrading(seller: Pick<Seller, 'status'>): boolean {
  return seller.status === 'active' || seller.status === 'restricted'
}

/** Whether this storefront's visitors may buy from the seller. */
export function sellsTo(seller: Pick<Seller, 'isB2b' | 'status'>, mode: 'b2c' | 'b2b'): boolean {
  return isTrading(seller) && (mode === 'b2b' || !seller.isB2b)
}

/** Stands in for a deleted seller whose data as of the sale is kept with the order: everything else is unknown, and nothing is invented. */
export function departedSeller(known: Pick<Seller, 'id' | 'slug' | 'name' | 'legalName' | 'country' | 'vatNumber'>): Seller {
  const { id, slug, name, legalName, country, vatNumber } = known
  return {
    id,
    slug,
    name,
    legalName,
    country,
    vatNumber,
    registration: '',
    address: {},
    email: '',
    phone: '',
    isB2b: false,
    rating: null,
    ratingCount: 0,
    responseHours: 0,
    commissionBp: 0,
    freeDeliveryFrom: {},
    about: {},
    returnTerms: {},
    status: 'closed',
  }
}

export function sellerUrl(seller: Pick<Seller, 'id'>): string {
  return publicUrl('seller', { id: seller.id })
}

/** One line for an imprint; the country is shown separately, in the reader's language. */
export function addressLine(address: SellerAddress): string {
  const place = [address.postcode, address.city].filter(Boolean).join(' ')
  return [address.line1, address.line2, place, address.region].filter(Boolean).join(', ')
}

const countryNames = new Map<string, string>()

/** "Germany", in the market's language; there are few countries and many offers. */
export function countryName(locale: string, country: string): string {
  const key = `${locale}:${country}`
  let name = countryNames.get(key)
  if (name === undefined) countryNames.set(key, (name = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country))
  return name
}
