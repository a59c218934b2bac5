import { Alert } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { DisputeDocument, type RefusalFragment } from '../generated/documents.ts'
import { openByLink } from '../orders/open-by-link.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadPart } from '../support/load-part.ts'
import { SupportFrame } from '../support/support-frame.tsx'
import { disputeAction } from './dispute-action.ts'
import { DisputeOpener } from './dispute-opener.tsx'
import { DisputeView } from './dispute-view.tsx'

export async function load(context: ShopContext) {
  const { orderId = '', messageId = '' } = context.params
  const { access } = context.query
  if (typeof access === 'string') {
    const here = paths.onlineSupportDispute({ orderId, messageId })
    return (
      (await openByLink(context, access, ({ sellerOrders }) => (sellerOrders.some(({ id }) => id === orderId) ? here : null))) ?? notFound()
    )
  }
  const part = await loadPart(context)
  if (!part || !/^[0-9a-f-]{36}$/.test(messageId)) return notFound()
  const { dispute } = await context.client.query(DisputeDocument, { messageId })
  if (dispute && dispute.orderId !== orderId) return notFound()
  const title = dispute ? context.t('dispute.title', { number: dispute.number }) : context.t('dispute.open.title')
  return { data: { part, dispute }, title, robots: 'noindex' }
}

export const action = disputeAction

/** The form that opens a dispute, or the dispute with what has happened and what its buyer can do. */
export function Page({ data: { part, dispute }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const back = { to: paths.conversation({ orderId: part.part.id }), label: t('messages.with', { seller: part.part.seller.name }) }
  return (
    <SupportFrame
      part={part}
      title={dispute ? t('dispute.title', { number: dispute.number }) : t('dispute.open.title')}
      back={back}
      context={context}
    >
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      {dispute ? (
        <DisputeView dispute={dispute} customerOrderId={part.order.id} context={context} />
      ) : (
        <DisputeOpener seller={part.part.seller.name} context={context} typed={typed ?? null} />
      )}
    </SupportFrame>
  )
}
