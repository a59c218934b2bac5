import { randomUUID } from 'node:crypto'
import { reachOf } from '@purlin/contract/actions.ts'
import { Alert, Button, ButtonLink, Container, EmptyState, Field, Icon, Summary, type SummaryLine } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import { HistoryPlace } from '../history/history-place.tsx'
import { loadRecommended, RecommendedRows } from '../history/recommended.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { cartAction, type CartRefusal } from './cart-action.ts'
import { CartDocument, OrderTargetsDocument, PunchOutWayDocument, type CartQuery } from '../generated/documents.ts'
import { Order } from './order-now.tsx'
import { InsteadOf } from './instead.tsx'
import { SellerGroup } from './seller-group.tsx'
import { cartField } from './cart-form.ts'
import { PutBack } from './put-back.tsx'
import styles from './cart.module.css'

export async function load(context: ShopContext) {
  const { cart, expressCheckout } = await context.client.query(CartDocument)
  const productIds = cart.sellers.flatMap(({ lines }) => lines.map(({ productId }) => productId))
  const recommended = productIds.length > 0 ? await loadRecommended(context, { placement: 'cart_page', productIds }) : []
  // One key per showing of the form: sent twice it makes one order.
  const express = expressCheckout && { ...expressCheckout, idempotencyKey: randomUUID() }
  const principal = context.mode === 'b2b' ? await context.principal() : null
  const isPunchOut = principal?.kind === 'member' && principal.punchOut !== undefined
  const { visit = null } = isPunchOut ? await context.client.query(PunchOutWayDocument) : {}
  const mayOrder = principal?.kind !== 'member' || reachOf(principal, 'order.place', context.market) !== null
  const canRequestQuote =
    principal !== null && !visit && (principal.kind !== 'member' || reachOf(principal, 'quote.decide', context.market) !== null)
  const isNamed = express !== null && principal?.kind === 'member'
  const targets = isNamed ? (await context.client.query(OrderTargetsDocument)).companySites : null
  return {
    data: { cart, express, targets, recommended, mayOrder, canRequestQuote, visit },
    title: context.t('cart.title'),
    robots: 'noindex',
  }
}

type ShownCart = CartQuery['cart']

export const action = cartAction

/** The cart grouped by seller, with changes, delivery, coupon and total. */
export function Page({
  data: { cart, express, targets, recommended, mayOrder, canRequestQuote, visit },
  context,
  refusal,
  typed,
}: PageProps<typeof load, CartRefusal>): ReactNode {
  const { t } = context
  if (cart.sellers.length === 0) return <EmptyCart cart={cart} context={context} message={refusal?.message} />
  const isBlocked = cart.changes.length > 0
  return (
    <Container>
      <div className={styles.head}>
        <h1>{t('cart.title')}</h1>
        <p className={styles.count}>{t('cart.items', { count: cart.itemCount })}</p>
        {context.mode === 'b2b' && <a href={paths.quickOrder()}>{t('quick-order.title')}</a>}
      </div>
      {refusal && refusal.form !== 'coupon' && (
        <div className={styles.notice}>
          <Alert severity="danger" title={refusal.message} announces />
        </div>
      )}
      <PutBack cart={cart} context={context} />
      <Changes cart={cart} context={context} />
      {cart.instead.map((instead) => (
        <div key={instead.offerId} className={styles.notice}>
          <InsteadOf instead={instead} context={context} />
        </div>
      ))}
      <Enhance with="cart" when="load">
        <div className={styles.cart}>
          <div className={styles.sellers}>
            {cart.sellers.map((group) => (
              <SellerGroup key={group.seller.id} group={group} context={context} refusal={refusal} canRequestQuote={canRequestQuote} />
            ))}
          </div>
          <div className={styles.side}>
            <Summary title={t('cart.summary')} lines={summaryLines(cart, context)}>
              {visit && !isBlocked ? (
                <>
                  <p className={styles.blocked}>{t('punch-out.return.note')}</p>
                  <ButtonLink href={paths.punchOutReturn()} size="l" wide>
                    {t('punch-out.return', { host: visit.returnsTo })}
                  </ButtonLink>
                </>
              ) : !mayOrder && !visit ? (
                <p className={styles.blocked}>{t('company.cannot-order')}</p>
              ) : isBlocked ? (
                <p className={styles.blocked}>{t('cart.confirm-first')}</p>
              ) : (
                <Order
                  express={express}
                  targets={targets}
                  fromList={cart.siteId}
                  typed={refusal?.form === 'express' ? typed : undefined}
                  context={context}
                />
              )}
              {!visit && (
                <p className={styles.safe}>
                  <Icon name="lock" size={16} />
                  {t(context.mode === 'b2b' ? 'cart.safe-pro' : 'cart.safe')}
                </p>
              )}
            </Summary>
            <Coupon cart={cart} context={context} refusal={refusal} typed={typed} />
          </div>
        </div>
      </Enhance>
      <RecommendedRows placement="cart_page" recommended={recommended} context={context} />
      <HistoryPlace />
    </Container>
  )
}

function summaryLines(cart: ShownCart, { t, mode }: ShopContext): SummaryLine[] {
  const { totals, coupon, taxKey } = cart
  const isNet = taxKey === 'without_vat'
  return [
    {
      label: t(isNet ? 'cart.goods-net' : mode === 'b2b' ? 'cart.goods-gross' : 'cart.goods'),
      value: totals.goods.formatted,
    },
    ...(coupon
      ? [{ label: t('cart.coupon-line', { code: coupon.code }), value: `−${totals.discount.formatted}`, look: 'good' as const }]
      : []),
    totals.delivery.amount === 0
      ? { label: t('cart.delivery'), value: t('goods.free'), look: 'good' }
      : { label: t('cart.delivery'), value: totals.delivery.formatted },
    { label: t('cart.total-net'), value: totals.totalWithoutVat.formatted, look: 'quiet' },
    ...totals.vatLines.map((line) => ({ label: t('cart.vat', { rate: line.rate }), value: line.vat.formatted, look: 'quiet' as const })),
    { label: t('cart.total'), value: totals.totalWithVat.formatted, look: 'total' },
  ]
}

/** Changes since the buyer's last visit: reported line by line, to be confirmed before ordering. */
function Changes({ cart, context: { t } }: { cart: ShownCart; context: ShopContext }): ReactNode {
  if (cart.changes.length === 0) return null
  const isSoldOut = cart.changes.every(({ kind }) => kind === 'out-of-stock')
  return (
    <div className={styles.notice}>
      <Alert severity="warning" title={t(isSoldOut ? 'cart.sold-out' : 'cart.changed')}>
        <ul className={styles.changes}>
          {cart.changes.map((change) => (
            <li key={`${change.offerId} ${change.kind}`}>{changeWords(change, t)}</li>
          ))}
        </ul>
        <form method="post" className={styles.confirm}>
          <input type="hidden" name={cartField('do')} value="confirm" />
          <Button>{t('cart.confirm')}</Button>
        </form>
      </Alert>
    </div>
  )
}

function changeWords({ kind, title, before, after }: ShownCart['changes'][number], t: ShopContext['t']): ReactNode {
  const tags = { product: (name: ReactNode) => <b>{name}</b> }
  switch (kind) {
    case 'price-changed':
      return t.rich('cart.change.price-changed', tags, { title, before: before ?? '', after: after ?? '' })
    case 'less-stock':
      return t.rich('cart.change.less-stock', tags, { title, before: Number(before), after: Number(after) })
    case 'out-of-stock':
      return t.rich('cart.change.out-of-stock', tags, { title })
    default:
      // A vanished offer has no title left to show.
      return title ? t.rich('cart.change.offer-gone', tags, { title }) : t('cart.change.vanished')
  }
}

interface CouponProps {
  cart: ShownCart
  context: ShopContext
  refusal: CartRefusal | undefined
  typed: FormFields | undefined
}

function Coupon({ cart, context: { t }, refusal, typed }: CouponProps): ReactNode {
  if (cart.coupon) {
    return (
      <form method="post" className={styles.applied}>
        <Icon name="tag" />
        <span>
          <b>{cart.coupon.code}</b> {cart.coupon.label}
          {cart.coupon.note && (
            <>
              <br />
              {cart.coupon.note}
            </>
          )}
        </span>
        <button className={styles.textButton} name={cartField('do')} value="remove-coupon">
          {t('cart.coupon-remove')}
        </button>
      </form>
    )
  }
  const error = refusal?.form === 'coupon' ? refusal.message : undefined
  return (
    <details className={styles.coupon} open={error !== undefined}>
      <summary>{t('cart.coupon-have')}</summary>
      <form method="post" noValidate>
        <input type="hidden" name={cartField('do')} value="coupon" />
        <Field
          id="code"
          name={cartField('code')}
          label={t('cart.coupon')}
          error={error}
          defaultValue={error ? typed?.get('code') : undefined}
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={64}
        />
        <Button look="secondary">{t('cart.coupon-apply')}</Button>
      </form>
    </details>
  )
}

function EmptyCart({ cart, context, message }: { cart: ShownCart; context: ShopContext; message: string | undefined }): ReactNode {
  const { t } = context
  return (
    <Container>
      <PutBack cart={cart} context={context} />
      {message && (
        <div className={styles.notice}>
          <Alert severity="danger" title={message} announces />
        </div>
      )}
      <EmptyState
        heading="h1"
        icon="cart"
        title={t('cart.empty')}
        actions={
          <>
            <ButtonLink href="/">{t('cart.start')}</ButtonLink>
            {context.mode === 'b2b' ? (
              <ButtonLink href={paths.quickOrder()} look="secondary">
                {t('quick-order.title')}
              </ButtonLink>
            ) : (
              <ButtonLink href={paths.goodDeals()} look="secondary">
                {t('shell.deals')}
              </ButtonLink>
            )}
          </>
        }
      >
        <p>{t('cart.empty-text')}</p>
      </EmptyState>
    </Container>
  )
}
