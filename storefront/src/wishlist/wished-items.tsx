import { Button, Field } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { WishedItemFragment } from '../generated/documents.ts'
import { ShopCard } from '../shell/card.tsx'
import type { ShopContext } from '../shell/context.ts'
import { wishlistField as field } from './wishlist-form.ts'
import styles from './wishlist.module.css'

interface Props {
  items: readonly WishedItemFragment[]
  /** The list's owner may change it; null for visitors with its link. */
  listId: string | null
  /** Professionals say how many they need; the whole list goes to the cart in these quantities. */
  hasQuantities?: boolean
  /** Of a building site: what one member buys stays on it for the others. */
  isShared?: boolean
  context: ShopContext
}

/** The products of a list as cards; discontinued ones are marked. */
export function WishedItems({ items, listId, hasQuantities = false, isShared = false, context }: Props): ReactNode {
  const { t } = context
  return (
    <ul className={styles.items}>
      {items.map((item) => (
        <li key={item.productId}>
          {item.card ? (
            <ShopCard card={item.card} context={context} heading="h2" />
          ) : (
            <div className={styles.gone}>
              <h2>{item.title}</h2>
              <p>{t('wishlist.gone')}</p>
            </div>
          )}
          {item.dropped && <p className={styles.dropped}>{t('wishlist.dropped', { amount: item.dropped.formatted })}</p>}
          {item.isBack && <p className={styles.dropped}>{t('wishlist-notice.is-back')}</p>}
          {listId !== null && hasQuantities && item.card && (
            <Quantity item={item} bulk={item.card.bulk ?? 1} listId={listId} context={context} />
          )}
          {listId !== null && (
            <form method="post" className={styles.itemActions}>
              <input type="hidden" name={field('id')} value={listId} />
              <input type="hidden" name={field('productId')} value={item.productId} />
              {/* The offer shown was chosen for the whole list; for the product alone it might be another one. */}
              {hasQuantities && !isShared && item.card && <input type="hidden" name={field('offerId')} value={item.card.offerId} />}
              {item.card && !isShared && (
                <Button
                  size="s"
                  look="secondary"
                  name={field('do')}
                  value="to-cart"
                  aria-label={t('wishlist.to-cart-of', { title: item.title })}
                >
                  {t('wishlist.to-cart')}
                </Button>
              )}
              <Button size="s" look="quiet" name={field('do')} value="remove" aria-label={t('wishlist.remove-of', { title: item.title })}>
                {t('wishlist.remove')}
              </Button>
            </form>
          )}
        </li>
      ))}
    </ul>
  )
}

interface QuantityProps {
  item: WishedItemFragment
  /** Sold in multiples of this. */
  bulk: number
  listId: string
  context: ShopContext
}

function Quantity({ item: { productId, title, quantity }, bulk, listId, context: { t } }: QuantityProps): ReactNode {
  return (
    <form method="post" className={styles.quantity}>
      <input type="hidden" name={field('id')} value={listId} />
      <input type="hidden" name={field('productId')} value={productId} />
      <Field
        id={`quantity-${productId}`}
        name={field('quantity')}
        label={t('wishlist.quantity')}
        aria-label={t('wishlist.quantity-of', { title })}
        type="number"
        inputMode="numeric"
        min={bulk}
        max={9999}
        step={bulk}
        required
        defaultValue={String(quantity)}
        autoComplete="off"
      />
      <Button size="s" look="quiet" name={field('do')} value="quantity" aria-label={t('wishlist.quantity.save-of', { title })}>
        {t('wishlist.quantity.save')}
      </Button>
    </form>
  )
}
