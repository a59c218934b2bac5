import { Alert, Button, ButtonLink, Container, EmptyState } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { BackToAccount } from '../account/account-frame.tsx'
import account from '../account/account.module.css'
import styles from '../checkout/checkout.module.css'
import { RequestInvoiceDocument, SelfCareInvoiceDocument, type RefusalFragment, type SelfCareInvoiceQuery } from '../generated/documents.ts'
import { openByLink } from '../orders/open-by-link.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { InvoiceFiles } from './invoice-files.tsx'

const requestForm = v.object({ orderId: text(60) })
const field = namesOf(requestForm)

export async function load(context: ShopContext) {
  const { orderId = '' } = context.params
  const { access } = context.query
  if (typeof access === 'string')
    return (await openByLink(context, access, ({ id }) => paths.onlineSupportInvoice({ orderId: id }))) ?? notFound()
  const { selfCare } = await context.client.query(SelfCareInvoiceDocument, { orderId })
  if (!selfCare) return notFound()
  return { data: { selfCare, orderId }, title: context.t('invoice.of-order', { id: selfCare.customerOrderId }), robots: 'noindex' }
}

export const action = formAction(requestForm, async ({ client }: ShopContext, { orderId }) => {
  const refusal = (await client.mutate(RequestInvoiceDocument, { orderId }))?.result.refusal
  if (refusal) return refuse(refusal)
  return redirect(303, paths.onlineSupportInvoice({ orderId }), { severity: 'success', key: 'flash.invoice-requested' })
})

type Part = NonNullable<SelfCareInvoiceQuery['selfCare']>['parts'][number]

/** The invoices of an order by seller: requested, being prepared, here, or not due yet. */
export function Page({ data, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { selfCare, orderId } = data
  const [first] = selfCare.parts
  const order = first && paths.orderDetails({ customerOrderId: selfCare.customerOrderId, sellerOrderId: first.sellerOrderId })
  return (
    <Container>
      <div className={`${account.alone} ${account.column}`}>
        {order && <BackToAccount to={order} label={t('checkout.order.title', { id: selfCare.customerOrderId })} />}
        <h1>{t('invoice.of-order', { id: selfCare.customerOrderId })}</h1>
        {refusal && (
          <Alert severity="danger" announces>
            {refusal.message}
          </Alert>
        )}
        {selfCare.parts.length === 0 && <EmptyState icon="document" title={t('invoice.state.not-yet')} />}
        {selfCare.parts.map((part) => (
          <PartInvoices key={part.sellerOrderId} part={part} orderId={orderId} context={context} />
        ))}
      </div>
    </Container>
  )
}

const sentences = {
  NOT_YET: 'invoice.state.not-yet',
  REQUESTABLE: 'invoice.state.ready-to-request',
  PREPARING: 'invoice.state.preparing',
  READY: 'invoice.state.success',
  CANCELLED: 'invoice.state.cancelled',
} as const

function PartInvoices({ part, orderId, context }: { part: Part; orderId: string; context: ShopContext }): ReactNode {
  const { t } = context
  const { state, sellerName, invoices } = part
  return (
    <section className={styles.panel} aria-label={sellerName}>
      <h2>{sellerName}</h2>
      <p className={account.quiet}>{t(sentences[state])}</p>
      <InvoiceFiles invoices={invoices} context={context} />
      {state === 'REQUESTABLE' && (
        <form method="post">
          <input type="hidden" name={field('orderId')} value={orderId} />
          <Button icon="document" aria-label={t('invoice.request.of', { seller: sellerName })}>
            {t('invoice.request')}
          </Button>
        </form>
      )}
      {state === 'PREPARING' && (
        <p>
          <ButtonLink look="secondary" href={paths.onlineSupportInvoice({ orderId })}>
            {t('invoice.state.refresh')}
          </ButtonLink>
        </p>
      )}
    </section>
  )
}
