import { Button, ErrorSummary, Field, Select, TextArea } from '@purlin/ui'
import type { FormFields } from '@purlin/web/form.ts'
import { fieldsOf, namesOf } from '@purlin/web/form-action.ts'
import { takenFile } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import type { MessageKind, RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { messageForm, messageKinds, mostFiles, withdrawalForm } from './message-form-fields.ts'
import styles from './text.module.css'

export interface MessageFormProps {
  /** A withdrawal, or the preselected subject. */
  kind: MessageKind
  context: ShopContext
  refusal: RefusalFragment | null
  typed: FormFields | null
}

const fields = ['name', 'email', 'orderId', 'text'] as const

/** Accepted types; phones convert theirs to these when they are listed. */
const accepted = 'image/jpeg,image/png,image/webp,application/pdf'

/** Form for a message to the operator, or for a withdrawal: the same fields with other labels. */
export function MessageForm({ kind, context: { t, pathname }, refusal, typed }: MessageFormProps): ReactNode {
  const isWithdrawal = kind === 'withdrawal'
  const about = isWithdrawal ? 'withdrawal' : 'message'
  const known = { typed: typed ?? undefined, refusal: refusal ?? undefined }
  const field = isWithdrawal ? fieldsOf(withdrawalForm, known) : fieldsOf(messageForm, known)
  const name = namesOf(messageForm)
  const labels = { name: t('contact.name'), email: t('contact.email'), orderId: t('contact.order'), text: t(`contact.${about}.text`) }
  const errors = fields.flatMap((each) => {
    const { error } = field(each)
    return error ? [{ href: `#${each}`, message: t('form.fault', { field: labels[each], message: error }) }] : []
  })
  const fileErrors = (refusal?.fields ?? []).filter((each) => each.field === name('attachment')).map(({ message }) => message)
  errors.push(...fileErrors.map((message) => ({ href: '#attachment', message })))
  const attached = typed?.all(name('attachment')) ?? []
  return (
    // The errors are shown here, far below the top of the page.
    <form
      method="post"
      action={`${pathname}#${isWithdrawal ? 'online' : 'write'}`}
      className={styles.form}
      {...(!isWithdrawal && { encType: 'multipart/form-data' })}
    >
      <FormRefusal refusal={refusal} />
      <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
      {!isWithdrawal && (
        <Select
          id="kind"
          name={name('kind')}
          label={t('contact.kind')}
          options={messageKinds.map((value) => ({ value, label: t(`contact.kind.${value}`) }))}
          defaultValue={typed?.get('kind') ?? kind}
        />
      )}
      <Field {...field('name')} label={labels.name} autoComplete="name" />
      <Field {...field('email')} label={labels.email} type="email" inputMode="email" autoComplete="email" />
      <Field
        {...field('orderId')}
        label={labels.orderId}
        autoComplete="off"
        hint={t('contact.order-hint')}
        {...(!isWithdrawal && { optional: t('contact.optional') })}
      />
      <TextArea
        {...field('text')}
        label={labels.text}
        rows={isWithdrawal ? 3 : 6}
        {...(isWithdrawal && { optional: t('contact.optional'), hint: t('contact.withdrawal.text-hint') })}
      />
      {!isWithdrawal && (
        <>
          {attached.map((value) => (
            <p key={value} className={styles.version}>
              <input type="hidden" name={name('attachment')} value={value} />
              {t('contact.attached', { name: takenFile(value).name })}
            </p>
          ))}
          <Field
            id="attachment"
            name={name('attachment')}
            type="file"
            multiple
            accept={accepted}
            label={t('contact.attachment')}
            hint={t('contact.attachment-hint', { limit: mostFiles })}
            optional={t('contact.optional')}
            {...(fileErrors.length > 0 && { error: fileErrors.join(' ') })}
          />
        </>
      )}
      {!isWithdrawal && (
        <p className={styles.trap} aria-hidden="true">
          <label>
            {t('contact.leave-empty')} <input name={name('website')} tabIndex={-1} autoComplete="off" />
          </label>
        </p>
      )}
      <p className={styles.version}>
        {t.rich(`contact.${about}.note`, { privacy: (words) => <a href={paths.dataProtection()}>{words}</a> })}
      </p>
      <p>
        <Button size="l">{t(`contact.${about}.send`)}</Button>
      </p>
    </form>
  )
}
