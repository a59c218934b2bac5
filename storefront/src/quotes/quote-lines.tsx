import type { TaxKey } from '@purlin/contract/money.ts'
import { Table } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { QuoteLineFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { taxCase } from './state-case.ts'

interface Props {
  lines: readonly QuoteLineFragment[]
  /** The quantity is still to be typed, in a field of its own. */
  isOpen?: boolean
  /** The mode of all amounts. */
  taxKey: TaxKey
  t: ShopContext['t']
}

/** The lines of a quote: what they cost without it, and what was quoted. */
export function QuoteLines({ lines, isOpen = false, taxKey, t }: Props): ReactNode {
  const tax = taxCase(taxKey)
  const isQuoted = lines.some(({ price }) => price !== null)
  return (
    <Table<QuoteLineFragment>
      caption={t('quote.lines')}
      quietCaption
      rows={lines}
      keyOf={({ offerId }) => offerId}
      columns={[
        { key: 'title', label: t('quote.product'), isHead: true, cell: ({ title, url }) => <a href={url}>{title}</a> },
        ...(isOpen
          ? []
          : [{ key: 'quantity', label: t('cart.quantity'), align: 'end' as const, cell: ({ quantity }: QuoteLineFragment) => quantity }]),
        { key: 'list', label: t('quote.list-price', { tax }), align: 'end', cell: ({ listPrice }) => listPrice.formatted },
        ...(isQuoted
          ? [
              {
                key: 'price',
                label: t('quote.price', { tax }),
                align: 'end' as const,
                cell: ({ price }: QuoteLineFragment) => <b>{price?.formatted}</b>,
              },
            ]
          : []),
        ...(isOpen
          ? []
          : [
              {
                key: 'total',
                label: t('quote.line-total', { tax }),
                align: 'end' as const,
                cell: ({ total }: QuoteLineFragment) => total.formatted,
              },
            ]),
      ]}
    />
  )
}
