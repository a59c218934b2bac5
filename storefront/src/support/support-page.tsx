import { ButtonLink, Icon } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import { OrderDisputesDocument, WriteMessageDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadPart } from './load-part.ts'
import { lostForm, LostParcel } from './lost-parcel.tsx'
import { SupportFrame } from './support-frame.tsx'
import { supportOffers, supportTopicOf, supportTopics } from './support-topics.ts'
import styles from './support.module.css'

export async function load(context: ShopContext) {
  const part = await loadPart(context)
  if (!part) return notFound()
  const topic = supportTopicOf(context.query['about'])
  return { data: { part, topic }, title: context.t(topic ? `support.topic.${topic}` : 'support.title'), robots: 'noindex' }
}

/** A lost parcel leads to a dispute in one tap: to the open one, or to the form, which knows the reason, with the message to the seller written. */
export const action = formAction(lostForm, async (context: ShopContext) => {
  const part = await loadPart(context)
  if (part?.part.state !== 'INCIDENT_OPEN') return notFound()
  const orderId = part.part.id
  const { disputesOfOrder } = await context.client.query(OrderDisputesDocument, { customerOrderId: part.order.id })
  const open = disputesOfOrder?.find((each) => each.orderId === orderId && !each.isEnded)
  if (open) return redirect(303, paths.onlineSupportDispute({ orderId, messageId: open.messageId }))
  const text = context.t('support.lost.message')
  const sent = (await context.client.mutate(WriteMessageDocument, { orderId, input: { text, topic: 'delivery', attachments: [] } }))
    ?.writeMessage
  if (!sent?.id || sent.refusal) return redirect(303, paths.onlineSupport({ orderId }, { about: 'delivery' }))
  return redirect(303, paths.onlineSupportDispute({ orderId, messageId: sent.id }, { reason: 'NOT_RECEIVED' }))
})

/** Help with one seller order: first what it is about, then what can be done at once, and only then the form. */
export function Page({ data: { part, topic }, context }: PageProps<typeof load>): ReactNode {
  const { t, pathname } = context
  const orderId = part.part.id
  if (topic === null)
    return (
      <SupportFrame part={part} title={t('support.title')} context={context}>
        <nav className={styles.write} aria-label={t('support.question')}>
          <h2>{t('support.question')}</h2>
          <ul className={styles.choices}>
            {supportTopics.map((each) => (
              <li key={each}>
                <a href={paths.onlineSupport({ orderId }, { about: each })}>
                  {t(`support.topic.${each}`)}
                  <Icon name="right" size={18} />
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </SupportFrame>
    )
  const offers = supportOffers(topic, part)
  return (
    <SupportFrame part={part} title={t(`support.topic.${topic}`)} back={{ to: pathname, label: t('support.title') }} context={context}>
      <p>{t(`support.text.${topic}`)}</p>
      {topic === 'delivery' && part.part.state === 'INCIDENT_OPEN' && <LostParcel orderId={orderId} context={context} />}
      {offers.length > 0 && (
        <>
          <h2>{t('support.now')}</h2>
          <ul className={styles.choices}>
            {offers.map(({ action, url }) => (
              <li key={action}>
                <a href={url}>
                  {t(`support.action.${action}`)}
                  <Icon name="right" size={18} />
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <section className={styles.write}>
        <h2>{t('support.not-solved')}</h2>
        <p className={room.quiet}>{t('support.not-solved.text', { seller: part.part.seller.name })}</p>
        <p>
          <ButtonLink href={paths.onlineSupportContactForm({ orderId }, { about: topic })} look="secondary">
            {t('messages.write', { seller: part.part.seller.name })}
          </ButtonLink>
        </p>
      </section>
    </SupportFrame>
  )
}
