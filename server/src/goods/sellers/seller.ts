import { publicUrl } from '@purlin/contract/public-addresses.ts'
import type { Language, Market } from '@purlin/contract/markets.ts'

export type SellerStatus = 'applied' | 'kyc_pending' | 'active' | 'restricted' | 'suspended' | 'closed'

/** Who sells. Texts are by language, amounts in minor units with VAT. */
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

/** Lines as they are printed; the keys follow what sellers are asked at sign-up. */
export interface SellerAddress {
  line1?: string
  line2?: string
  postcode?: string
  city?: string
  region?: string
  country?: string
}

/** Only these may sell; the others' offers are not shown, whatever the offers say. */
export function isTrading(seller: Pick<Seller, 'status'>): boolean {
  return seller.status === 'active' || seller.status === 'restricted'
}

/** May this storefront's visitors buy from the seller? */
export function sellsTo(seller: Pick<Seller, 'isB2b' | 'status'>, mode: 'b2c' | 'b2b'): boolean {
  return isTrading(seller) && (mode === 'b2b' || !seller.isB2b)
}

/** A seller whose row is gone, of whom an order keeps what it was sold with: nothing else is known, and nothing made up. */
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

/** One line, as an imprint shows it; the country is named apart, in the reader's language. */
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
