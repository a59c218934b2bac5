import { ButtonLink, EmptyState, Pagination } from '@purlin/ui'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { MyOrdersDocument, type OrderFilter } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './account.module.css'
import list from './order-list.module.css'
import { OrderList } from './order-list.tsx'

const filters = ['all', 'open', 'delivered', 'cancelled'] as const satisfies readonly OrderFilter[]

export async function load(context: ShopContext) {
  const { pageNumber } = context.params
  const filter = filters.find((known) => known === context.query['state']) ?? 'all'
  // The first page has only one address.
  if (pageNumber === '1') return redirect(301, addressOf(1, filter))
  if (pageNumber !== undefined && !/^[1-9]\d{0,3}$/.test(pageNumber)) return notFound()
  const { myOrders } = await context.client.query(MyOrdersDocument, { page: Number(pageNumber ?? 1), filter })
  if (myOrders.page > 1 && myOrders.page > myOrders.pages) return notFound()
  return { data: { ...myOrders, filter }, title: context.t('account.orders'), robots: 'noindex' }
}

function addressOf(page: number, filter: OrderFilter): string {
  return paths.myOrders(page === 1 ? {} : { pageNumber: page }, filter === 'all' ? {} : { state: filter })
}

/** All orders of this customer, newest first, ten per page. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { orders, total, page, pages, filter } = data
  return (
    <AccountFrame context={context} here="myOrders" title={t('account.orders')}>
      <nav className={list.filters} aria-label={t('account.orders.filter')}>
        <ul>
          {filters.map((each) => (
            <li key={each}>
              <a href={addressOf(1, each)} aria-current={each === filter ? 'true' : undefined}>
                {t(`account.orders.filter.${each}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {orders.length === 0 ? (
        <EmptyState
          icon="box"
          title={t(filter === 'all' ? 'account.orders.none' : 'account.orders.none-such')}
          actions={
            filter === 'all' ? (
              <ButtonLink href="/">{t('account.shop')}</ButtonLink>
            ) : (
              <ButtonLink href={paths.myOrders()} look="secondary">
                {t('account.orders.show-all')}
              </ButtonLink>
            )
          }
        >
          {filter === 'all' && <p>{t('account.orders.none.text')}</p>}
        </EmptyState>
      ) : (
        <>
          <p className={styles.quiet}>{t('account.orders.count', { count: total })}</p>
          <OrderList orders={orders} context={context} heading="h2" />
          <Pagination
            page={page}
            pages={pages}
            hrefOf={(to) => addressOf(to, filter)}
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
