import { transactionOf } from '@purlin/contract/transaction.ts'
import { Alert } from '@purlin/ui/alert.tsx'
import { ButtonLink } from '@purlin/ui/button.tsx'
import { Enhance } from '@purlin/web'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ConvertForm } from '../account/convert-guest-page.tsx'
import { AddressBlock } from './address-block.tsx'
import styles from './checkout.module.css'
import { PickUpPointBlock } from './opening-hours.tsx'
import { OrderSummary } from './order-summary.tsx'
import { NotListed } from '../orders/not-listed.tsx'
import { CustomerOrderDocument } from '../generated/documents.ts'

export async function load(context: ShopContext) {
  const { customerOrderId = '' } = context.params
  const { customerOrder: order } = await context.client.query(CustomerOrderDocument, { id: customerOrderId })
  if (!order) return notFound()
  if (!order.isPaid) return redirect(302, paths.payment({ customerOrderId }))
  const isGuest = (await context.principal()).kind === 'guest'
  return {
    data: { order, isGuest },
    title: context.t('checkout.receipt.title'),
    robots: 'noindex',
    pageData: { view: { transaction: await transactionOf(order.id) } },
  }
}

/** A thank-you, the order's contents, and what happens next. */
export function Page({ data: { order, isGuest }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const [first] = order.sellerOrders
  return (
    <div className={styles.withSummary}>
      <div>
        <p className={styles.kicker}>{t('checkout.receipt.number', { id: order.id })}</p>
        <Enhance with="ordered">
          <h1 data-ordered={order.sellerOrders.flatMap(({ lines }) => lines.map(({ productId }) => productId)).join(' ')}>
            {t('checkout.receipt.title')}
          </h1>
        </Enhance>
        <p>{t('checkout.receipt.mail', { email: order.email })}</p>
        {!isGuest && !order.isInMyOrders && <NotListed email={order.email} t={t} />}
        {order.state === 'AUTHORISED' && <Alert severity="info">{t('checkout.receipt.pending')}</Alert>}
        <section className={styles.panel} aria-labelledby="next">
          <h2 id="next">{t('checkout.receipt.next')}</h2>
          <ol className={styles.nextSteps}>
            <li>{t('checkout.receipt.next1')}</li>
            <li>{t('checkout.receipt.next2')}</li>
            <li>{t('checkout.receipt.next3')}</li>
          </ol>
        </section>
        <section className={styles.panel} aria-labelledby="to">
          <h2 id="to">{t('checkout.order.deliveryAddress')}</h2>
          <AddressBlock address={order.address} locale={context.locale} />
          <ul className={styles.plainList}>
            {order.sellerOrders.map((part) => (
              <li key={part.id}>
                <strong>{part.seller.name}</strong>: {part.deliveryLabel}, {part.deliveryPromise}
                {part.pickUpPoint && <PickUpPointBlock point={part.pickUpPoint} t={t} />}
              </li>
            ))}
          </ul>
        </section>
        {isGuest && (
          <section aria-labelledby="convert">
            <h2 id="convert">{t('account.convert')}</h2>
            <ConvertForm email={order.email} orderId={order.id} t={t} />
          </section>
        )}
        <p className={styles.actions}>
          {first && (
            <ButtonLink href={paths.orderDetails({ customerOrderId: order.id, sellerOrderId: first.id })}>
              {t('checkout.receipt.view')}
            </ButtonLink>
          )}
          <ButtonLink href="/" look="secondary">
            {t('checkout.receipt.continue')}
          </ButtonLink>
        </p>
      </div>
      <OrderSummary order={order} t={t} />
    </div>
  )
}
