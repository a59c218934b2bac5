import { Logo } from '@purlin/ui'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import styles from './checkout.module.css'
import { CustomerOrderAtDocument } from '../generated/documents.ts'

/** Maximum number of reloads, some seconds each, before redirecting to the payment page, which shows the state. */
const looks = 6

/**
 * The page to which the provider returns the buyer. Trusts nothing in the address: the state comes from our own order,
 * which changes through the provider's signed messages.
 */
export async function load(context: ShopContext) {
  const customerOrderId = typeof context.query['order'] === 'string' ? context.query['order'] : ''
  const look = Number(context.query['look']) || 0
  if (!/^[\w-]{1,64}$/.test(customerOrderId)) return notFound()
  const { customerOrder: order } = await context.client.query(CustomerOrderAtDocument, {
    id: customerOrderId,
    until: 'settled',
  })
  if (!order) return notFound()
  if (order.isPaid) return redirect(302, paths.orderRecap({ customerOrderId }))
  if (order.payment?.failure || order.state !== 'AWAITING_PAYMENT' || look >= looks)
    return redirect(302, paths.payment({ customerOrderId }))
  return {
    data: { again: paths.spartacuxPayment({}, { order: customerOrderId, look: look + 1 }) },
    title: context.t('checkout.return.title'),
    robots: 'noindex',
  }
}

export function Page({ data: { again }, context: { t, mode } }: PageProps<typeof load>): ReactNode {
  return (
    <main className={styles.waiting}>
      <LookAgain seconds={1} at={again} />
      <p>
        <Logo isPro={mode === 'b2b'} height={36} />
      </p>
      <h1>{t('checkout.return.title')}</h1>
      <p role="status">{t('checkout.return.text')}</p>
      <p>
        <a href={again}>{t('checkout.payment.reload')}</a>
      </p>
    </main>
  )
}
