import { ButtonLink, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import { SubscriptionPlansDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Benefits, Plans, Terms } from './plans.tsx'

export async function load(context: ShopContext) {
  const data = await context.client.query(SubscriptionPlansDocument)
  return { data, title: context.t('subscription.title'), description: context.t('subscription.lead') }
}

/** Benefits and prices of the subscription, the same for everybody. On the consumers' shop it leads to the professional one. */
export function Page({ data: { plans }, context }: PageProps<typeof load>): ReactNode {
  const { t, mode } = context
  const [plan] = plans
  return (
    <Container>
      <div className={account.alone}>
        <h1>{t('subscription.title')}</h1>
        <p className={account.benefit}>{t('subscription.lead')}</p>
        <Benefits context={context} />
        {plan && <p>{t('subscription.trial', { days: plan.trialDays })}</p>}
        <Plans plans={plans} context={context} hrefOf={mode === 'b2b' ? (period) => paths.subscriptionCheckout({}, { period }) : null} />
        {mode === 'b2c' && (
          <div className={account.part}>
            <p>{t('subscription.for-pros')}</p>
            <p className={account.actions}>
              <ButtonLink href={paths.conversionFromB2c2B2b()}>{t('subscription.become-pro')}</ButtonLink>
            </p>
          </div>
        )}
        <Terms plan={plan} context={context} />
      </div>
    </Container>
  )
}
