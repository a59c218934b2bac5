import { EmptyState } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import { ApprovalsDocument, type ApprovalsQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { pageIn, Pages } from '../shell/pages.tsx'
import { approvalStates } from './approval-view.tsx'

export async function load(context: ShopContext) {
  const page = pageIn(context)
  const { approvals, size } = await context.client.query(ApprovalsDocument, { page })
  if (page > size.pages) return notFound()
  return { data: { approvals, page, pages: size.pages }, title: context.t('approval.list.title'), robots: 'noindex' }
}

/** Requests of a company, pending ones first. */
export function Page({ data: { approvals, page, pages }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="approvals" title={t('approval.list.title')}>
      {approvals.length === 0 ? (
        <EmptyState icon="good" title={t('approval.list.none')}>
          <p>{t('approval.list.none.text')}</p>
        </EmptyState>
      ) : (
        <ul className={styles.cards}>
          {approvals.map((approval) => (
            <ApprovalCard key={approval.id} approval={approval} context={context} />
          ))}
        </ul>
      )}
      <Pages page={page} pages={pages} context={context} />
    </AccountFrame>
  )
}

const tones = { PENDING: 'waits', APPROVED: 'done', REFUSED: 'refused', WITHDRAWN: 'ended', EXPIRED: 'ended', UNNEEDED: 'ended' } as const

function ApprovalCard({ approval, context }: { approval: ApprovalsQuery['approvals'][number]; context: ShopContext }): ReactNode {
  const { t, formats } = context
  const { id, state, buyer, total, itemCount, requestedAt, expiresAt } = approval
  return (
    <li className={styles.card}>
      <p className={styles.marks}>
        <span className={`${styles.state} ${styles[tones[state]]}`}>{t('approval.state', { state: approvalStates[state] })}</span>
      </p>
      <p>
        <strong>{t('approval.list.total', { total: total.formatted })}</strong>
      </p>
      <p className={styles.quiet}>{t('approval.list.goods', { count: itemCount })}</p>
      {buyer !== null && <p className={styles.quiet}>{t('approval.list.by', { buyer, date: formats.date(requestedAt) })}</p>}
      {state === 'PENDING' && <p className={styles.quiet}>{t('approval.list.until', { date: formats.date(expiresAt) })}</p>}
      <p>
        <a href={paths.approval({ id })} aria-label={t('approval.list.see-of', { total: total.formatted })}>
          {t('approval.list.see')}
        </a>
      </p>
    </li>
  )
}
