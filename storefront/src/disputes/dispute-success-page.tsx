import { ButtonLink, Container, EmptyState } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { DisputeDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load(context: ShopContext) {
  const { messageId = '' } = context.params
  const { dispute } = await context.client.query(DisputeDocument, { messageId })
  if (!dispute) return notFound()
  return { data: { dispute }, title: context.t('dispute.opened.title'), robots: 'noindex' }
}

/** Confirms that a dispute was opened, and says what happens next. */
export function Page({ data: { dispute }, context: { t } }: PageProps<typeof load>): ReactNode {
  const { number, orderId, messageId, sellerName, dueAt } = dispute
  return (
    <Container>
      <EmptyState
        icon="good"
        heading="h1"
        title={t('dispute.opened.title')}
        actions={<ButtonLink href={paths.onlineSupportDispute({ orderId, messageId })}>{t('dispute.opened.see')}</ButtonLink>}
      >
        <p>{t('dispute.title', { number })}</p>
        {dueAt && <p>{t('dispute.opened.text', { seller: sellerName, at: dueAt })}</p>}
      </EmptyState>
    </Container>
  )
}
