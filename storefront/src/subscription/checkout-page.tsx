import { Alert, Button, ButtonLink, Container } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { choice } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import accountStyles from '../account/account.module.css'
import {
  StartSubscriptionDocument,
  SubscriptionChoiceDocument,
  type ProSubscriptionFragment,
  type RefusalFragment,
  type SubscriptionPlanFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { CardEntry } from './card-entry.tsx'
import { PlanPrice, Terms } from './plans.tsx'
import { isLive, periodWords, trialWords, vatWords } from './subscription-words.ts'
import styles from './subscription.module.css'

const periods = ['YEARLY', 'MONTHLY'] as const
const form = v.object({ period: choice(periods) })
const field = namesOf(form)

export async function load(context: ShopContext) {
  const { subscription } = await context.client.query(SubscriptionChoiceDocument)
  if (!subscription) return notFound()
  const { returned } = context.query
  const isBack = typeof returned === 'string'
  if (isLive(subscription) && !subscription.setup)
    return redirect(302, paths.subscriptionManagement(), isBack ? { severity: 'success', key: 'flash.subscription-card-saved' } : undefined)
  if (isLive(subscription) && subscription.setup?.isFailed)
    return redirect(302, paths.subscriptionManagement(), { severity: 'danger', key: 'flash.subscription-card-failed' })
  const wanted = periods.find((period) => period === context.query['period']) ?? subscription.period ?? 'YEARLY'
  // One without a card, and with none being entered, is chosen again: its trial may have been used meanwhile.
  const isUnchosen = subscription.state === 'INCOMPLETE' && !subscription.setup
  // The card was entered in fields of another plan than the one that is chosen now.
  const isOutdated = isBack && subscription.state === 'INCOMPLETE' && subscription.setup !== null && subscription.setup.id !== returned
  const isOpen = subscription.state === null || subscription.state === 'ENDED' || isUnchosen || isOutdated
  const isChoosing = isOpen || context.query['period'] !== undefined
  return { data: { subscription, wanted, isChoosing, isBack, isOutdated }, title: titleOf(subscription, context), robots: 'noindex' }
}

/** A subscriber is here for another card. */
function titleOf(subscription: ProSubscriptionFragment, { t }: ShopContext): string {
  return isLive(subscription) ? t('subscription.do.card') : t('subscription.checkout.title')
}

export const action = formAction(form, async ({ client }: ShopContext, { period }) => {
  const refusal = (await client.mutate(StartSubscriptionDocument, { period }))?.result.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.subscriptionCheckout())
})

/** A plan, then the card in the provider's frame: card data never reaches this origin. */
export function Page({ data, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { subscription, wanted, isChoosing, isBack, isOutdated } = data
  // At the company's own VAT, as it is charged.
  const plans = subscription.prices
  const { t } = context
  const plan = plans.find(({ period }) => period === (subscription.period ?? wanted)) ?? plans[0]
  return (
    <Container narrow>
      <div className={accountStyles.alone}>
        <h1>{titleOf(subscription, context)}</h1>
        {refusal && (
          <Alert severity="danger" announces>
            <p>{refusal.message}</p>
            {refusal.reason === 'billing-details-missing' && (
              <p>
                <a href={paths.myTaxInformation()}>{t('subscription.checkout.billing')}</a>
              </p>
            )}
          </Alert>
        )}
        {isOutdated && (
          <Alert severity="warning" title={t('subscription.checkout.outdated')} announces>
            <p>{t('subscription.checkout.outdated.text')}</p>
          </Alert>
        )}
        {!subscription.canChange ? (
          <>
            <p>{t('subscription.checkout.colleague')}</p>
            <p className={accountStyles.actions}>
              <ButtonLink href={paths.subscriptionPublic()}>{t('subscription.see-plans')}</ButtonLink>
            </p>
          </>
        ) : isChoosing && !isLive(subscription) ? (
          <Choice plans={plans} wanted={wanted} subscription={subscription} context={context} />
        ) : (
          <>
            {plan && !isLive(subscription) && (
              <section className={accountStyles.part} aria-labelledby="plan">
                <h2 id="plan" className={accountStyles.heading}>
                  {t('subscription.period', { period: periodWords[plan.period] })}
                </h2>
                <p>
                  {t('subscription.checkout.card.text', {
                    hasTrial: subscription.hasTrial,
                    gross: plan.gross.formatted,
                    vat: vatWords(plan),
                    period: periodWords[plan.period],
                  })}
                </p>
                <a href={paths.subscriptionCheckout({}, { period: plan.period })}>{t('subscription.checkout.change-plan')}</a>
              </section>
            )}
            <CardEntry setup={subscription.setup} isBack={isBack} context={context} />
            {isLive(subscription) && (
              <p>
                <a href={paths.subscriptionManagement()}>{t('account.cancel')}</a>
              </p>
            )}
          </>
        )}
        {!isLive(subscription) && <Terms plan={plan} context={context} />}
      </div>
    </Container>
  )
}

interface ChoiceProps {
  plans: readonly SubscriptionPlanFragment[]
  wanted: SubscriptionPlanFragment['period']
  subscription: ProSubscriptionFragment
  context: ShopContext
}

function Choice({ plans, wanted, subscription, context }: ChoiceProps): ReactNode {
  const { t } = context
  const [plan] = plans
  return (
    <form method="post" action={paths.subscriptionCheckout()} className={accountStyles.part}>
      <fieldset className={styles.plans}>
        <legend className={accountStyles.heading}>{t('subscription.checkout.plan')}</legend>
        {plans.map((each) => (
          <label key={each.period} className={`${styles.plan} ${styles.choice}`}>
            <input type="radio" name={field('period')} value={each.period} defaultChecked={each.period === wanted} required />
            <span>
              <strong>{t('subscription.period', { period: periodWords[each.period] })}</strong>
              <PlanPrice plan={each} context={context} />
            </span>
          </label>
        ))}
      </fieldset>
      {plan && <p>{trialWords(subscription, plan, t)}</p>}
      <p className={accountStyles.actions}>
        <Button>{t('subscription.checkout.next')}</Button>
      </p>
    </form>
  )
}
