import { randomUUID } from 'node:crypto'
import { Button } from '@purlin/ui/button.tsx'
import { Alert } from '@purlin/ui/alert.tsx'
import { Field } from '@purlin/ui/field.tsx'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { chargedFields } from '../orders/order-reference.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AddressBlock } from './address-block.tsx'
import styles from './checkout.module.css'
import { CostCentreField, SiteField } from './company-choices.tsx'
import { DeliveryOptions } from './delivery-options.tsx'
import { FunnelSteps } from './funnel-steps.tsx'
import { OrderEmail } from './order-email.tsx'
import { OrderSummary, SummaryLink } from './order-summary.tsx'
import { approvalPath } from '../approval/chosen-points.ts'
import { requestPath } from '../approval/request-path.ts'
import { choicesOf, pointsNear } from './points-near.ts'
import {
  ChooseCartDeliveryDocument,
  CustomerOrderDocument,
  DeliverySlotsDocument,
  OrderReferenceDocument,
  OrderTargetsDocument,
  PlaceOrderDocument,
  SaveOrderReferenceDocument,
  type RefusalFragment,
} from '../generated/documents.ts'

export async function load(context: ShopContext) {
  const { customerOrderId = '' } = context.params
  const { customerOrder: order } = await context.client.query(CustomerOrderDocument, { id: customerOrderId })
  if (!order) return notFound()
  if (order.isPaid) return redirect(302, paths.orderRecap({ customerOrderId }))
  // Unavailable goods have no delivery, nor does an empty cart: the cart page explains what changed.
  const isGone = order.sellerOrders.length === 0 || order.sellerOrders.some(({ deliveryOptions }) => deliveryOptions.length === 0)
  const request = order.state === 'DRAFT' && isGone ? await requestPath(context, customerOrderId) : null
  if (order.state === 'CANCELLED' || isGone) return redirect(302, request ?? paths.cart())
  const isHeldSomewhere = order.sellerOrders.some(({ deliveryOptions }) => deliveryOptions.some(({ kind }) => kind === 'relay'))
  const points = isHeldSomewhere ? await pointsNear(context, order.address.postcode) : null
  const calendars = order.sellerOrders.filter(({ deliveryOptions }) => deliveryOptions.some(({ kind }) => kind === 'appointment'))
  const slots = await Promise.all(calendars.map(async ({ seller: { id } }) => [id, await slotsOf(context, customerOrderId, id)] as const))
  const company = (await context.principal()).kind === 'member' ? await ofCompany(context, customerOrderId) : null
  // One key per rendering of the form: a double submit places one order, a reload allows a new attempt.
  return {
    data: { order, points, slots, company, idempotencyKey: randomUUID() },
    title: context.t('checkout.delivery.title'),
    robots: 'noindex',
  }
}

async function slotsOf({ client }: ShopContext, customerOrderId: string, sellerId: number) {
  return (await client.query(DeliverySlotsDocument, { customerOrderId, sellerId })).deliverySlots
}

/** A company's own names for the order, and what they are chosen from. */
async function ofCompany({ client }: ShopContext, customerOrderId: string) {
  const { orderReference } = await client.query(OrderReferenceDocument, { customerOrderId })
  return orderReference && { reference: orderReference, targets: (await client.query(OrderTargetsDocument)).companySites }
}

/** A delivery kind per seller, by seller id, and its pick-up point or its time. */
const deliveryForm = v.object({
  idempotencyKey: text(100),
  delivery: v.optional(v.record(v.string(), text(40)), {}),
  point: v.optional(v.record(v.string(), text(40)), {}),
  slot: v.optional(v.record(v.string(), text(40)), {}),
  /** Sent by members of a company. */
  ...chargedFields,
})

/** One command: choices are saved, prices and stock checked again and the stock reserved, or nothing changes. */
export const action = formAction(
  deliveryForm,
  async (context: ShopContext, { idempotencyKey, delivery, point, slot, purchaseOrder, costCentre, siteId }) => {
    const { customerOrderId = '' } = context.params
    const id = customerOrderId
    const { customerOrder: order } = await context.client.query(CustomerOrderDocument, { id })
    if (!order) return notFound()
    if (order.isPaid) return redirect(303, paths.orderRecap({ customerOrderId }))
    const choices = choicesOf(
      Object.fromEntries(order.sellerOrders.map(({ seller: { id: sellerId } }) => [sellerId, delivery[sellerId] ?? ''])),
      point,
      slot,
    )
    // An order that a member placed before they signed in has no company that names it.
    const isMember = (await context.principal()).kind === 'member'
    const isNamed = isMember && (await context.client.query(OrderReferenceDocument, { customerOrderId })).orderReference !== null
    const reference = isNamed ? { purchaseOrder, costCentre, siteId } : null
    // A draft keeps its names for the request for its approval; those of a placed order change with its delivery, or neither does.
    const isDraft = order.state === 'DRAFT'
    if (reference && isDraft) {
      const named = await context.client.mutate(SaveOrderReferenceDocument, { customerOrderId, ...reference })
      if (named?.result.refusal) return refuse(named.result.refusal)
    }
    const again = isDraft ? null : reference
    const placed = await context.client.mutate(PlaceOrderDocument, { id, key: idempotencyKey, choices, reference: again })
    const refusal = placed?.placeOrder.refusal
    // For one of its names a refusal says so.
    if (refusal?.reason === 'approval-needed' && refusal.fields.length === 0) {
      // Approval is requested for drafts alone; a placed order stays as it is.
      if (!isDraft) return refuse({ ...refusal, message: context.t('approval.delivery-beyond') }, 409)
      for (const { sellerId, kind } of choices) await context.client.mutate(ChooseCartDeliveryDocument, { sellerId, kind })
      return redirect(303, approvalPath(customerOrderId, choices))
    }
    return refusal ? describeRefusal(refusal) : redirect(303, paths.payment({ customerOrderId }))
  },
)

/** Changed prices and stock are shown and confirmed in the cart, with alternatives; any other refusal is shown here. */
function describeRefusal(refusal: RefusalFragment) {
  return refusal.reason === 'cart-changed' || refusal.reason === 'sold-out' ? redirect(303, paths.cart()) : refuse(refusal, 409)
}

/** Choice of delivery for each seller's part. */
export function Page({
  data: { order, points, slots, company, idempotencyKey },
  context,
  refusal,
  typed,
}: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const fields = fieldsOf(deliveryForm, {
    typed,
    refusal,
    known: (name) => {
      if (name === 'costCentre') return company?.reference.costCentre ?? company?.reference.suggestedCostCentre ?? ''
      return name === 'purchaseOrder' || name === 'siteId' ? (company?.reference[name] ?? '') : ''
    },
  })
  return (
    <div className={styles.withSummary}>
      <div>
        <FunnelSteps current="identity" t={t} />
        <h1>{t('checkout.delivery.title')}</h1>
        <SummaryLink order={order} t={t} />
        {refusal && (
          <Alert severity="danger" title={refusal.message} announces>
            {refusal.reason === 'address-invalid' ? (
              // Freight without a phone number.
              <a href={paths.firstOrder()}>{t('checkout.payment.edit')}</a>
            ) : refusal.reason === 'approval-needed' ? (
              <a href={paths.payment({ customerOrderId: order.id })}>{t('approval.see-payment')}</a>
            ) : refusal.reason === 'awaits-approval' || refusal.reason === 'delivery-approved' ? (
              <a href={paths.approvals()}>{t('approval.list.title')}</a>
            ) : (
              <a href={paths.cart()}>{t('checkout.payment.backToCart')}</a>
            )}
          </Alert>
        )}
        <section className={styles.panel} aria-labelledby="to">
          <div className={styles.headRow}>
            <h2 id="to">{t('checkout.delivery.to')}</h2>
            <a href={paths.firstOrder()}>{t('checkout.delivery.change')}</a>
          </div>
          {company?.reference.site && (
            <p>
              <strong>{company.reference.site}</strong>
            </p>
          )}
          <AddressBlock address={order.address} locale={context.locale} />
          <OrderEmail email={order.email} context={context} />
        </section>
        <form method="post">
          <input type="hidden" name={fields('idempotencyKey').name} value={idempotencyKey} />
          {order.sellerOrders.map((sellerOrder) => (
            <DeliveryOptions
              key={sellerOrder.id}
              part={sellerOrder}
              name={fields(`delivery.${sellerOrder.seller.id}`).name}
              chosen={typed?.get(`delivery.${sellerOrder.seller.id}`) || sellerOrder.deliveryKind}
              points={{
                name: fields(`point.${sellerOrder.seller.id}`).name,
                chosen: typed?.get(`point.${sellerOrder.seller.id}`) || (sellerOrder.pickUpPoint?.id ?? ''),
                found: points,
              }}
              slots={{
                name: fields(`slot.${sellerOrder.seller.id}`).name,
                chosen: typed?.get(`slot.${sellerOrder.seller.id}`) || (sellerOrder.appointment?.id ?? ''),
                found: slots.find(([sellerId]) => sellerId === sellerOrder.seller.id)?.[1] ?? null,
              }}
              context={context}
            />
          ))}
          {company && (
            <section className={styles.panel} aria-labelledby="references">
              <h2 id="references">{t('order-reference.title')}</h2>
              <Field
                {...fields('purchaseOrder')}
                label={t('order-reference.purchase-order')}
                hint={t('order-reference.text')}
                autoComplete="off"
              />
              <SiteField {...fields('siteId')} targets={company.targets} known={company.reference.siteId} context={context} />
              <CostCentreField
                {...fields('costCentre')}
                targets={company.targets}
                label={t('order-reference.cost-centre')}
                known={company.reference.costCentre}
              />
            </section>
          )}
          <p className={styles.quiet}>{t('checkout.delivery.hold')}</p>
          <Button size="l" wide>
            {t('checkout.delivery.continue')}
          </Button>
        </form>
        <form id="near" method="get" />
      </div>
      <OrderSummary order={order} t={t} />
    </div>
  )
}
