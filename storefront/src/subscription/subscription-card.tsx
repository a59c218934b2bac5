import { Button, ButtonLink, Facts } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import { ConfirmFirst } from '../account/confirm-first.tsx'
import type { ProSubscriptionFragment, SubscriptionPlanFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { managementForm } from './management-form.ts'
import { isLive, periodWords, stateWords, vatWords } from './subscription-words.ts'

const field = namesOf(managementForm)

type Period = SubscriptionPlanFragment['period']

interface Props {
  subscription: ProSubscriptionFragment
  context: ShopContext
}

const looks = { INCOMPLETE: account.waits, TRIALING: account.runs, ACTIVE: account.done, PAST_DUE: account.refused, ENDED: account.ended }

/** Standing of a subscription, and the forms that change it. */
export function SubscriptionCard({ subscription, context }: Props): ReactNode {
  const { t } = context
  const { state, period, canChange, cancelsAtEnd, dueAt } = subscription
  if (!state || !period) return null
  const ends = cancelsAtEnd ? dueAt : null
  return (
    <section className={account.card} aria-label={t('subscription.title')}>
      <p className={account.marks}>
        <span className={`${account.state} ${ends ? account.waits : looks[state]}`}>
          {ends ? t('subscription.ends-on', { at: ends }) : t('subscription.state', { state: stateWords[state] })}
        </span>
      </p>
      <Standing subscription={subscription} context={context} />
      {canChange && isLive(subscription) && <Changes subscription={subscription} period={period} context={context} />}
      {canChange && subscription.canWithdraw && <Withdrawal subscription={subscription} context={context} />}
      {canChange && !isLive(subscription) && (
        <p className={account.actions}>
          <ButtonLink href={state === 'ENDED' ? paths.subscription() : paths.subscriptionCheckout()}>
            {t(state === 'ENDED' ? 'subscription.do.again' : 'subscription.do.continue')}
          </ButtonLink>
        </p>
      )}
    </section>
  )
}

/** Ends the benefits at once, which cannot be undone: the button stands below its consequences. */
function Withdrawal({ context: { t } }: Props): ReactNode {
  return (
    <ConfirmFirst label={t('subscription.do.withdraw')} text={t('subscription.do.withdraw.text')}>
      <form method="post">
        <Button look="secondary" name={field('do')} value="withdraw">
          {t('subscription.do.withdraw.confirm')}
        </Button>
      </form>
    </ConfirmFirst>
  )
}

/** A subscription that ends has no plan to come: it would contradict the end. */
function Standing({ subscription, context: { t } }: Props): ReactNode {
  const { period, nextPeriod, cancelsAtEnd, dueAt, nextCharge, card, prices } = subscription
  const plan = period && t('subscription.period', { period: periodWords[period] })
  return (
    <Facts
      facts={[
        ...(plan ? [{ label: t('subscription.plan'), value: plan }] : []),
        ...(nextPeriod && dueAt && !cancelsAtEnd
          ? [{ label: t('subscription.next-plan'), value: t('subscription.next-period', { period: periodWords[nextPeriod], at: dueAt }) }]
          : []),
        ...(dueAt && cancelsAtEnd ? [{ label: t('subscription.next-charge'), value: t('subscription.next-charge.none') }] : []),
        ...(dueAt && nextCharge
          ? [
              {
                label: t('subscription.next-charge'),
                value: t('subscription.next-charge.on', {
                  amount: nextCharge.formatted,
                  vat: vatWords(prices[0]),
                  at: subscription.retryAt ?? dueAt,
                }),
              },
            ]
          : []),
        ...(card ? [{ label: t('subscription.card'), value: t('subscription.card.is', card) }] : []),
      ]}
    />
  )
}

/** Whatever changes a charge says price and day first. */
function Changes({ subscription, period, context }: Props & { period: Period }): ReactNode {
  const { t } = context
  const { state, nextPeriod, cancelsAtEnd, dueAt, prices } = subscription
  const isOverdue = state === 'PAST_DUE'
  const planOf = (wanted: Period) => prices.find((plan) => plan.period === wanted)
  const coming = planOf(nextPeriod ?? period)
  const other = planOf(nextPeriod ? period : period === 'YEARLY' ? 'MONTHLY' : 'YEARLY')
  return (
    <>
      {cancelsAtEnd && dueAt && coming && (
        <p>
          {t('subscription.do.resume.text', {
            gross: coming.gross.formatted,
            vat: vatWords(coming),
            at: dueAt,
            period: periodWords[coming.period],
          })}
        </p>
      )}
      <form method="post" className={account.actions}>
        {cancelsAtEnd && (
          <Button name={field('do')} value="resume">
            {t('subscription.do.resume')}
          </Button>
        )}
        {/* Another card pays what is overdue at once. */}
        <Button look={isOverdue ? 'primary' : 'secondary'} name={field('do')} value="card">
          {t('subscription.do.card')}
        </Button>
      </form>
      {/* The price of an overdue period has been requested. */}
      {!cancelsAtEnd && !isOverdue && dueAt && other && (
        <PlanChange plan={other} at={dueAt} isStaying={nextPeriod !== null} context={context} />
      )}
      {!cancelsAtEnd && dueAt && <Cancellation isOverdue={isOverdue} at={dueAt} context={context} />}
    </>
  )
}

interface PlanChangeProps {
  plan: SubscriptionPlanFragment
  at: string
  /** Whether this takes a change back. */
  isStaying: boolean
  context: ShopContext
}

function PlanChange({ plan, at, isStaying, context: { t } }: PlanChangeProps): ReactNode {
  const period = periodWords[plan.period]
  const gross = plan.gross.formatted
  return (
    <ConfirmFirst
      label={t(isStaying ? 'subscription.do.keep-period' : 'subscription.do.period', { period })}
      text={t('subscription.do.period.text', { gross, vat: vatWords(plan), at, period })}
      isHarmless
    >
      <form method="post">
        <Button name={field('do')} value={plan.period}>
          {t('subscription.do.period.confirm', { gross, at, period })}
        </Button>
      </form>
    </ConfirmFirst>
  )
}

function Cancellation({ isOverdue, at, context: { t } }: { isOverdue: boolean; at: string; context: ShopContext }): ReactNode {
  return (
    <ConfirmFirst
      label={t('subscription.do.cancel')}
      text={isOverdue ? t('subscription.do.cancel.text-overdue') : t('subscription.do.cancel.text', { at })}
    >
      <form method="post">
        <Button look="secondary" name={field('do')} value="cancel">
          {t('subscription.do.cancel.confirm')}
        </Button>
      </form>
    </ConfirmFirst>
  )
}
