import { randomUUID } from 'node:crypto'
import { Facts } from '@purlin/ui'
import { Alert } from '@purlin/ui/alert.tsx'
import { ButtonLink } from '@purlin/ui/button.tsx'
import { EmptyState } from '@purlin/ui/panel.tsx'
import { Enhance } from '@purlin/web/enhance.tsx'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { requestPath } from '../approval/request-path.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import { AddressBlock } from './address-block.tsx'
import styles from './checkout.module.css'
import { FunnelSteps } from './funnel-steps.tsx'
import { OrderEmail } from './order-email.tsx'
import { OrderReview } from './order-summary.tsx'
import { InvoiceChoice, InvoiceProgress, paymentForm } from './pay-by-invoice.tsx'
import {
  ChoosePaymentMethodDocument,
  CustomerOrderAtDocument,
  InvoiceOfferDocument,
  OrderReferenceDocument,
  type OrderFragment,
  type OrderReferenceQuery,
  type RefusalFragment,
} from '../generated/documents.ts'

export async function load(context: ShopContext) {
  const { customerOrderId = '' } = context.params
  const { customerOrder: order } = await context.client.query(CustomerOrderAtDocument, {
    id: customerOrderId,
    until: 'payable',
  })
  if (!order) return notFound()
  if (order.isPaid) return redirect(302, paths.orderRecap({ customerOrderId }))
  // The goods of an approved order whose hold has ended are with its request.
  if (order.state === 'DRAFT') return redirect(302, (await requestPath(context, customerOrderId)) ?? paths.delivery({ customerOrderId }))
  // A colleague of the same company: only the person who placed the order pays for it.
  const [part] = order.sellerOrders
  if (order.state === 'AWAITING_PAYMENT' && !order.payment && part)
    return redirect(302, paths.orderDetails({ customerOrderId, sellerOrderId: part.id }))
  const isOpen = context.mode === 'b2b' && order.state === 'AWAITING_PAYMENT'
  const offer = isOpen ? (await context.client.query(InvoiceOfferDocument, { id: customerOrderId })).invoiceOffer : null
  // One key per rendering of the form: a double submit places one order, a reload allows a new attempt.
  const invoice = { isOffered: offer?.reason === null, settlement: offer?.settlement ?? 'EACH', idempotencyKey: randomUUID() }
  // After two clicks from the cart this is the first page on which a company can name its order.
  const isMember = (await context.principal()).kind === 'member'
  const reference = isMember ? (await context.client.query(OrderReferenceDocument, { customerOrderId })).orderReference : null
  return { data: { order, invoice, reference }, title: context.t('checkout.payment.title'), robots: 'noindex' }
}

/** Another way to pay: the order is placed again with it. */
export const action = formAction(paymentForm, async (context: ShopContext, { idempotencyKey, method }) => {
  const { customerOrderId = '' } = context.params
  const chosen = await context.client.mutate(ChoosePaymentMethodDocument, { id: customerOrderId, key: idempotencyKey, method })
  const refusal = chosen?.choosePaymentMethod.refusal
  if (!refusal) return redirect(303, paths.payment({ customerOrderId }))
  // Changed prices and stock are shown and confirmed in the cart.
  if (refusal.reason === 'cart-changed' || refusal.reason === 'sold-out') return redirect(303, paths.cart())
  return refusal.reason === 'unknown-order' ? notFound() : refuse(refusal, 409)
})

/**
 * The last page before ordering, in one column at every width: the delivery address, everything bought with its total
 * and the legal text, then the card fields in a frame of the payment provider. Card data never reaches this
 * origin; the last element in the frame is the order button.
 */
export function Page({ data: { order, invoice, reference }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  if (order.state === 'CANCELLED') return <Expired context={context} />
  const { payment } = order
  return (
    <div className={styles.narrow}>
      <FunnelSteps current="payment" t={t} />
      <h1>{t('checkout.payment.title')}</h1>
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {payment?.failure && payment.method !== 'invoice' && (
        <Alert severity="danger" title={t('checkout.payment.failed.title')} announces>
          <p>{payment.failure}</p>
          <p>{t('checkout.payment.failed.text')}</p>
        </Alert>
      )}
      <section className={styles.panel} aria-labelledby="to">
        <div className={styles.headRow}>
          <h2 id="to">{t('checkout.delivery.to')}</h2>
          <a href={paths.delivery({ customerOrderId: order.id })}>{t('checkout.payment.edit')}</a>
        </div>
        <AddressBlock address={order.address} locale={context.locale} />
        <OrderEmail email={order.email} context={context} />
      </section>
      {reference && <References order={order} reference={reference} context={context} />}
      <OrderReview order={order} t={t} legal={<Terms context={context} />} />
      {payment?.method === 'invoice' ? (
        <InvoiceProgress payment={payment} idempotencyKey={invoice.idempotencyKey} context={context} />
      ) : (
        <>
          <CardFields order={order} context={context} />
          {invoice.isOffered && <InvoiceChoice settlement={invoice.settlement} idempotencyKey={invoice.idempotencyKey} context={context} />}
        </>
      )}
    </div>
  )
}

type Reference = NonNullable<OrderReferenceQuery['orderReference']>

/** A company's own names for the order, and the page on which they are changed. */
function References({ order, reference, context: { t } }: { order: OrderFragment; reference: Reference; context: ShopContext }): ReactNode {
  const facts = [
    { label: t('order-reference.purchase-order'), value: reference.purchaseOrder },
    { label: t('order-reference.cost-centre'), value: reference.costCentre },
    { label: t('order-reference.charged-site'), value: reference.site },
  ].flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]))
  return (
    <section className={styles.panel} aria-labelledby="references">
      <div className={styles.headRow}>
        <h2 id="references">{t('order-reference.title')}</h2>
        {reference.canChange && <a href={paths.delivery({ customerOrderId: order.id })}>{t('order-reference.change')}</a>}
      </div>
      {facts.length > 0 ? <Facts facts={facts} /> : <p className={styles.quiet}>{t('order-reference.none')}</p>}
    </section>
  )
}

/** The card fields, in a frame of the payment provider. */
function CardFields({ order, context }: { order: OrderFragment; context: ShopContext }): ReactNode {
  const { t } = context
  return (
    <section className={styles.panel} aria-labelledby="card">
      <div className={styles.headRow}>
        <h2 id="card">{t('checkout.payment.card')}</h2>
        {order.holdsUntil && (
          <p className={styles.quiet}>{t('checkout.payment.until', { time: context.formats.time(order.holdsUntil) })}</p>
        )}
      </div>
      {order.payment?.frameUrl ? (
        <Enhance with="payment-frame" when="load">
          <iframe
            className={styles.frame}
            src={order.payment.frameUrl}
            title={t('checkout.payment.frameTitle')}
            data-return={paths.spartacuxPayment({}, { order: order.id })}
            allow="payment"
          />
        </Enhance>
      ) : (
        <Preparing context={context} />
      )}
      <p className={styles.quiet}>{t('checkout.payment.secure')}</p>
    </section>
  )
}

/** Terms the buyer accepts by paying. Only consumers have a right of withdrawal. */
function Terms({ context: { t, mode } }: { context: ShopContext }): ReactNode {
  const isPro = mode === 'b2b'
  const terms = (words: ReactNode) => <Apart href={paths.termsAndConditions()}>{words}</Apart>
  const withdrawal = (words: ReactNode) => <Apart href={paths.withdrawal()}>{words}</Apart>
  return (
    <p className={styles.terms} data-legal>
      {isPro ? t.rich('checkout.payment.terms-pro', { terms }) : t.rich('checkout.payment.terms', { terms, withdrawal })}
    </p>
  )
}

/** Opens in a new tab, so that the payment page stays open. */
function Apart({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  )
}

/** The worker calls the provider within a moment; the page reloads by itself, with or without scripts. */
function Preparing({ context }: { context: ShopContext }): ReactNode {
  const { t, pathname } = context
  return (
    <div className={styles.preparing} role="status">
      <LookAgain seconds={1} />
      <p>{t('checkout.payment.preparing')}</p>
      <p>
        <a href={pathname}>{t('checkout.payment.reload')}</a>
      </p>
    </div>
  )
}

function Expired({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <EmptyState
      icon="info"
      heading="h1"
      title={t('checkout.payment.expired.title')}
      actions={<ButtonLink href={paths.cart()}>{t('checkout.payment.backToCart')}</ButtonLink>}
    >
      <p>{t('checkout.payment.expired.text')}</p>
    </EmptyState>
  )
}
