import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ButtonName } from '../shell/button-name.ts'
import type { ShopContext } from '../shell/context.ts'
import { wishlistField as field } from './wishlist-form.ts'
import styles from './heart.module.css'

/**
 * Adds a product to the default wishlist. The page may be shared: the script `wish` (around the page) marks products on a
 * wishlist and toggles them in place; without a script the form leads to the lists.
 */
export function Heart({ productId, title, t }: { productId: string; title: string; t: ShopContext['t'] }): ReactNode {
  return (
    <form method="post" action={paths.wishlists()} data-wish>
      <input type="hidden" name={field('do')} value="add" />
      <button className={styles.heart} name={field('productId')} value={productId} aria-label={t('wishlist.add', { title })} />
    </form>
  )
}

/** The same in a list of cards: one form serves all hearts of a page. */
export function HeartButton({ form, productId, name }: { form: string; productId: string; name: ButtonName }): ReactNode {
  return <button form={form} name={field('productId')} value={productId} {...name} />
}
