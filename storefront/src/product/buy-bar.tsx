import { Button, Price } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { priceWords } from '../shell/words.ts'
import type { ShownOfferFragment } from '../generated/documents.ts'
import styles from './buy-bar.module.css'

/** Id of the form of the buy box, which the bar submits. */
export const buyForm = 'buy'

/** How many of an offer can be bought at once; zero where stock does not fill a pack. */
export function mostOf({ stock, bulk, maxQuantity }: Pick<ShownOfferFragment, 'stock' | 'bulk' | 'maxQuantity'>): number {
  const most = Math.min(stock, maxQuantity ?? stock)
  return most >= (bulk ?? 1) ? most : 0
}

/** Keeps price and button in reach on phones, from the first screen on. (V-30) */
export function BuyBar({ offer, context }: { offer: ShownOfferFragment; context: ShopContext }): ReactNode {
  const { t } = context
  if (mostOf(offer) === 0) return null
  return (
    <section className={styles.bar} aria-label={t('product.buy-bar')} data-buy-bar="">
      <Price
        block={{ ...offer.price, unit: null, secondary: null }}
        words={priceWords(context)}
        size="s"
        saysTax={context.mode === 'b2b'}
        offerId={replaceable(context, offer.id)}
      />
      <Button form={buyForm} icon="cart">
        {t('goods.add')}
      </Button>
    </section>
  )
}
