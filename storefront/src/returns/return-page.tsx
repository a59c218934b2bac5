import { Button, ButtonLink } from '@purlin/ui'
import { Container } from '@purlin/ui/panel.tsx'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { choice } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../checkout/checkout.module.css'
import { OneReturnDocument, StepReturnDocument, type RefusalFragment, type ReturnDetailsFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

const stepForm = v.object({ do: choice(['handed-over', 'give-up']) })
const field = namesOf(stepForm)

export async function load(context: ShopContext) {
  const { customerOrderId, orderId, requestId = '' } = context.params
  const { returnRequest: request } = await context.client.query(OneReturnDocument, { id: requestId })
  if (!request || request.customerOrderId !== customerOrderId || request.sellerOrderId !== orderId) return notFound()
  return { data: { request }, title: context.t('returns.detail.title', { number: request.number }), robots: 'noindex' }
}

export const action = formAction(stepForm, async (context: ShopContext, { do: step }) => {
  const { customerOrderId = '', orderId = '', requestId = '' } = context.params
  const answer = await context.client.mutate(StepReturnDocument, { id: requestId, isHandedOver: step === 'handed-over' })
  const refusal = answer?.stepReturn.refusal
  if (refusal?.reason === 'unknown-return') return notFound()
  if (refusal) return refuse(refusal)
  return redirect(303, paths.returnConfirmation({ customerOrderId, orderId, requestId }), {
    severity: 'success',
    key: 'flash.return-changed',
  })
})

/** A return: its state, what comes back, the label, and what happens next. */
export function Page({ data: { request }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { sellerOrderId: orderId } = request
  return (
    <Container>
      <div className={styles.narrow}>
        <p className={styles.kicker}>{request.stateLabel}</p>
        <h1>{t('returns.detail.title', { number: request.number })}</h1>
        {refusal && <p role="alert">{refusal.message}</p>}
        <section className={styles.panel}>
          <p>{t('returns.detail.sent', { at: request.requestedAt })}</p>
          <ul className={styles.plainList}>
            {request.lines.map((line) => (
              <li key={line.offerId}>{t('returns.line', { count: line.quantity, title: line.title })}</li>
            ))}
          </ul>
          <p className={styles.quiet}>{request.reasonLabel}</p>
          <p className={styles.quiet}>{request.wishLabel}</p>
          {request.wishedAmount && <p className={styles.quiet}>{t('returns.wished-amount', { amount: request.wishedAmount.formatted })}</p>}
          {request.decisionNote && <p>{request.decisionNote}</p>}
          {request.replacement && <Replacement order={request.replacement} request={request} context={context} />}
          {request.state === 'REQUESTED' && <p>{t('returns.detail.next.requested')}</p>}
          {request.state === 'IN_TRANSIT' && <p>{t('returns.detail.next.in-transit')}</p>}
          {request.state === 'LAPSED' && <p>{t.rich('returns.detail.next.lapsed', { write: linkTo(paths.conversation({ orderId })) })}</p>}
        </section>
        {(request.state === 'LABEL_SENT' || request.state === 'IN_TRANSIT') && <WayBack request={request} context={context} />}
        {(request.canHandOver || request.canGiveUp) && (
          <form method="post" className={styles.actions}>
            {request.canHandOver && (
              <Button name={field('do')} value="handed-over">
                {t('returns.handed-over')}
              </Button>
            )}
            {request.canGiveUp && (
              <Button name={field('do')} value="give-up" look="secondary">
                {t('returns.give-up')}
              </Button>
            )}
          </form>
        )}
        <p>
          <a href={paths.orderDetails(request)}>{t('returns.back')}</a>
        </p>
      </div>
    </Container>
  )
}

const linkTo = (href: string) => (text: ReactNode) => <a href={href}>{text}</a>

/** Leads to the order that brings replaced, repaired or refused goods. */
function Replacement({
  order,
  request: { wish, isSentBack, replacementToken: access },
  context: { t },
}: {
  order: NonNullable<ReturnDetailsFragment['replacement']>
  request: ReturnDetailsFragment
  context: ShopContext
}): ReactNode {
  const link = { order: linkTo(paths.orderDetails(order, access ? { access } : {})) }
  const key = isSentBack ? 'sent-back' : wish === 'repair' ? 'repaired' : 'replacement'
  return <p>{t.rich(`returns.detail.${key}`, link, { id: order.customerOrderId })}</p>
}

interface WayBackProps {
  request: ReturnDetailsFragment
  context: ShopContext
}

/** How the goods come back: a driver's appointment, a label to print, or the seller's address alone. */
function WayBack({ request: { collection, labelUrl, isLabelAwaited, number, sellerAddress }, context: { t } }: WayBackProps): ReactNode {
  if (collection)
    return (
      <section className={styles.panel} aria-labelledby="label">
        <h2 id="label">{t('collection.title')}</h2>
        <p>
          <span className={styles.state}>{collection.stateLabel}</span>
        </p>
        <p>
          {collection.from && collection.to
            ? t('collection.when', { from: collection.from, to: collection.to })
            : t('returns.collection.text')}
        </p>
        {collection.token !== null && collection.state !== 'COLLECTED' && (
          <p className={styles.actions}>
            <ButtonLink href={paths.homeCollectionAccept({}, { token: collection.token })}>{t('returns.collection.open')}</ButtonLink>
            <a href={paths.homeCollectionChangeAddress({}, { token: collection.token })}>{t('returns.collection.address')}</a>
            {collection.state !== 'CANCELLED' && (
              <a href={paths.homeCollectionCancel({}, { token: collection.token })}>{t('returns.collection.cancel')}</a>
            )}
          </p>
        )}
      </section>
    )
  const isOwn = labelUrl === null && !isLabelAwaited
  return (
    <section className={styles.panel} aria-labelledby="label">
      <h2 id="label">{t(isOwn ? 'returns.own.title' : 'returns.label.title')}</h2>
      <p>{t(isOwn ? 'returns.own.text' : 'returns.label.text')}</p>
      {isLabelAwaited && <p className={styles.quiet}>{t('returns.label.soon')}</p>}
      {labelUrl !== null && (
        <p>
          <ButtonLink href={labelUrl}>{t('returns.label.pdf')}</ButtonLink>
        </p>
      )}
      <p>
        <strong>{t('returns.label.number', { number })}</strong>
      </p>
      <address>
        {t('returns.label.to')}
        <br />
        {sellerAddress.map((line) => (
          <span key={line}>
            {line}
            <br />
          </span>
        ))}
      </address>
    </section>
  )
}
