import { Summary } from '@purlin/ui/panel.tsx'
import type { ReactNode } from 'react'
import type { CheckoutCartFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './checkout.module.css'
import page from './details.module.css'
import { totalLines } from './order-summary.tsx'

interface Props {
  cart: CheckoutCartFragment
  t: ShopContext['t']
}

/** The goods and their total beside the form; on phones `SummaryBar` has them instead. */
export function CartSummary({ cart, t }: Props): ReactNode {
  return (
    <div className={page.aside} data-summary="aside">
      <Summary
        title={t('checkout.summary.title')}
        lines={totalLines(cart.totals, t, cart.coupon?.code)}
        goods={<Goods cart={cart} t={t} />}
      />
    </div>
  )
}

/** On phones: one line with the total, which stays in sight and unfolds to the goods. */
export function SummaryBar({ cart, t }: Props): ReactNode {
  return (
    <details className={page.bar} data-summary="bar">
      <summary>{t('checkout.summary.show', { total: cart.totals.totalWithVat.formatted })}</summary>
      <div className={page.unfolded}>
        <Goods cart={cart} t={t} />
        <dl className={page.figures}>
          {totalLines(cart.totals, t, cart.coupon?.code).map(({ label, value, look }, index) => (
            <div key={index} data-look={look}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  )
}

function Goods({ cart, t }: Props): ReactNode {
  return (
    <ul className={styles.miniLines}>
      {cart.sellers.flatMap(({ lines }) =>
        lines.map(({ offerId, title, imageUrl, quantity, total, totalWithVat }) => (
          <li key={offerId} className={styles.miniLine}>
            <img src={imageUrl} alt="" width={56} height={56} loading="lazy" />
            <div>
              <p className={styles.miniTitle}>{title}</p>
              <p className={styles.quiet}>{t('checkout.summary.quantity', { quantity })}</p>
            </div>
            <p>{(cart.taxKey === 'with_vat' ? totalWithVat : total).formatted}</p>
          </li>
        )),
      )}
    </ul>
  )
}
