import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './checkout.module.css'

/** The recipient of the confirmation and the order link: shown at each step up to the payment, and editable. */
export function OrderEmail({ email, context: { t } }: { email: string; context: ShopContext }): ReactNode {
  return (
    <p className={styles.orderEmail}>
      <span className={styles.quiet}>{t('checkout.email.to')}</span> <strong>{email}</strong>{' '}
      <a href={paths.funnelLogin()}>{t('checkout.email.change')}</a>
    </p>
  )
}
