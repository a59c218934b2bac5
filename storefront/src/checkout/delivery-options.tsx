import { Check } from '@purlin/ui/field.tsx'
import type { ReactNode } from 'react'
import type { CheckoutSellerFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './checkout.module.css'

interface Props {
  part: Pick<CheckoutSellerFragment, 'deliveryOptions'> & {
    seller: Pick<CheckoutSellerFragment['seller'], 'name'>
    lines: readonly Pick<CheckoutSellerFragment['lines'][number], 'offerId' | 'imageUrl' | 'title' | 'quantity'>[]
  }
  name: string
  chosen: string
  t: ShopContext['t']
}

/** How one seller's goods arrive, each way with its day and its price. */
export function DeliveryOptions({ part: { seller, lines, deliveryOptions }, name, chosen, t }: Props): ReactNode {
  return (
    <fieldset className={styles.panel}>
      <legend className={styles.legend}>{t('checkout.delivery.soldBy', { seller: seller.name })}</legend>
      <ul className={styles.thumbs}>
        {lines.map((line) => (
          <li key={line.offerId}>
            <img src={line.imageUrl} alt={line.title} width={64} height={64} loading="lazy" />
            {line.quantity > 1 && <span>×{line.quantity}</span>}
          </li>
        ))}
      </ul>
      {deliveryOptions.map((option) => (
        <div key={option.kind} className={styles.option}>
          <Check
            type="radio"
            name={name}
            value={option.kind}
            defaultChecked={option.kind === chosen}
            required
            label={
              <span className={styles.optionLabel}>
                <strong>{option.label}</strong>
                <span className={styles.quiet}>{option.promise}</span>
              </span>
            }
          />
          <span className={styles.fee}>{option.fee.amount === 0 ? t('checkout.delivery.free') : option.fee.formatted}</span>
        </div>
      ))}
    </fieldset>
  )
}
