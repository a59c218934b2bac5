import { Button, Field, Select, TextArea } from '@purlin/ui'
import type { FormFields } from '@purlin/web/form.ts'
import { takenFile } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import type { ConversationFragment, RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { acceptedFiles, conversationField as field, mostFiles, topics } from './conversation-form.ts'
import styles from './messages.module.css'

interface Props {
  conversation: ConversationFragment
  context: ShopContext
  refusal: RefusalFragment | null
  typed: FormFields | null
}

/** Whether the writer's form was sent: the page opens there, and its refusal is shown there. */
export const isOfWriter = (typed: FormFields | null | undefined): boolean => typed?.get(field('do')) === 'write'

/** The form to write a message, and sentences that are sent with one click. */
export function MessageWriter({ conversation, context: { t, pathname }, refusal, typed }: Props): ReactNode {
  const { sellerName, topic, quickReplies } = conversation
  const errorOf = (name: string) =>
    refusal?.fields
      .filter((each) => each.field === name)
      .map(({ message }) => message)
      .join(' ') || undefined
  const attached = typed?.all(field('attachment')) ?? []
  return (
    <section className={styles.writer} aria-labelledby="write-title">
      <h2 id="write-title">{t('messages.write', { seller: sellerName })}</h2>
      <form method="post" action={`${pathname}#write`} encType="multipart/form-data" id="write">
        {isOfWriter(typed) && <FormRefusal refusal={refusal} />}
        <input type="hidden" name={field('do')} value="write" />
        {topic === null && (
          <Select
            id="topic"
            name={field('topic')}
            label={t('messages.topic')}
            options={topics.map((value) => ({ value, label: t(`messages.topic.${value}`) }))}
            defaultValue={typed?.get(field('topic')) || 'delivery'}
          />
        )}
        <TextArea
          id="text"
          name={field('text')}
          label={t('messages.body')}
          hint={t('messages.body-hint')}
          rows={5}
          maxLength={3_000}
          required
          defaultValue={typed?.get(field('text')) ?? ''}
          error={errorOf('text')}
        />
        {attached.map((value) => (
          <p key={value} className={room.quiet}>
            <input type="hidden" name={field('attachment')} value={value} />
            {t('contact.attached', { name: takenFile(value).name })}
          </p>
        ))}
        <Field
          id="attachment"
          name={field('attachment')}
          type="file"
          multiple
          accept={acceptedFiles}
          label={t('contact.attachment')}
          hint={t('contact.attachment-hint', { limit: mostFiles })}
          optional={t('contact.optional')}
          error={errorOf('attachment')}
        />
        <p>
          <Button>{t('messages.send')}</Button>
        </p>
      </form>
      {quickReplies.length > 0 && (
        <form method="post" className={styles.quickReplies} aria-labelledby="quick-title">
          <p id="quick-title" className={room.quiet}>
            {t('messages.quick')}
          </p>
          <input type="hidden" name={field('do')} value="quick" />
          {quickReplies.map(({ id, text }) => (
            <Button key={id} name={field('quickReply')} value={id} look="secondary" size="s">
              {text}
            </Button>
          ))}
        </form>
      )}
    </section>
  )
}
