import { ButtonLink, Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import type { SubscriptionPlanFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { periodWords, vatWords } from './subscription-words.ts'
import styles from './subscription.module.css'

const benefits = [
  { key: 'delivery', icon: 'truck' },
  { key: 'returns', icon: 'box' },
  { key: 'colleagues', icon: 'person' },
] as const

export function Benefits({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <section className={account.part} aria-labelledby="benefits">
      <h2 id="benefits" className={account.heading}>
        {t('subscription.benefits')}
      </h2>
      <ul className={styles.plans}>
        {benefits.map(({ key, icon }) => (
          <li key={key} className={styles.plan}>
            <Icon name={icon} size={24} />
            <p>{t(`subscription.benefit.${key}`)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Twelve months for the price of ten. */
const recommended = 'YEARLY'

interface Props {
  plans: readonly SubscriptionPlanFragment[]
  /** Null for visitors who cannot choose. */
  hrefOf: ((period: SubscriptionPlanFragment['period']) => string) | null
  context: ShopContext
}

/** Plans with their price without and with VAT. */
export function Plans({ plans, hrefOf, context }: Props): ReactNode {
  const { t } = context
  return (
    <section className={account.part} aria-labelledby="plans">
      <h2 id="plans" className={account.heading}>
        {t('subscription.plans')}
      </h2>
      <ul className={styles.plans}>
        {plans.map((plan) => (
          <li key={plan.period} className={styles.plan}>
            <h3>{t('subscription.period', { period: periodWords[plan.period] })}</h3>
            {plan.period === recommended && (
              <p>
                <span className={`${account.state} ${account.runs}`}>{t('subscription.recommended')}</span>
              </p>
            )}
            <PlanPrice plan={plan} context={context} />
            {hrefOf && (
              <ButtonLink href={hrefOf(plan.period)} look={plan.period === recommended ? 'primary' : 'secondary'}>
                {t('subscription.choose', { period: periodWords[plan.period] })}
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function PlanPrice({ plan, context: { t } }: { plan: SubscriptionPlanFragment; context: ShopContext }): ReactNode {
  return (
    <>
      <span className={styles.price}>{t('subscription.price', { net: plan.net.formatted, period: periodWords[plan.period] })}</span>
      <span className={account.quiet}>{t('subscription.price.gross', { gross: plan.gross.formatted, vat: vatWords(plan) })}</span>
      {plan.period === 'YEARLY' && <span className={account.quiet}>{t('subscription.saving')}</span>}
    </>
  )
}

export function Terms({ plan, context: { t } }: { plan: SubscriptionPlanFragment | undefined; context: ShopContext }): ReactNode {
  return (
    <section className={account.part} aria-labelledby="terms">
      <h2 id="terms" className={account.heading}>
        {t('subscription.terms')}
      </h2>
      <ul className={styles.terms}>
        <li>{t('subscription.terms.renewal')}</li>
        <li>{t('subscription.terms.cancel')}</li>
        {plan && <li>{t('subscription.terms.withdraw', { days: plan.withdrawalDays })}</li>}
      </ul>
    </section>
  )
}
