import type { ReactNode } from 'react'
import type { ShopContext } from './context.ts'

interface Props {
  className: string | undefined
  /** The sum of the whole list, which a script replaces by that of the ticked items. */
  children: ReactNode
  context: ShopContext
}

/** What the ticked items of a list cost, as the cart will count them. */
export function ListSum({ className, children, context: { t } }: Props): ReactNode {
  const priced = { price: '%' }
  return (
    <p
      className={className}
      aria-live="polite"
      data-list-sum
      data-with-vat={t('cart.ticked-sum', { amount: t('goods.price-with-vat', priced) })}
      data-without-vat={t('cart.ticked-sum', { amount: t('goods.price-without-vat', priced) })}
      data-none={t('cart.list-empty')}
    >
      {children}
    </p>
  )
}
