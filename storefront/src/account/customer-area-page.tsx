import { ButtonLink, EmptyState, Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import { CustomerAreaDocument, type CustomerAreaQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import { accountRooms } from './account-rooms.ts'
import styles from './account.module.css'
import { OrderList } from './order-list.tsx'
import { mayBePro, ProInvitation } from './pro-invitation.tsx'

const latest = 2

export async function load(context: ShopContext) {
  const [{ myOrders, customerSegments, unreadConversations: unread, disputesToAnswer: disputes }, principal] = await Promise.all([
    context.client.query(CustomerAreaDocument),
    context.principal(),
  ])
  const name = principal.kind === 'guest' ? '' : principal.name
  const isSuspected = context.mode === 'b2c' && mayBePro(customerSegments?.b2b_suspected_pro)
  return { data: { ...myOrders, name, isSuspected, unread, disputes }, title: context.t('account.title'), robots: 'noindex' }
}

/** The account overview: the latest orders, and links to everything else. */
export function Page({ data: { name, orders, total, isSuspected, unread, disputes }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here={null} title={t('account.hello', { name })}>
      {isSuspected && <ProInvitation context={context} />}
      <News unread={unread} disputes={disputes} context={context} />
      <section className={styles.part} aria-labelledby="latest">
        <div className={styles.head}>
          <h2 id="latest">{t('account.latest')}</h2>
          {total > latest && <a href={paths.myOrders()}>{t('account.orders.show-all')}</a>}
        </div>
        {orders.length === 0 ? (
          <EmptyState
            icon="box"
            heading="h3"
            title={t('account.orders.none')}
            actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}
          >
            <p>{t('account.orders.none.text')}</p>
          </EmptyState>
        ) : (
          <OrderList orders={orders.slice(0, latest)} context={context} heading="h3" />
        )}
      </section>
      <ul className={styles.tiles}>
        {accountRooms(context).map(({ name: room, label, text, icon, href }) => (
          <li key={room}>
            <a className={styles.tile} href={href}>
              <Icon name={icon} size={26} />
              <span>
                <strong>{t(label)}</strong>
                <span className={styles.quiet}>{t(text)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href={paths.authPreLogout()}>{t('shell.sign-out')}</a>
      </p>
    </AccountFrame>
  )
}

interface NewsProps {
  unread: number
  disputes: CustomerAreaQuery['disputesToAnswer']
  context: ShopContext
}

/** Messages that nobody has read, and disputes that wait for the buyer. */
function News({ unread, disputes, context: { t } }: NewsProps): ReactNode {
  if (unread === 0 && disputes.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="news">
      <h2 id="news">{t('account.news')}</h2>
      <ul>
        {disputes.map(({ orderId, messageId, number, state }) => (
          <li key={messageId}>
            <a href={paths.onlineSupportDispute({ orderId, messageId })}>
              {t(state === 'OFFERED' ? 'account.news.dispute.OFFERED' : 'account.news.dispute.DECIDED', { number })}
            </a>
          </li>
        ))}
        {unread > 0 && (
          <li>
            <a href={paths.myMessages({ pageNumber: 1 })}>{t('account.news.messages', { count: unread })}</a>
          </li>
        )}
      </ul>
    </section>
  )
}
