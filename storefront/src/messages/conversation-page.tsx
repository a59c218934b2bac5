import { Alert, Container } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame, BackToAccount } from '../account/account-frame.tsx'
import room from '../account/account.module.css'
import {
  ConversationDocument,
  MarkConversationReadDocument,
  type ConversationFragment,
  type RefusalFragment,
} from '../generated/documents.ts'
import { openByLink } from '../orders/open-by-link.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { conversationAction } from './conversation-action.ts'
import { ConversationMessage } from './conversation-message.tsx'
import { isOfWriter, MessageWriter } from './message-writer.tsx'
import styles from './messages.module.css'

export async function load(context: ShopContext) {
  const { orderId = '' } = context.params
  const { access, before } = context.query
  if (typeof access === 'string') {
    const latest = `${paths.conversation({ orderId })}#latest`
    return (
      (await openByLink(context, access, ({ sellerOrders }) => (sellerOrders.some(({ id }) => id === orderId) ? latest : null))) ??
      notFound()
    )
  }
  const from = typeof before === 'string' && /^[1-9]\d{0,8}$/.test(before) ? Number(before) : null
  const { conversation } = await context.client.query(ConversationDocument, { orderId, before: from })
  if (!conversation) return notFound()
  if (conversation.messages.some(({ isUnread }) => isUnread))
    await context.client.mutate(MarkConversationReadDocument, { orderId, upTo: conversation.messages.at(-1)?.seq ?? 0 })
  const hasAccount = (await context.principal()).kind !== 'guest'
  const title = context.t('messages.with', { seller: conversation.sellerName })
  return { data: { conversation, isOlder: from !== null, hasAccount }, title, robots: 'noindex' }
}

export const action = conversationAction

/** What buyer, seller and operator have written about one seller order, and the form to write more. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { conversation, isOlder, hasAccount } = data
  const { sellerName } = conversation
  const title = context.t('messages.with', { seller: sellerName })
  const content = (
    <>
      <About conversation={conversation} context={context} />
      {!isOfWriter(typed) && <FormRefusal refusal={refusal} />}
      <Thread conversation={conversation} isOlder={isOlder} context={context} />
      <DisputeLink conversation={conversation} context={context} />
      <MessageWriter conversation={conversation} context={context} refusal={refusal ?? null} typed={typed ?? null} />
    </>
  )
  if (hasAccount)
    return (
      <AccountFrame
        context={context}
        here="myMessages"
        back={{ to: paths.myMessages({ pageNumber: 1 }), label: context.t('messages.title') }}
        title={title}
      >
        {content}
      </AccountFrame>
    )
  return (
    <Container>
      <div className={`${room.alone} ${room.column}`}>
        <BackToAccount to={orderUrl(conversation)} label={context.t('messages.order', { id: conversation.customerOrderId })} />
        <h1>{title}</h1>
        {content}
      </div>
    </Container>
  )
}

const orderUrl = ({ customerOrderId, orderId }: ConversationFragment): string =>
  paths.orderDetails({ customerOrderId, sellerOrderId: orderId })

/** The way out when writing does not help: it begins with a message of the buyer. */
function DisputeLink({ conversation, context: { t } }: { conversation: ConversationFragment; context: ShopContext }): ReactNode {
  const { orderId, messages } = conversation
  const [first] = messages.filter(({ author }) => author === 'buyer')
  if (!first || messages.length < 2) return null
  return (
    <p>
      <a href={paths.onlineSupportDispute({ orderId, messageId: first.id })}>{t('dispute.link')}</a>
    </p>
  )
}

/** The order the conversation is about. */
function About({ conversation, context: { t } }: { conversation: ConversationFragment; context: ShopContext }): ReactNode {
  const { title, imageUrl, lineCount, customerOrderId } = conversation
  return (
    <div className={styles.about}>
      {imageUrl && <img src={imageUrl} alt="" width={64} height={64} />}
      <div>
        <p>{lineCount > 1 ? t('messages.more', { title, count: lineCount - 1 }) : title}</p>
        <p className={room.quiet}>
          <a href={orderUrl(conversation)}>{t('messages.order', { id: customerOrderId })}</a>
        </p>
      </div>
    </div>
  )
}

interface ThreadProps {
  conversation: ConversationFragment
  isOlder: boolean
  context: ShopContext
}

function Thread({ conversation, isOlder, context }: ThreadProps): ReactNode {
  const { t } = context
  const { orderId, messages, sellerName, answerDueAt, isAnswerLate, hasOlder } = conversation
  const first = messages[0]
  return (
    <>
      {hasOlder && first && (
        <p>
          <a href={paths.conversation({ orderId }, { before: String(first.seq) })}>{t('messages.older')}</a>
        </p>
      )}
      {messages.length === 0 ? (
        <p className={room.quiet}>{t('messages.empty')}</p>
      ) : (
        <ol className={styles.thread}>
          {messages.map((message) => (
            <ConversationMessage
              key={message.id}
              message={message}
              conversation={conversation}
              isLast={message === messages.at(-1)}
              context={context}
            />
          ))}
        </ol>
      )}
      {isOlder && (
        <p>
          <a href={`${paths.conversation({ orderId })}#latest`}>{t('messages.latest')}</a>
        </p>
      )}
      {answerDueAt && !isOlder && (
        <Alert severity={isAnswerLate ? 'warning' : 'info'}>
          <p>{isAnswerLate ? t('messages.late', { seller: sellerName }) : t('messages.due', { seller: sellerName, at: answerDueAt })}</p>
        </Alert>
      )}
    </>
  )
}
