import { ButtonLink, EmptyState, Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import { ActingFor } from '../company/acting-for.tsx'
import { CustomerAreaDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { AccountFrame } from './account-frame.tsx'
import { roomGroups } from './account-rooms.ts'
import styles from './account.module.css'
import tiles from './tiles.module.css'
import { OrderList } from './order-list.tsx'
import { mayBePro, ProInvitation } from './pro-invitation.tsx'
import { loadCompanyWork, Waiting } from './waiting.tsx'

const latest = 2

export async function load(context: ShopContext) {
  const [{ myOrders, customerSegments, unreadConversations: unread, disputesToAnswer: disputes }, principal, work] = await Promise.all([
    context.client.query(CustomerAreaDocument),
    context.principal(),
    loadCompanyWork(context),
  ])
  const name = principal.kind === 'guest' ? '' : principal.name
  const isSuspected = context.mode === 'b2c' && mayBePro(customerSegments?.b2b_suspected_pro)
  return { data: { ...myOrders, name, isSuspected, unread, disputes, work }, title: context.t('account.title'), robots: 'noindex' }
}

/** The account overview: the latest orders, and links to everything else. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { name, orders, total, isSuspected, unread, disputes, work } = data
  return (
    <AccountFrame context={context} here={null} title={t('account.hello', { name })}>
      {work && <ActingFor companies={work.companies} context={context} className={styles.quiet} />}
      {isSuspected && <ProInvitation context={context} />}
      <Waiting work={work} unread={unread} disputes={disputes} context={context} />
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
      {roomGroups(context).map(({ group, rooms }) => (
        <section key={group} className={styles.part} aria-labelledby={`rooms-${group}`}>
          <h2 id={`rooms-${group}`} className={styles.heading}>
            {t(`account.group.${group}`)}
          </h2>
          <ul className={tiles.tiles}>
            {rooms.map(({ name: room, label, text, icon, href }) => (
              <li key={room}>
                <a className={tiles.tile} href={href}>
                  <Icon name={icon} size={26} />
                  <span>
                    <strong>{t(label)}</strong>
                    <span className={styles.quiet}>{t(text)}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <p>
        <a href={paths.authPreLogout()}>{t('shell.sign-out')}</a>
      </p>
    </AccountFrame>
  )
}
