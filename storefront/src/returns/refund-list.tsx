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

/** Where the money of a refund goes; null while that is still asked. */
function whereTo({ state, amount, ibanEnd, isSetOff }: RefundFragment, t: ShopContext['t']): string | null {
  if (state === 'IBAN_NEEDED') return null
  if (state === 'NOT_OWED') return t('refund.not-owed')
  if (isSetOff) return t('refund.by-bank')
  return ibanEnd === null
    ? t('refund.to-card', { amount: amount.formatted })
    : t('refund.to-account', { amount: amount.formatted, end: ibanEnd })
}

/** The lines of a refund, and where the money goes. */
export function RefundFacts({ refund, context: { t } }: { refund: RefundFragment; context: ShopContext }): ReactNode {
  const where = whereTo(refund, t)
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
      {where !== null && <p className={styles.quiet}>{where}</p>}
      {refund.doneAt && !refund.isSetOff && <p className={styles.quiet}>{t('refund.done-at', { at: refund.doneAt })}</p>}
    </>
  )
}
