import { Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { wishlistField as field } from './wishlist-form.ts'
import styles from './heart.module.css'

/**
 * Puts a product on the first wishlist. The page may be made for everybody: the script `wish` (around the page) shows what is
 * there already and changes it in place; without script the form leads to the lists.
 */
export function Heart({ productId, title, t }: { productId: string; title: string; t: ShopContext['t'] }): ReactNode {
  return (
    <form method="post" action={paths.wishlists()} data-wish={productId}>
      <input type="hidden" name={field('productId')} value={productId} />
      <button className={styles.heart} name={field('do')} value="add" aria-label={t('wishlist.add', { title })}>
        <Icon name="heart" size={22} />
      </button>
    </form>
  )
}
