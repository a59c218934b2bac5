import { Button, ButtonLink, EmptyState, Field, Pagination, Select } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import account from '../account/account.module.css'
import { searchText } from '../account/search-text.ts'
import { MyCreditDocument, MyInvoicesDocument, SelfCareInvoiceDocument, type InvoiceFilter } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { StatementList } from '../credit/statement-list.tsx'
import { InvoiceTable } from './invoice-table.tsx'
import styles from './invoices.module.css'

const filters = ['all', 'seller', 'platform', 'credit'] as const satisfies readonly InvoiceFilter[]

interface Asked {
  filter: InvoiceFilter
  search: string
  year: number | null
}

export async function load(context: ShopContext) {
  const { customerOrderId = null } = context.params
  const { query, client, t } = context
  const text = (name: string): string => (typeof query[name] === 'string' ? query[name] : '')
  const asked: Asked = {
    filter: filters.find((known) => known === query['filter']) ?? 'all',
    // The invoices of an order are found by its id.
    search: searchText(customerOrderId ?? query['search']),
    year: /^2\d{3}$/.test(text('year')) ? Number(text('year')) : null,
  }
  const page = /^[1-9]\d{0,3}$/.test(text('page')) ? Number(text('page')) : 1
  const [{ myCredit }, { myInvoices, myStatements }] = await Promise.all([
    client.query(MyCreditDocument),
    client.query(MyInvoicesDocument, { page, ...asked }),
  ])
  if (myInvoices.page > 1 && myInvoices.page > myInvoices.pages) return notFound()
  // An order without invoices is shown as such; an order that is somebody else's does not exist.
  if (customerOrderId !== null && myInvoices.total === 0) {
    const { selfCare } = await client.query(SelfCareInvoiceDocument, { orderId: customerOrderId })
    if (!selfCare) return notFound()
  }
  const title = customerOrderId === null ? t('invoice.title') : t('invoice.of-order', { id: customerOrderId })
  const claims = myCredit?.claims ?? []
  return {
    data: { ...myInvoices, asked, customerOrderId, title, claims, statements: customerOrderId === null ? myStatements : [] },
    title,
    robots: 'noindex',
  }
}

function queryOf({ filter, search, year }: Asked, page = 1): Record<string, string> {
  return {
    ...(filter !== 'all' && { filter }),
    ...(search !== '' && { search }),
    ...(year !== null && { year: String(year) }),
    ...(page > 1 && { page: String(page) }),
  }
}

/** A professional's invoices: searched, filtered, downloaded one by one or together. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { invoices, total, page, pages, asked, customerOrderId, title, claims, statements } = data
  const own = customerOrderId === null ? {} : { customerOrderId }
  const isNarrowed = customerOrderId === null && Object.keys(queryOf(asked)).length > 0
  const exported = String(new URLSearchParams(queryOf(asked)))
  return (
    <AccountFrame context={context} here="proServicesInvoices" title={title}>
      {page === 1 && !isNarrowed && <StatementList statements={statements} context={context} />}
      {customerOrderId === null && <SearchForm data={data} context={context} />}
      {total === 0 ? (
        <EmptyState
          icon="document"
          title={t(isNarrowed ? 'invoice.none-such' : 'invoice.none')}
          actions={
            (isNarrowed || customerOrderId !== null) && (
              <ButtonLink href={paths.proServicesInvoices()} look="secondary">
                {t('invoice.show-all')}
              </ButtonLink>
            )
          }
        >
          {!isNarrowed && <p>{t('invoice.none.text')}</p>}
        </EmptyState>
      ) : (
        <>
          <div className={styles.exports}>
            <p className={account.quiet}>{t('invoice.count', { count: total })}</p>
            <ButtonLink look="secondary" size="s" href={`/api/v1/my-invoices/zip?${exported}`}>
              {t('invoice.zip')}
            </ButtonLink>
            <ButtonLink look="secondary" size="s" href={`/api/v1/my-invoices/csv?${exported}`}>
              {t('invoice.csv')}
            </ButtonLink>
          </div>
          <InvoiceTable invoices={invoices} claims={claims} title={title} context={context} />
          <Pagination
            page={page}
            pages={pages}
            hrefOf={(to) => paths.proServicesInvoices(own, queryOf(customerOrderId === null ? asked : { ...asked, search: '' }, to))}
            words={{
              label: t('listing.pages'),
              previous: t('listing.previous'),
              next: t('listing.next'),
              page: (number) => t('listing.page', { page: number }),
            }}
          />
        </>
      )}
    </AccountFrame>
  )
}

function SearchForm({ data: { asked, years }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <form method="get" role="search" className={styles.search}>
      <Field id="invoice-search" name="search" type="search" label={t('invoice.search')} defaultValue={asked.search} maxLength={100} />
      <Select
        id="filter"
        name="filter"
        label={t('invoice.filter')}
        defaultValue={asked.filter}
        options={filters.map((value) => ({ value, label: t(`invoice.filter.${value}`) }))}
      />
      <Select
        id="year"
        name="year"
        label={t('invoice.year')}
        defaultValue={asked.year === null ? '' : String(asked.year)}
        options={[{ value: '', label: t('invoice.year.all') }, ...years.map((year) => ({ value: String(year), label: String(year) }))]}
      />
      <Button look="secondary" icon="search">
        {t('invoice.find')}
      </Button>
    </form>
  )
}
