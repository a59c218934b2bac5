import { breadcrumbData } from '../shell/structured-data.ts'
import { ratingData, reviewData } from '../reviews/review-data.ts'
import type { ShopContext } from '../shell/context.ts'
import type { ShownOfferFragment, ShownProductFragment } from '../generated/documents.ts'

const conditions: Record<string, string> = {
  new: 'NewCondition',
  never_used: 'NewCondition',
  refurbished: 'RefurbishedCondition',
  used: 'UsedCondition',
}

/** schema.org data of a product page; consumer prices, with VAT. */
export function productData(product: ShownProductFragment, url: string, { origin, currency, t }: ShopContext): object[] {
  return [
    breadcrumbData(origin, t('shell.home'), product.categories),
    {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: product.title,
      description: product.description,
      image: product.pictures.map((picture) => new URL(picture.url, origin).href),
      sku: product.id,
      gtin13: product.ean,
      mpn: product.mpn,
      ...(product.brand && { brand: { '@type': 'Brand', name: product.brand.name } }),
      ...ratingData(product.reviews),
      ...(product.reviews.reviews.length > 0 && { review: product.reviews.reviews.map(reviewData) }),
      ...(product.offers.length > 0 && { offers: product.offers.map((offer) => offerData(offer, origin + url, currency)) }),
    },
  ]
}

function offerData(offer: ShownOfferFragment, url: string, currency: string): object {
  const kind = Object.keys(conditions).find((start) => offer.condition.startsWith(start)) ?? 'new'
  return {
    '@type': 'Offer',
    url,
    price: offer.prices.per_item.actual_price.with_vat.as_float,
    priceCurrency: currency,
    itemCondition: `https://schema.org/${conditions[kind]}`,
    availability: `https://schema.org/${offer.stock > 0 ? 'InStock' : 'OutOfStock'}`,
    seller: { '@type': 'Organization', name: offer.seller.name },
  }
}
