import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './checkout.module.css'

/** Where confirmation and link of the order will go: shown at each step up to the payment, and open to change. */
export function OrderEmail({ email, context: { t } }: { email: string; context: ShopContext }): ReactNode {
  return (
    <p className={styles.orderEmail}>
      <span className={styles.quiet}>{t('checkout.email.to')}</span> <strong>{email}</strong>{' '}
      <a href={paths.funnelLogin()}>{t('checkout.email.change')}</a>
    </p>
  )
}
