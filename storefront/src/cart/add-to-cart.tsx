import { Button, cx } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { cartField } from './cart-form.ts'
import styles from './add-to-cart.module.css'
import type { ButtonName } from '../shell/button-name.ts'
import type { ShopContext } from '../shell/context.ts'

interface AddToCartProps {
  t: ShopContext['t']
  offerId: string
  title: string
  /** On pages about several products whose forms stand in no card. */
  productId?: string
  quantity: number
  /** The round button on a card. */
  isQuick?: boolean
  label?: string
  look?: 'primary' | 'secondary'
  /** Id of the form, for a button outside it. */
  id?: string
  children?: ReactNode
}

/** The round button of a card in a list, where one form is around all cards. */
export function QuickAddButton({ pick, name }: { pick: string; name: ButtonName }): ReactNode {
  return <button name={cartField('offerId')} value={pick} {...name} />
}

/**
 * A form that posts to the cart; the script `add-to-cart` (around the page) submits it without leaving the page, and then shows
 * the link to the cart, one stop after the button.
 */
export function AddToCart({ t, offerId, title, productId, quantity, isQuick, label, look, id, children }: AddToCartProps): ReactNode {
  return (
    <form
      id={id}
      method="post"
      action={paths.cart()}
      className={cx(styles.form, isQuick && styles.quick)}
      data-add-to-cart={title}
      data-product={productId}
    >
      <input type="hidden" name={cartField('do')} value="add" />
      <input type="hidden" name={cartField('offerId')} value={offerId} />
      {children ?? <input type="hidden" name={cartField('quantity')} value={quantity} />}
      {isQuick ? (
        <button className={styles.round} aria-label={t('goods.add-named', { title })} />
      ) : (
        <Button
          size={look === 'secondary' ? 'm' : 'l'}
          look={look ?? 'primary'}
          icon={look === 'secondary' ? undefined : 'cart'}
          className={look === 'secondary' ? undefined : styles.add}
        >
          {label ?? t('goods.add')}
        </Button>
      )}
      {!isQuick && (
        <a href={paths.cart()} className={styles.open} hidden>
          {t('shell.to-cart')}
        </a>
      )}
    </form>
  )
}
