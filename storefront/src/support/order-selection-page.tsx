import { ButtonLink, EmptyState, Pagination } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import { MyOrdersDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './support.module.css'

export async function load(context: ShopContext) {
  const { pageNumber = '1' } = context.params
  if (!/^[1-9]\d{0,3}$/.test(pageNumber)) return notFound()
  const { myOrders } = await context.client.query(MyOrdersDocument, { page: Number(pageNumber), filter: 'all' })
  if (myOrders.page > 1 && myOrders.page > myOrders.pages) return notFound()
  return { data: myOrders, title: context.t('support.select'), robots: 'noindex' }
}

/** The order that a help request is about. */
export function Page({ data: { orders, page, pages }, context }: PageProps<typeof load>): ReactNode {
  const { t, formats } = context
  return (
    <AccountFrame context={context} here="myOrders" back={{ to: paths.helpCenter(), label: t('shell.help') }} title={t('support.select')}>
      {orders.length === 0 ? (
        <EmptyState
          icon="box"
          title={t('account.orders.none')}
          actions={<ButtonLink href={paths.contact()}>{t('shell.contact')}</ButtonLink>}
        >
          <p>{t('support.select.none')}</p>
        </EmptyState>
      ) : (
        <>
          <ul className={styles.orders}>
            {orders.map((order) => (
              <li key={order.id} className={styles.order}>
                {order.lines[0] && <img src={order.lines[0].imageUrl} alt="" width={64} height={64} loading="lazy" />}
                <div>
                  <h2>
                    <a href={paths.onlineSupport({ orderId: order.sellerOrderId })}>
                      {t('account.orders.from', { date: formats.date(order.placedAt) })}
                    </a>
                  </h2>
                  <p className={`${room.quiet} ${styles.goods}`}>{formats.list(order.lines.map(({ title }) => title))}</p>
                  <p className={room.quiet}>
                    {formats.list(order.sellerNames)} · {order.stateLabel}
                  </p>
                </div>
              </li>
            ))}
          </ul>
          <Pagination
            page={page}
            pages={pages}
            hrefOf={(to) => (to === 1 ? paths.orderSelection() : paths.orderSelection({ pageNumber: to }))}
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
