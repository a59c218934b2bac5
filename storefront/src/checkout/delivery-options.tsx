import { Check } from '@purlin/ui/field.tsx'
import type { ReactNode } from 'react'
import type { CheckoutSellerFragment, DeliverySlotsFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './checkout.module.css'
import { PickUpPoints } from './pick-up-points.tsx'
import type { PointsNear } from './points-near.ts'
import { Slots } from './slots.tsx'

interface Props {
  part: Pick<CheckoutSellerFragment, 'deliveryOptions'> & {
    seller: Pick<CheckoutSellerFragment['seller'], 'id' | 'name'>
    lines: readonly Pick<CheckoutSellerFragment['lines'][number], 'offerId' | 'imageUrl' | 'title' | 'quantity'>[]
  }
  name: string
  chosen: string
  points: { name: string; chosen: string; found: PointsNear | null }
  /** Without them, the next page asks for the time. */
  slots?: { name: string; chosen: string; found: DeliverySlotsFragment | null }
  context: ShopContext
}

/** How one seller's goods arrive, each way with its day and its price. */
export function DeliveryOptions({ part: { seller, lines, deliveryOptions }, name, chosen, points, slots, context }: Props): ReactNode {
  const { t } = context
  // A search for points without scripts loads the page anew.
  const kind = points.found?.isSearched && deliveryOptions.some((option) => option.kind === 'relay') ? 'relay' : chosen
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
            defaultChecked={option.kind === kind}
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
      {deliveryOptions.some(({ kind }) => kind === 'appointment') && (
        <Slots found={slots?.found ?? null} name={slots?.name ?? ''} chosen={slots?.chosen ?? ''} context={context} />
      )}
      {deliveryOptions.some(({ kind }) => kind === 'relay') && (
        <PickUpPoints sellerId={seller.id} context={context} found={points.found} name={points.name} chosen={points.chosen} />
      )}
    </fieldset>
  )
}
