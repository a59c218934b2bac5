import { Button, ButtonLink, EmptyState, Field, Pagination } from '@purlin/ui'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { MyOrdersDocument, type OrderFilter } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './account.module.css'
import list from './order-list.module.css'
import { OrderList } from './order-list.tsx'
import { searchText } from './search-text.ts'

const filters = ['all', 'open', 'delivered', 'cancelled'] as const satisfies readonly OrderFilter[]

export async function load(context: ShopContext) {
  const { pageNumber } = context.params
  const filter = filters.find((known) => known === context.query['state']) ?? 'all'
  const search = searchText(context.query['search'])
  const asked: Asked = { filter, search }
  // The first page has only one address.
  if (pageNumber === '1') return redirect(301, addressOf(1, asked))
  if (pageNumber !== undefined && !/^[1-9]\d{0,3}$/.test(pageNumber)) return notFound()
  const { myOrders } = await context.client.query(MyOrdersDocument, { page: Number(pageNumber ?? 1), ...asked })
  if (myOrders.page > 1 && myOrders.page > myOrders.pages) return notFound()
  return { data: { ...myOrders, asked }, title: context.t('account.orders'), robots: 'noindex' }
}

interface Asked {
  filter: OrderFilter
  search: string
}

function addressOf(page: number, { filter, search }: Asked): string {
  const query = { ...(filter !== 'all' && { state: filter }), ...(search !== '' && { search }) }
  return paths.myOrders(page === 1 ? {} : { pageNumber: page }, query)
}

/** All orders of this customer, newest first, ten per page; searched by number, product or seller. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { orders, total, page, pages, asked } = data
  const { filter, search } = asked
  const isNarrowed = filter !== 'all' || search !== ''
  return (
    <AccountFrame context={context} here="myOrders" title={t('account.orders')}>
      {(total > 0 || isNarrowed) && (
        <form className={list.search} method="get" action={paths.myOrders()} role="search" aria-label={t('account.orders.search')}>
          {filter !== 'all' && <input type="hidden" name="state" value={filter} />}
          <Field
            type="search"
            name="search"
            label={t('account.orders.search')}
            placeholder={t('account.orders.search.hint')}
            defaultValue={search}
            maxLength={100}
          />
          <Button type="submit" look="secondary">
            {t('account.orders.search.do')}
          </Button>
        </form>
      )}
      <nav className={list.filters} aria-label={t('account.orders.filter')}>
        <ul>
          {filters.map((each) => (
            <li key={each}>
              <a href={addressOf(1, { filter: each, search })} aria-current={each === filter ? 'true' : undefined}>
                {t(`account.orders.filter.${each}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {orders.length === 0 ? (
        <EmptyState
          icon="box"
          title={
            search === '' ? t(isNarrowed ? 'account.orders.none-such' : 'account.orders.none') : t('account.orders.search.none', { search })
          }
          actions={
            isNarrowed ? (
              <ButtonLink href={paths.myOrders()} look="secondary">
                {t('account.orders.show-all')}
              </ButtonLink>
            ) : (
              <ButtonLink href="/">{t('account.shop')}</ButtonLink>
            )
          }
        >
          {!isNarrowed && <p>{t('account.orders.none.text')}</p>}
        </EmptyState>
      ) : (
        <>
          <p className={styles.quiet}>
            {search === '' ? t('account.orders.count', { count: total }) : t('account.orders.search.count', { count: total, search })}
          </p>
          <OrderList orders={orders} context={context} heading="h2" />
          <Pagination
            page={page}
            pages={pages}
            hrefOf={(to) => addressOf(to, asked)}
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
