import { ButtonLink } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from '../checkout/checkout.module.css'
import type { RefundFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

/** The refunds of an order with their states; nothing when there are none. */
export function RefundList({ refunds, context }: { refunds: readonly RefundFragment[]; context: ShopContext }): ReactNode {
  const { t } = context
  if (refunds.length === 0) return null
  return (
    <section className={styles.panel} id="refunds">
      <h2>{t('refund.list.title')}</h2>
      <ul className={styles.plainList}>
        {refunds.map((refund) => (
          <li key={refund.id} className={styles.part}>
            <div className={styles.headRow}>
              <h3 className={styles.partTitle}>
                <a href={paths.refundForm({ id: refund.id })}>{refund.amount.formatted}</a>
              </h3>
              <p className={styles.state}>{refund.stateLabel}</p>
            </div>
            <RefundFacts refund={refund} context={context} />
            {refund.canGiveAccount && (
              <p>
                <ButtonLink href={paths.refundForm({ id: refund.id })}>{t('refund.list.give-account')}</ButtonLink>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Where the money of a refund comes from and goes, or how much is still to come while nobody knows where to. */
function waysOf({ state, whole, byBank, byShop, ibanEnd, isByHand, isSetOff }: RefundFragment, t: ShopContext['t']): string[] {
  if (state === 'NOT_OWED') return [t('refund.not-owed')]
  if (isSetOff) return [t('refund.by-bank')]
  const inPart = byBank ? [t('refund.by-bank-in-part', { taken: byBank.formatted, whole: whole.formatted })] : []
  const amount = byShop.formatted
  if (state === 'IBAN_NEEDED') return [...inPart, t('refund.still-to-come', { amount })]
  if (ibanEnd !== null) return [...inPart, t('refund.to-account', { amount, end: ibanEnd })]
  return [...inPart, isByHand ? t('refund.by-transfer', { amount }) : t('refund.to-card', { amount })]
}

/** The lines of a refund, and where its money comes from and goes. */
export function RefundFacts({ refund, context: { t } }: { refund: RefundFragment; context: ShopContext }): ReactNode {
  return (
    <>
      <ul className={styles.plainList}>
        {refund.lines.map((line) => (
          <li key={line.offerId} className={styles.headRow}>
            <span>{line.quantity > 0 ? t('refund.line', { count: line.quantity, title: line.title }) : line.title}</span>
            <span>{line.amount.formatted}</span>
          </li>
        ))}
      </ul>
      {waysOf(refund, t).map((way) => (
        <p key={way} className={styles.quiet}>
          {way}
        </p>
      ))}
      {refund.doneAt && !refund.isSetOff && <p className={styles.quiet}>{t('refund.done-at', { at: refund.doneAt })}</p>}
    </>
  )
}
