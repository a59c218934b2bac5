import { Alert, ButtonLink } from '@purlin/ui'
import { Enhance } from '@purlin/web/enhance.tsx'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import type { ProSubscriptionFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import styles from './subscription.module.css'

interface Props {
  setup: ProSubscriptionFragment['setup']
  /** The member has returned from the card fields: their bank may need a moment. */
  isBack: boolean
  context: ShopContext
}

export function CardEntry({ setup, isBack, context }: Props): ReactNode {
  const { t } = context
  if (!setup || setup.isFailed)
    return (
      <Alert severity="danger" title={t('subscription.checkout.failed')} announces>
        {setup?.failure && <p>{setup.failure}</p>}
        <p>{t('subscription.checkout.failed.text')}</p>
        <p>
          <ButtonLink href={paths.subscription()}>{t('subscription.see-plans')}</ButtonLink>
        </p>
      </Alert>
    )
  if (isBack) return <Waiting text={t('subscription.checkout.confirming')} context={context} />
  if (setup.frameUrl === null) return <Waiting text={t('subscription.checkout.waiting')} context={context} />
  return (
    <section className={account.part} aria-labelledby="card">
      <h2 id="card" className={account.heading}>
        {t('subscription.checkout.card')}
      </h2>
      <Enhance with="payment-frame" when="load">
        <iframe
          className={styles.frame}
          src={setup.frameUrl}
          title={t('subscription.checkout.frame')}
          data-return={paths.subscriptionCheckout({}, { returned: setup.id })}
          allow="payment"
        />
      </Enhance>
    </section>
  )
}

/** Reloads by itself, with or without a script; the state comes from the provider's signed messages. */
function Waiting({ text, context: { t } }: { text: string; context: ShopContext }): ReactNode {
  return (
    <div className={styles.waiting} role="status">
      <LookAgain seconds={1} />
      <p>{text}</p>
      <p>
        <a href={paths.subscriptionCheckout()}>{t('subscription.checkout.reload')}</a>
      </p>
    </div>
  )
}
