/** Who sells: what the law asks to be said (DSA Art. 30) and what helps to choose. */
export interface ShownSeller {
  id: number
  slug: string
  name: string
  url: string
  legalName: string
  country: string
  countryName: string
  vatNumber: string
  registration: string
  address: string
  email: string
  phone: string
  rating: number | null
  ratingCount: number
  responseHours: number
  about: string | null
  returnTerms: string | null
  freeDeliveryFrom: { formatted: string } | null
}

export const sellerFields = `id slug name url legalName country countryName vatNumber registration address email phone rating ratingCount
  responseHours about returnTerms freeDeliveryFrom { formatted }`
