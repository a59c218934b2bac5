import type { ReactNode } from 'react'
import type { ShownOfferFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './quantity-breaks.module.css'

/** Lower prices for several pieces, as the cart will charge them. */
export function QuantityBreaks({
  offer: { id, quantityBreaks: breaks },
  t,
}: {
  offer: Pick<ShownOfferFragment, 'id' | 'quantityBreaks'>
  t: ShopContext['t']
}): ReactNode {
  if (breaks.length === 0) return null
  return (
    <table className={styles.breaks} data-breaks={id}>
      <caption>{t('quantity-break.title')}</caption>
      <tbody>
        {breaks.map(({ from, price }) => (
          <tr key={from} data-from={from}>
            <th scope="row">{t('quantity-break.from', { from })}</th>
            <td>{t('quantity-break.each', { price: price.formatted })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
