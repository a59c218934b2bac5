import { Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { CreditClaimFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

interface Props {
  claims: readonly CreditClaimFragment[]
  title: string
  context: ShopContext
}

/** Invoices that a company pays to the credit partner: due dates, and what is open. */
export function ClaimTable({ claims, title, context }: Props): ReactNode {
  const { t, formats } = context
  const columns: Column<CreditClaimFragment>[] = [
    {
      key: 'number',
      label: t('credit.column.invoice'),
      isHead: true,
      cell: ({ number, customerOrderId }) => <a href={paths.proServicesInvoices({ customerOrderId })}>{number}</a>,
    },
    { key: 'due', label: t('credit.column.due'), cell: ({ dueOn }) => (dueOn === null ? null : formats.date(dueOn)) },
    { key: 'state', label: t('credit.column.state'), cell: (claim) => claimState(claim, context) },
    { key: 'amount', label: t('credit.column.amount'), align: 'end', cell: ({ amount }) => amount.formatted },
    { key: 'open', label: t('credit.column.open'), align: 'end', cell: ({ open }) => open.formatted },
  ]
  return <Table caption={title} quietCaption columns={columns} rows={claims} keyOf={({ id }) => id} />
}

/** Where an invoice stands, in words. */
export function claimState({ state, dueOn }: Pick<CreditClaimFragment, 'state' | 'dueOn'>, { t }: ShopContext): string {
  switch (state) {
    case 'OPEN':
      return t('credit.state.open', { due: dueOn ?? '' })
    case 'LATE':
      return t('credit.state.late', { due: dueOn ?? '' })
    case 'PAID':
      return t('credit.state.paid')
    case 'CREDITED':
      return t('credit.state.credited')
    case 'REFUSED':
      return t('credit.state.refused')
  }
}
