import { Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import type { StatementSummaryFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { claimState } from './claim-table.tsx'
import styles from './credit.module.css'

/** The monthly statements of a company, newest first; nothing for a company without any. */
export function StatementList({
  statements,
  context,
}: {
  statements: readonly StatementSummaryFragment[]
  context: ShopContext
}): ReactNode {
  const { t, formats } = context
  if (statements.length === 0) return null
  const columns: Column<StatementSummaryFragment>[] = [
    {
      key: 'number',
      label: t('statement.column.number'),
      isHead: true,
      cell: ({ id, number, invoices }) => (
        <span>
          <a href={paths.invoiceStatement({ id })}>{number}</a>{' '}
          <span className={account.quiet}>{t('statement.invoices', { count: invoices })}</span>
        </span>
      ),
    },
    { key: 'month', label: t('statement.month'), cell: ({ month }) => formats.month(month) },
    { key: 'state', label: t('statement.column.state'), cell: (statement) => claimState(statement, context) },
    { key: 'amount', label: t('statement.column.amount'), align: 'end', cell: ({ amount }) => amount.formatted },
    { key: 'open', label: t('statement.column.open'), align: 'end', cell: ({ open }) => open.formatted },
    {
      key: 'pdf',
      label: 'PDF',
      cell: ({ pdfUrl, number }) => (
        <a href={pdfUrl} aria-label={t('statement.download.of', { number })}>
          {t('statement.download')}
        </a>
      ),
    },
  ]
  return (
    <section className={styles.part} aria-labelledby="statements">
      <h2 id="statements">{t('statement.list')}</h2>
      <p className={account.quiet}>{t('statement.list.text')}</p>
      <Table caption={t('statement.list')} quietCaption columns={columns} rows={statements} keyOf={({ id }) => id} />
    </section>
  )
}
