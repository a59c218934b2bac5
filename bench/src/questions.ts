import type { RequestOptions } from '@purlin/e2e/support/ask.ts'

const amount = '{ integer decimal asString asFloat ranges { min max } }'

/** The fields of a card, as the shop's pages request them. */
const card = `{
  productId articleId title brandName imageFullpath thumbnails url offerId sellerId sellerName rating ratingCount bulk modelsCount condition
  deliveryPromise isMmf isSecondHand hasFreeDelivery proAdvantagePercentage
  prices { main ${amount} taxKey retail ${amount} secondary ${amount} discount unit { label } hasNoVATForDE }
  badges { type label } commercialAnimation { tags retailPriceTimeLeftLabel }
}`

export const listingDocument = `query Listing($input: ListingInput!) {
  listing(input: $input) {
    total page pages available sort
    cards ${card}
    facets { key label kind unit min max values { value label count selected hex } }
    category { id name url }
  }
}`

export const productDocument = `query Product($id: ID!) {
  product(id: $id) {
    id title url description brand { name url } categories { id name url }
    pictures { view url width height alt } attributes { key label value unit } documents { label url }
    rating ratingCount status bestOfferReason modelId
    options { key label values { value label url selected available hex } }
    offers { id stock condition deliveryPromise seller { id name url rating } price { main ${amount} taxKey retail ${amount} discount }
      landedPrice { formatted } delivery { kind label fee { formatted } promise } badges { type label } }
  }
}`

export const addDocument = `mutation Add($offerId: ID!) {
  addToCart(offerId: $offerId, quantity: 1) { cart { itemCount totals { totalWithVat { amount } } } refusal { reason } }
}`

/** A GraphQL request to the gb shop. */
export function asked(document: string, variables: object, headers: Record<string, string> = {}): RequestOptions {
  return {
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: document, variables }),
  }
}
