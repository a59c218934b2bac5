import type { CardWords, PriceWords } from '@purlin/ui'
import type { Translate } from '@purlin/web/i18n.ts'
import type { MessageKey } from '../messages/keys.ts'

type T = Translate<MessageKey>

export function priceWords(t: T): PriceWords {
  return {
    from: t('goods.from'),
    retail: t('goods.retail'),
    withVat: t('goods.with-vat'),
    withoutVat: t('goods.without-vat'),
    noVat: t('goods.no-vat'),
  }
}

export function cardWords(t: T): CardWords {
  return {
    price: priceWords(t),
    soldBy: (seller) => t('goods.sold-by', { seller }),
    models: (count) => t('goods.models', { count }),
    rating: (value, count) => t('goods.rating', { value: Math.round(value * 10) / 10, count }),
    freeDelivery: t('goods.free-delivery'),
    fulfilled: t('goods.fulfilled'),
  }
}
