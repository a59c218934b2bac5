import { Button, ButtonLink, Facts } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import { ConfirmFirst } from '../account/confirm-first.tsx'
import type { ProSubscriptionFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { managementForm } from './management-form.ts'
import { isLive, periodWords, stateWords } from './subscription-words.ts'

const field = namesOf(managementForm)

interface Props {
  subscription: ProSubscriptionFragment
  context: ShopContext
}

const looks = { INCOMPLETE: account.waits, TRIALING: account.runs, ACTIVE: account.done, PAST_DUE: account.refused, ENDED: account.ended }

/** Standing of a subscription, and the forms that change it. */
export function SubscriptionCard({ subscription, context }: Props): ReactNode {
  const { t } = context
  const { state, period, canChange } = subscription
  if (!state || !period) return null
  return (
    <section className={account.card} aria-label={t('subscription.title')}>
      <p className={account.marks}>
        <span className={`${account.state} ${looks[state]}`}>{t('subscription.state', { state: stateWords[state] })}</span>
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

function Standing({ subscription, context: { t } }: Props): ReactNode {
  const { period, nextPeriod, cancelsAtEnd, dueAt, nextCharge, card } = subscription
  const plan = period && t('subscription.period', { period: periodWords[period] })
  return (
    <Facts
      facts={[
        ...(plan ? [{ label: t('subscription.plan'), value: plan }] : []),
        ...(nextPeriod
          ? [
              {
                label: t('subscription.do.period', { period: periodWords[nextPeriod] }),
                value: t('subscription.next-period', { period: periodWords[nextPeriod] }),
              },
            ]
          : []),
        ...(dueAt && cancelsAtEnd ? [{ label: t('subscription.next-charge'), value: t('subscription.ends-on', { at: dueAt }) }] : []),
        ...(dueAt && nextCharge
          ? [
              {
                label: t('subscription.next-charge'),
                value: t('subscription.next-charge.on', { amount: nextCharge.formatted, at: subscription.retryAt ?? dueAt }),
              },
            ]
          : []),
        ...(card ? [{ label: t('subscription.card'), value: t('subscription.card.is', card) }] : []),
      ]}
    />
  )
}

function Changes({ subscription, period, context: { t } }: Props & { period: NonNullable<ProSubscriptionFragment['period']> }): ReactNode {
  const { state, nextPeriod, cancelsAtEnd } = subscription
  const isOverdue = state === 'PAST_DUE'
  const other = period === 'YEARLY' ? 'MONTHLY' : 'YEARLY'
  return (
    <form method="post" className={account.actions}>
      {/* Another card pays what is overdue at once. */}
      <Button look={isOverdue ? 'primary' : 'secondary'} name={field('do')} value="card">
        {t('subscription.do.card')}
      </Button>
      {cancelsAtEnd ? (
        <Button name={field('do')} value="resume">
          {t('subscription.do.resume')}
        </Button>
      ) : (
        <>
          {/* The price of the period under way has been requested. */}
          {!isOverdue && (
            <Button look="secondary" name={field('do')} value={nextPeriod ? period : other}>
              {nextPeriod
                ? t('subscription.do.keep-period', { period: periodWords[period] })
                : t('subscription.do.period', { period: periodWords[other] })}
            </Button>
          )}
          <Button look="secondary" name={field('do')} value="cancel">
            {t('subscription.do.cancel')}
          </Button>
        </>
      )}
    </form>
  )
}
