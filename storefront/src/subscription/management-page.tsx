import { Alert, ButtonLink, EmptyState } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import account from '../account/account.module.css'
import {
  CancelSubscriptionDocument,
  ChangeSubscriptionCardDocument,
  ChangeSubscriptionPeriodDocument,
  ResumeSubscriptionDocument,
  SubscriptionOverviewDocument,
  WithdrawSubscriptionDocument,
  type InvoiceSummaryFragment,
  type RefusalFragment,
} from '../generated/documents.ts'
import { InvoiceTable } from '../invoices/invoice-table.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { managementForm } from './management-form.ts'
import { SubscriptionCard } from './subscription-card.tsx'
import { endWords } from './subscription-words.ts'

const said = {
  YEARLY: 'flash.subscription-period',
  MONTHLY: 'flash.subscription-period',
  cancel: 'flash.subscription-cancelled',
  resume: 'flash.subscription-resumed',
  withdraw: 'flash.subscription-withdrawn',
} as const

export async function load(context: ShopContext) {
  const principal = await context.principal()
  if (principal.kind !== 'member') return redirect(302, paths.subscriptionPublic())
  const { subscription, myInvoices } = await context.client.query(SubscriptionOverviewDocument)
  if (!subscription) return redirect(302, paths.subscriptionPublic())
  const invoices = myInvoices?.invoices.filter(({ customerOrderId }) => customerOrderId === null).slice(0, 12) ?? []
  // A buyer's list has their own orders alone.
  const canSeeInvoices = principal.role !== 'buyer'
  return { data: { subscription, invoices, canSeeInvoices }, title: context.t('subscription.title'), robots: 'noindex' }
}

export const action = formAction(managementForm, async ({ client }: ShopContext, input) => {
  const sent = async () => {
    switch (input.do) {
      case 'card':
        return client.mutate(ChangeSubscriptionCardDocument)
      case 'cancel':
        return client.mutate(CancelSubscriptionDocument)
      case 'resume':
        return client.mutate(ResumeSubscriptionDocument)
      case 'withdraw':
        return client.mutate(WithdrawSubscriptionDocument)
      default:
        return client.mutate(ChangeSubscriptionPeriodDocument, { period: input.do })
    }
  }
  const refusal = (await sent())?.result.refusal
  if (refusal) return refuse(refusal)
  if (input.do === 'card') return redirect(303, paths.subscriptionCheckout())
  return redirect(303, paths.subscriptionManagement(), { severity: 'success', key: said[input.do] })
})

/** Plan, next charge, card and invoices of the company's subscription, and for its admins what changes them. */
export function Page({ data, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { subscription, invoices, canSeeInvoices } = data
  const { state, canChange } = subscription
  return (
    <AccountFrame context={context} here="subscriptionManagement" title={t('subscription.title')}>
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {state === null ? (
        <EmptyState
          icon="truck"
          title={t('subscription.none')}
          actions={<ButtonLink href={paths.subscription()}>{t('subscription.see-plans')}</ButtonLink>}
        >
          <p>{t('subscription.lead')}</p>
        </EmptyState>
      ) : (
        <>
          {state === 'PAST_DUE' && subscription.retryAt && (
            <Alert severity="warning" title={t('subscription.overdue')}>
              {subscription.failure && <p>{subscription.failure}</p>}
              <p>{t('subscription.overdue.text', { at: subscription.retryAt })}</p>
            </Alert>
          )}
          {state === 'ENDED' && subscription.endReason && subscription.endedAt && (
            <Alert severity="info">{t('subscription.ended', { reason: endWords[subscription.endReason], at: subscription.endedAt })}</Alert>
          )}
          <SubscriptionCard subscription={subscription} context={context} />
          {!canChange && <p className={account.quiet}>{t('subscription.read-only')}</p>}
          <Invoices invoices={invoices} canSee={canSeeInvoices} context={context} />
        </>
      )}
    </AccountFrame>
  )
}

interface InvoicesProps {
  invoices: readonly InvoiceSummaryFragment[]
  canSee: boolean
  context: ShopContext
}

function Invoices({ invoices, canSee, context }: InvoicesProps): ReactNode {
  const { t } = context
  return (
    <section className={account.part} aria-labelledby="invoices">
      <h2 id="invoices" className={account.heading}>
        {t('subscription.invoices')}
      </h2>
      {invoices.length === 0 ? (
        <p className={account.quiet}>{t(canSee ? 'subscription.invoices.none' : 'subscription.invoices.others')}</p>
      ) : (
        <InvoiceTable invoices={invoices} claims={[]} title={t('subscription.invoices')} context={context} />
      )}
      {canSee && (
        <p>
          <a href={paths.proServicesInvoices()}>{t('subscription.invoices.all')}</a>
        </p>
      )}
    </section>
  )
}
