import { randomUUID } from 'node:crypto'
import { Button } from '@purlin/ui/button.tsx'
import { Alert } from '@purlin/ui/alert.tsx'
import { Check } from '@purlin/ui/field.tsx'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AddressBlock } from './address-block.tsx'
import styles from './checkout.module.css'
import { FunnelSteps } from './funnel-steps.tsx'
import { OrderEmail } from './order-email.tsx'
import { OrderSummary, SummaryLink } from './order-summary.tsx'
import { CustomerOrderDocument, PlaceOrderDocument, type RefusalFragment, type SellerOrderFragment } from '../generated/documents.ts'

export async function load(context: ShopContext) {
  const { customerOrderId = '' } = context.params
  const { customerOrder: order } = await context.client.query(CustomerOrderDocument, { id: customerOrderId })
  if (!order) return notFound()
  if (order.isPaid) return redirect(302, paths.orderRecap({ customerOrderId }))
  // Unavailable goods have no delivery, nor does an empty cart: the cart page explains what changed.
  const isGone = order.sellerOrders.length === 0 || order.sellerOrders.some(({ deliveryOptions }) => deliveryOptions.length === 0)
  if (order.state === 'CANCELLED' || isGone) return redirect(302, paths.cart())
  // One key per rendering of the form: a double submit places one order, a reload allows a new attempt.
  return { data: { order, idempotencyKey: randomUUID() }, title: context.t('checkout.delivery.title'), robots: 'noindex' }
}

/** A delivery kind per seller, by seller id. */
const deliveryForm = v.object({ idempotencyKey: text(100), delivery: v.optional(v.record(v.string(), text(40)), {}) })
const field = namesOf(deliveryForm)

/** One command: choices are saved, prices and stock checked again and the stock reserved, or nothing changes. */
export const action = formAction(deliveryForm, async (context: ShopContext, { idempotencyKey, delivery }) => {
  const { customerOrderId = '' } = context.params
  const id = customerOrderId
  const { customerOrder: order } = await context.client.query(CustomerOrderDocument, { id })
  if (!order) return notFound()
  if (order.isPaid) return redirect(303, paths.orderRecap({ customerOrderId }))
  const choices = order.sellerOrders.map(({ seller }) => ({ sellerId: seller.id, kind: delivery[seller.id] ?? '' }))
  const placed = await context.client.mutate(PlaceOrderDocument, { id, key: idempotencyKey, choices })
  const refusal = placed?.placeOrder.refusal
  return refusal ? describeRefusal(refusal) : redirect(303, paths.payment({ customerOrderId }))
})

/** Changed prices and stock are shown and confirmed in the cart, with alternatives; any other refusal is shown here. */
function describeRefusal(refusal: RefusalFragment) {
  return refusal.reason === 'cart-changed' || refusal.reason === 'sold-out' ? redirect(303, paths.cart()) : refuse(refusal, 409)
}

/** Choice of delivery for each seller's part. */
export function Page({ data: { order, idempotencyKey }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <div className={styles.withSummary}>
      <div>
        <FunnelSteps current="delivery" t={t} orderId={order.id} />
        <h1>{t('checkout.delivery.title')}</h1>
        <SummaryLink order={order} t={t} />
        {refusal && (
          <Alert severity="danger" title={refusal.message} announces>
            <a href={paths.cart()}>{t('checkout.payment.backToCart')}</a>
          </Alert>
        )}
        <section className={styles.panel} aria-labelledby="to">
          <div className={styles.headRow}>
            <h2 id="to">{t('checkout.delivery.to')}</h2>
            <a href={paths.firstOrder()}>{t('checkout.delivery.change')}</a>
          </div>
          <AddressBlock address={order.address} locale={context.locale} />
          <OrderEmail email={order.email} context={context} />
        </section>
        <form method="post">
          <input type="hidden" name={field('idempotencyKey')} value={idempotencyKey} />
          {order.sellerOrders.map((sellerOrder) => (
            <SellerDelivery
              key={sellerOrder.id}
              sellerOrder={sellerOrder}
              chosen={typed?.get(field(`delivery.${sellerOrder.seller.id}`)) || sellerOrder.deliveryKind}
              context={context}
            />
          ))}
          <p className={styles.quiet}>{t('checkout.delivery.hold')}</p>
          <Button size="l" wide>
            {t('checkout.delivery.continue')}
          </Button>
        </form>
      </div>
      <OrderSummary order={order} t={t} />
    </div>
  )
}

function SellerDelivery({
  sellerOrder,
  chosen,
  context,
}: {
  sellerOrder: SellerOrderFragment
  chosen: string
  context: ShopContext
}): ReactNode {
  const { t } = context
  const { seller, deliveryOptions, lines } = sellerOrder
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
            name={field(`delivery.${seller.id}`)}
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
