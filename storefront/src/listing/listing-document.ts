import type { FacetData } from '@purlin/ui'
import { cardFragment } from '../shell/card-fields.ts'
import type { ListedCard } from '../shell/card.tsx'

export interface CategoryLink {
  id: number
  name: string
  url: string
}

export interface ListedCategory extends CategoryLink {
  slug: string
  level: number
  department: string
  pictureUrl: string
  text: string | null
  productCount: number
  parents: CategoryLink[]
  children: (CategoryLink & { pictureUrl: string; productCount: number })[]
}

export interface Listing {
  total: number
  page: number
  pageSize: number
  pages: number
  cards: ListedCard[]
  facets: FacetData[]
  sort: string
  sorts: { key: string; label: string }[]
  pageSizes: number[]
  didYouMean: string | null
  droppedWords: string[]
  redirectUrl: string | null
  predictedCategories: CategoryLink[]
  available: boolean
}

/** A listing without what surrounds it. */
export const listingFields = `total page pageSize pages cards { ...card }
  facets { key label kind unit min max values { value label count selected hex } }
  sort sorts { key label } pageSizes didYouMean droppedWords redirectUrl predictedCategories { id name url } available`

export const categoryFields = `id name slug url level department pictureUrl text productCount parents { id name url }
  children { id name url pictureUrl productCount }`

export { cardFragment }

export const categoryListingDocument = `query CategoryListing($id: Int!, $input: ListingInput!) {
  category(id: $id) { ${categoryFields} }
  listing(input: $input) { ${listingFields} }
}
${cardFragment}`

export const listingDocument = `query Listing($input: ListingInput!) { listing(input: $input) { ${listingFields} } }
${cardFragment}`
