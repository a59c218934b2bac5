import { Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { CreditClaimFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

interface Props {
  claims: readonly CreditClaimFragment[]
  /** What is open of them together. */
  total: string
  title: string
  context: ShopContext
}

/** Invoices that a company pays to the credit partner: due dates, and what is open. */
export function ClaimTable({ claims, total, title, context }: Props): ReactNode {
  const { t, formats } = context
  const columns: Column<Line>[] = [
    { key: 'number', label: t('credit.column.invoice'), isHead: true, cell: ({ number }) => number },
    { key: 'due', label: t('credit.column.due'), cell: ({ due }) => due },
    { key: 'state', label: t('credit.column.state'), cell: ({ state }) => state },
    { key: 'amount', label: t('credit.column.amount'), align: 'end', cell: ({ amount }) => amount },
    { key: 'open', label: t('credit.column.open'), align: 'end', cell: ({ open }) => open },
  ]
  const rows = claims.map((claim): Line => ({
    id: claim.id,
    number: <a href={paths.proServicesInvoices({ customerOrderId: claim.customerOrderId })}>{claim.number}</a>,
    due: claim.dueOn === null ? null : formats.date(claim.dueOn),
    state: claimState(claim, context),
    amount: claim.amount.formatted,
    open: claim.open.formatted,
  }))
  const sum: Line = { id: 'sum', number: t('credit.to-pay'), due: null, state: null, amount: null, open: total }
  return <Table caption={title} quietCaption columns={columns} rows={rows} foot={sum} keyOf={({ id }) => id} />
}

interface Line {
  id: string
  number: ReactNode
  due: string | null
  state: string | null
  amount: string | null
  open: string
}

/** Where an invoice stands, in words. */
export function claimState(
  { state, dueOn, statementMonth }: Pick<CreditClaimFragment, 'state' | 'dueOn'> & { statementMonth?: string | null },
  { t, formats }: ShopContext,
): string {
  switch (state) {
    case 'OPEN':
      return statementMonth
        ? t('credit.state.with-statement', { month: formats.month(statementMonth), due: dueOn ?? '' })
        : t('credit.state.open', { due: dueOn ?? '' })
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
