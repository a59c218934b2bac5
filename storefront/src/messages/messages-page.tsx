import { ButtonLink, EmptyState, Pagination } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import { ConversationsDocument, type ConversationSummaryFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './messages.module.css'

export async function load(context: ShopContext) {
  const { pageNumber = '1' } = context.params
  if (!/^[1-9]\d{0,3}$/.test(pageNumber)) return notFound()
  const { conversations } = await context.client.query(ConversationsDocument, { page: Number(pageNumber) })
  if (conversations.page > 1 && conversations.page > conversations.pages) return notFound()
  return { data: conversations, title: context.t('messages.title'), robots: 'noindex' }
}

/** The customer's conversations with sellers, latest first, ten per page. */
export function Page({ data: { conversations, total, unread, page, pages }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="myMessages" title={t('messages.title')}>
      {conversations.length === 0 ? (
        <EmptyState
          icon="document"
          title={t('messages.none')}
          actions={<ButtonLink href={paths.myOrders()}>{t('messages.to-orders')}</ButtonLink>}
        >
          <p>{t('messages.none.text')}</p>
        </EmptyState>
      ) : (
        <>
          <p className={room.quiet}>
            {unread > 0 ? t('messages.unread-conversations', { count: unread }) : t('messages.count', { count: total })}
          </p>
          <ul className={styles.list}>
            {conversations.map((each) => (
              <Summary key={each.orderId} conversation={each} context={context} />
            ))}
          </ul>
          <Pagination
            page={page}
            pages={pages}
            hrefOf={(to) => paths.myMessages({ pageNumber: to })}
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

function Summary({
  conversation,
  context: { t, formats },
}: {
  conversation: ConversationSummaryFragment
  context: ShopContext
}): ReactNode {
  const { orderId, sellerName, title, imageUrl, lineCount, lastAt, lastAuthor, preview, unread } = conversation
  return (
    <li className={unread > 0 ? `${styles.item} ${styles.unread}` : styles.item}>
      {imageUrl && <img src={imageUrl} alt="" width={64} height={64} loading="lazy" />}
      <div>
        <div className={styles.itemHead}>
          <h2 className={styles.itemTitle}>
            <a href={`${paths.conversation({ orderId })}#latest`}>{sellerName}</a>
          </h2>
          {unread > 0 && <span className={styles.badge}>{t('messages.unread', { count: unread })}</span>}
        </div>
        <p className={room.quiet}>{lineCount > 1 ? t('messages.more', { title, count: lineCount - 1 }) : title}</p>
        <p className={styles.preview}>
          <b>{t('messages.author', { author: lastAuthor, seller: sellerName })}</b> <span>{preview}</span>
        </p>
        <p className={room.quiet}>
          <time dateTime={lastAt}>{formats.dateTime(lastAt)}</time>
        </p>
      </div>
    </li>
  )
}
