import type { ReactNode } from 'react'
import styles from '../checkout/checkout.module.css'
import type { ReturnDetailsFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

/** The returns of an order with their states; nothing when there are none. */
export function ReturnList({ returns, context: { t } }: { returns: readonly ReturnDetailsFragment[]; context: ShopContext }): ReactNode {
  if (returns.length === 0) return null
  return (
    <section className={styles.panel} id="returns">
      <h2>{t('returns.list.title')}</h2>
      <ul className={styles.plainList}>
        {returns.map(({ id, number, stateLabel, customerOrderId, sellerOrderId, labelUrl, state }) => (
          <li key={id}>
            <a href={paths.returnConfirmation({ customerOrderId, orderId: sellerOrderId, requestId: id })}>
              {t('returns.list.item', { number, state: stateLabel })}
            </a>
            {labelUrl !== null && state === 'LABEL_SENT' && (
              <>
                {' · '}
                <a href={labelUrl}>{t('returns.label.pdf')}</a>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
