import { Alert, Button, Field, TextArea } from '@purlin/ui'
import { fieldsOf, formAction, namesOf } from '@purlin/web/form-action.ts'
import { files, lines, takenFile } from '@purlin/web/form-input.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import room from '../account/account.module.css'
import { WriteMessageDocument, type RefusalFragment } from '../generated/documents.ts'
import { acceptedFiles, mostFiles } from '../messages/conversation-form.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { loadPart } from './load-part.ts'
import { SupportFrame } from './support-frame.tsx'
import { messageTopics, supportTopicOf } from './support-topics.ts'
import styles from './support.module.css'

const form = v.object({ text: lines(3_000), attachment: files(mostFiles) })
const name = namesOf(form)

export async function load(context: ShopContext) {
  const part = await loadPart(context)
  if (!part) return notFound()
  const topic = supportTopicOf(context.query['about']) ?? 'other'
  return { data: { part, topic }, title: context.t('messages.write', { seller: part.part.seller.name }), robots: 'noindex' }
}

/** The help request begins the conversation with the seller, or continues it. */
export const action = formAction(form, async (context: ShopContext, { text, attachment }) => {
  const { orderId = '' } = context.params
  const topic = messageTopics[supportTopicOf(context.query['about']) ?? 'other']
  const input = { text, topic, attachments: attachment.map(({ id }) => id) }
  const sent = (await context.client.mutate(WriteMessageDocument, { orderId, input }))?.writeMessage
  if (sent?.refusal) return refuse(sent.refusal)
  return redirect(303, `${paths.conversation({ orderId })}#latest`, { severity: 'success', key: 'flash.help-request-sent' })
})

export function Page({ data: { part, topic }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t, pathname, search } = context
  const { seller, id } = part.part
  const field = fieldsOf(form, { typed: typed ?? undefined, refusal: refusal ?? undefined })
  const fileErrors = (refusal?.fields ?? []).filter((each) => each.field === name('attachment')).map(({ message }) => message)
  const back = { to: paths.onlineSupport({ orderId: id }, { about: topic }), label: t(`support.topic.${topic}`) }
  return (
    <SupportFrame part={part} title={t('messages.write', { seller: seller.name })} back={back} context={context}>
      {refusal && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <form method="post" action={pathname + search} encType="multipart/form-data" className={styles.form}>
        <TextArea {...field('text')} label={t('messages.body')} hint={t('messages.body-hint')} rows={6} />
        {(typed?.all(name('attachment')) ?? []).map((value) => (
          <p key={value} className={room.quiet}>
            <input type="hidden" name={name('attachment')} value={value} />
            {t('contact.attached', { name: takenFile(value).name })}
          </p>
        ))}
        <Field
          id="attachment"
          name={name('attachment')}
          type="file"
          multiple
          accept={acceptedFiles}
          label={t('contact.attachment')}
          hint={t('contact.attachment-hint', { limit: mostFiles })}
          optional={t('contact.optional')}
          error={fileErrors.join(' ') || undefined}
        />
        <p>
          <Button>{t('messages.send')}</Button>
        </p>
      </form>
    </SupportFrame>
  )
}
