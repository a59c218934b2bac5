import { Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import { claimState } from '../credit/claim-table.tsx'
import type { CreditClaimFragment, InvoiceSummaryFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

interface Props {
  invoices: readonly InvoiceSummaryFragment[]
  /** Claims on orders paid by invoice. */
  claims: readonly CreditClaimFragment[]
  title: string
  context: ShopContext
}

/** Invoices with supplier, date, order, total and downloads; on phones each is a card. */
export function InvoiceTable({ invoices, claims, title, context }: Props): ReactNode {
  const { t, formats } = context
  const claimOf = new Map(claims.map((claim) => [claim.number, claim]))
  const columns: Column<InvoiceSummaryFragment>[] = [
    {
      key: 'number',
      label: t('invoice.column.number'),
      isHead: true,
      cell: ({ number, kindLabel, pdfUrl, xmlUrl }) => (
        <span>
          <a href={pdfUrl} aria-label={t('invoice.download.of', { number })}>
            {number}
          </a>
          <span className={account.quiet}>
            {' '}
            {kindLabel} ·{' '}
            <a href={xmlUrl} aria-label={t('invoice.xml.of', { number })}>
              {t('invoice.xml')}
            </a>
          </span>
        </span>
      ),
    },
    {
      key: 'issuer',
      label: t('invoice.column.issuer'),
      cell: ({ issuer, issuerName }) => (
        <span>
          {issuerName}{' '}
          <span className={account.quiet}>{t('invoice.issuer', { issuer: issuer === 'PLATFORM' ? 'platform' : 'other' })}</span>
        </span>
      ),
    },
    { key: 'issued', label: t('invoice.column.issued'), cell: ({ issuedAt }) => formats.date(issuedAt) },
    // Charges of a subscription belong to no order.
    ...(invoices.some(({ customerOrderId }) => customerOrderId !== null)
      ? [
          {
            key: 'order',
            label: t('invoice.column.order'),
            cell: ({ customerOrderId, sellerOrderId }: InvoiceSummaryFragment) =>
              customerOrderId && sellerOrderId ? (
                <a href={paths.orderDetails({ customerOrderId, sellerOrderId })}>{customerOrderId}</a>
              ) : null,
          },
        ]
      : []),
    ...(claims.length > 0
      ? [
          {
            key: 'claim',
            label: t('credit.column.state'),
            cell: ({ number, isPrepaid }: InvoiceSummaryFragment) => {
              const claim = claimOf.get(number)
              return claim ? claimState(claim, context) : isPrepaid ? t('credit.state.paid') : null
            },
          },
        ]
      : []),
    { key: 'gross', label: t('invoice.column.gross'), align: 'end', cell: ({ gross }) => gross.formatted },
  ]
  return <Table caption={title} quietCaption columns={columns} rows={invoices} keyOf={({ id }) => id} />
}
