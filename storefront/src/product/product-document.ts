import { amountFragment, cardFragment, priceFields } from '../shell/card-fields.ts'
import type { ListedCard } from '../shell/card.tsx'
import type { PriceBlock } from '@purlin/contract/price.ts'

export interface Amount {
  amount: number
  currency: string
  formatted: string
}

export interface ShownOffer {
  id: string
  seller: {
    id: number
    name: string
    url: string
    countryName: string
    rating: number | null
    ratingCount: number
    returnTerms: string | null
  }
  condition: string
  conditionLabel: string | null
  price: PriceBlock
  prices: { per_item: { actual_price: { with_vat: { as_float: number }; without_vat: { as_float: number } } } }
  landedPrice: Amount
  stock: number
  bulk: number | null
  maxQuantity: number | null
  isSample: boolean
  isMmf: boolean
  delivery: { kind: string; label: string; fee: Amount; daysMin: number; daysMax: number; promise: string }[]
  deliveryPromise: string
  coupon: { code: string; label: string } | null
  retailPriceTimeLeftLabel: string | null
  badges: { type: string; label: string }[]
}

export interface ModelOption {
  key: string
  label: string
  values: { value: string; label: string; productId: string; url: string; selected: boolean; available: boolean; hex: string | null }[]
}

export interface ShownProduct {
  id: string
  title: string
  slug: string
  url: string
  description: string
  brand: { id: number; name: string; url: string } | null
  categories: { id: number; name: string; url: string }[]
  ean: string
  mpn: string
  pictures: { view: string; url: string; width: number; height: number; alt: string }[]
  attributes: { key: string; label: string; value: string; unit: string | null }[]
  documents: { kind: string; label: string; language: string; url: string }[]
  safety: { manufacturer: string; address: string; email: string; responsiblePerson: string | null; warnings: string[] }
  rating: number | null
  ratingCount: number
  weightKg: number
  unitMeasure: string | null
  unitQuantity: number | null
  badges: { type: string; label: string }[]
  status: string
  bestOffer: ShownOffer | null
  bestOfferReason: string | null
  offers: ShownOffer[]
  options: ModelOption[]
  alternatives: ListedCard[]
}

const offerFields = `id condition conditionLabel price { ${priceFields} }
  prices { per_item { actual_price { with_vat { as_float } without_vat { as_float } } } }
  landedPrice { amount currency formatted } stock bulk maxQuantity isSample isMmf
  delivery { kind label fee { amount currency formatted } daysMin daysMax promise } deliveryPromise
  coupon { code label } retailPriceTimeLeftLabel badges { type label }
  seller { id name url countryName rating ratingCount returnTerms }`

export const productDocument = `query Product($id: ID!) {
  product(id: $id) {
    id title slug url description brand { id name url } categories { id name url } ean mpn
    pictures { view url width height alt } attributes { key label value unit } documents { kind label language url }
    safety { manufacturer address email responsiblePerson warnings } rating ratingCount weightKg unitMeasure unitQuantity
    badges { type label } status bestOfferReason bestOffer { ...offer } offers { ...offer }
    options { key label values { value label productId url selected available hex } }
    alternatives { ...card }
  }
}
fragment offer on Offer { ${offerFields} }
${cardFragment}`

export const informationsDocument = `query Informations($id: ID!) {
  product(id: $id) {
    id title slug url description brand { id name url } categories { id name url } ean mpn weightKg
    pictures { view url width height alt } attributes { key label value unit } documents { kind label language url }
    safety { manufacturer address email responsiblePerson warnings } status bestOffer { id price { ${priceFields} } }
  }
}
${amountFragment}`
