import { Pagination, Table, type Column } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { OfficeInvoicesQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './office.module.css'

type List = OfficeInvoicesQuery['sellerInvoices']

/** The commission invoices of a seller, with their files. */
export function OfficeInvoices({ list, context: { t, formats } }: { list: List; context: ShopContext }): ReactNode {
  const columns: Column<List['invoices'][number]>[] = [
    {
      key: 'number',
      label: t('invoice.column.number'),
      isHead: true,
      cell: ({ number, kindLabel, pdfUrl, xmlUrl, isArchived }) => (
        <span>
          {isArchived ? (
            <a href={pdfUrl} aria-label={t('invoice.download.of', { number })}>
              {number}
            </a>
          ) : (
            number
          )}
          <span className={styles.quiet}>
            {' '}
            {kindLabel}
            {isArchived && (
              <>
                {' · '}
                <a href={xmlUrl} aria-label={t('invoice.xml.of', { number })}>
                  {t('invoice.xml')}
                </a>
              </>
            )}
          </span>
        </span>
      ),
    },
    { key: 'issued', label: t('invoice.column.issued'), cell: ({ issuedAt }) => formats.date(issuedAt) },
    { key: 'gross', label: t('invoice.column.gross'), align: 'end', cell: ({ gross }) => gross.formatted },
  ]
  return (
    <section id="invoices" aria-labelledby="invoices-title" className={styles.part}>
      <h2 id="invoices-title">{t('office.invoices')}</h2>
      {list.total === 0 ? (
        <p className={styles.quiet}>{t('office.invoices.none')}</p>
      ) : (
        <>
          <Table caption={t('office.invoices')} quietCaption columns={columns} rows={list.invoices} keyOf={({ id }) => id} />
          <Pagination
            page={list.page}
            pages={list.pages}
            hrefOf={(to) => paths.office({}, to > 1 ? { page: String(to) } : {})}
            words={{
              label: t('listing.pages'),
              previous: t('listing.previous'),
              next: t('listing.next'),
              page: (number) => t('listing.page', { page: number }),
            }}
          />
        </>
      )}
    </section>
  )
}
