import { reachOf } from '@purlin/contract/actions.ts'
import type { ReactNode } from 'react'
import { AccountWorkDocument, type AccountWorkQuery, type CustomerAreaQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './account.module.css'

export interface CompanyWork {
  /** Requests of colleagues that this member may decide. */
  approvals: AccountWorkQuery['approvals']
  quotes: AccountWorkQuery['quotes']
  statements: AccountWorkQuery['statements']
  /** All companies the member may act for. */
  companies: AccountWorkQuery['companies']
}

/** The work of a company that waits for a member; null for everybody else. */
export async function loadCompanyWork(context: ShopContext): Promise<CompanyWork | null> {
  const principal = await context.principal()
  if (context.mode !== 'b2b' || principal.kind !== 'member') return null
  const { approvals, quotes, statements, companies } = await context.client.query(AccountWorkDocument)
  const mayDecide = reachOf(principal, 'approval.decide', context.market) !== null
  return {
    approvals: mayDecide ? approvals.filter(({ state, isYours }) => state === 'PENDING' && !isYours) : [],
    quotes: quotes.filter(({ state }) => state === 'ANSWERED'),
    statements: statements.filter(({ state }) => state === 'OPEN' || state === 'LATE'),
    companies,
  }
}

interface WaitingProps {
  work: CompanyWork | null
  unread: number
  disputes: CustomerAreaQuery['disputesToAnswer']
  context: ShopContext
}

interface Item {
  key: string
  href: string
  text: string
}

/** Everything that waits for the customer: a company's work first, then disputes and unread messages. */
export function Waiting({ work, unread, disputes, context }: WaitingProps): ReactNode {
  const { t } = context
  const messages = { key: 'messages', href: paths.myMessages({ pageNumber: 1 }), text: t('account.news.messages', { count: unread }) }
  const items: Item[] = [
    ...(work ? workItems(work, context) : []),
    ...disputes.map(({ orderId, messageId, number, state }) => ({
      key: messageId,
      href: paths.onlineSupportDispute({ orderId, messageId }),
      text: t(state === 'OFFERED' ? 'account.news.dispute.OFFERED' : 'account.news.dispute.DECIDED', { number }),
    })),
    ...(unread > 0 ? [messages] : []),
  ]
  if (items.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="news">
      <h2 id="news">{t('account.news')}</h2>
      <ul>
        {items.map(({ key, href, text }) => (
          <li key={key}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function workItems({ approvals, quotes, statements }: CompanyWork, { t }: ShopContext): Item[] {
  const [first] = approvals
  const request = first && {
    key: 'approvals',
    href: approvals.length === 1 ? paths.approval({ id: first.id }) : paths.approvals(),
    text: t('account.news.approval', { count: approvals.length }),
  }
  return [
    ...(request ? [request] : []),
    ...quotes.map(({ id, number, sellerName }) => ({
      key: id,
      href: paths.quote({ id }),
      text: t('account.news.quote', { number, seller: sellerName }),
    })),
    ...statements.map(({ id, number, open, dueOn }) => ({
      key: id,
      href: paths.invoiceStatement({ id }),
      text: t('account.news.statement', { number, open: open.formatted, due: dueOn }),
    })),
  ]
}
