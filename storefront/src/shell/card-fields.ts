/** What a card asks of the gateway; one text, so that every list asks for the same. */
export const priceFields = `main { ...amount } taxKey retail { ...amount } secondary { ...amount } discount
  unit { amount { ...amount } unit label } hasNoVATForDE`

export const amountFragment = 'fragment amount on PriceAmount { integer decimal ranges { min max } asString asFloat }'

export const cardFragment = `fragment card on ProductCard {
  productId offerId title brandName imageFullpath url prices { ${priceFields} } rating ratingCount badges { type label }
  deliveryPromise sellerName modelsCount hasFreeDelivery isMmf bulk hasSample
}
${amountFragment}`
