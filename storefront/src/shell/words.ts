import type { CardWords, PriceWords, RatingWords } from '@purlin/ui'
import { markets } from '@purlin/contract/markets.ts'
import type { ShopContext } from './context.ts'

type Words = Pick<ShopContext, 't' | 'formats'>

export function priceWords({ t, formats }: Words): PriceWords {
  return {
    from: t('goods.from'),
    retail: t('goods.retail'),
    retailShort: t('goods.retail-short'),
    withVat: t('goods.with-vat'),
    withoutVat: t('goods.without-vat'),
    priceWithVat: (price) => t('goods.price-with-vat', { price }),
    priceWithoutVat: (price) => t('goods.price-without-vat', { price }),
    noVat: t('goods.no-vat'),
    reduction: formats.reduction,
    pack: (quantity, price) => t('goods.pack', { quantity, price }),
  }
}

export function ratingWords({ t }: Pick<Words, 't'>): RatingWords {
  return {
    label: (value, count) => t('goods.rating', { value: Math.round(value * 10) / 10, count }),
    figure: (count) => t('goods.rating-count', { count }),
  }
}

export function cardWords(words: Words): CardWords {
  const { t } = words
  return {
    price: priceWords(words),
    rating: ratingWords(words),
    soldBy: (seller) => t('goods.sold-by', { seller }),
    models: (count) => t('goods.models', { count }),
    freeDelivery: t('goods.free-delivery'),
    fulfilled: t('goods.fulfilled'),
    soldOut: t('goods.sold-out'),
  }
}

/** The text of a condition marker in a title, "[Refurbished - good]", without brackets. */
export function conditionWords(marker: string): string {
  return marker.replace(/^\[|\]$/g, '')
}

/** Whether a visitor of this storefront may see net prices, so that each price needs a label. */
export function hasNetPrices({ mode, market }: Pick<ShopContext, 'mode' | 'market'>): boolean {
  return mode === 'b2b' && !markets[market].b2bPricesIncludeVat
}
