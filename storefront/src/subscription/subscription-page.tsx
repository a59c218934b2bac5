import { ButtonLink, Container } from '@purlin/ui'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import { SubscriptionChoiceDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Plans, Terms } from './plans.tsx'
import { isLive, trialWords } from './subscription-words.ts'

/** Subscribers manage theirs, everybody else sees the public page; members without one choose a plan. */
export async function load(context: ShopContext) {
  if ((await context.principal()).kind !== 'member') return redirect(302, paths.subscriptionPublic())
  const { subscription } = await context.client.query(SubscriptionChoiceDocument)
  if (!subscription) return redirect(302, paths.subscriptionPublic())
  if (isLive(subscription)) return redirect(302, paths.subscriptionManagement())
  return { data: { subscription }, title: context.t('subscription.title'), robots: 'noindex' }
}

export function Page({ data: { subscription }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  // At the company's own VAT, as it is charged.
  const plans = subscription.prices
  const [plan] = plans
  return (
    <Container>
      <div className={account.alone}>
        <h1>{t('subscription.title')}</h1>
        <p className={account.benefit}>{t('subscription.lead')}</p>
        {plan && <p>{trialWords(subscription, plan, t)}</p>}
        {!subscription.canChange && <p>{t('subscription.checkout.colleague')}</p>}
        <Plans
          plans={plans}
          context={context}
          hrefOf={subscription.canChange ? (period) => paths.subscriptionCheckout({}, { period }) : null}
        />
        <Terms plan={plan} context={context} />
        <p>
          <ButtonLink look="secondary" href={paths.subscriptionPublic()}>
            {t('subscription.benefits')}
          </ButtonLink>
        </p>
      </div>
    </Container>
  )
}
