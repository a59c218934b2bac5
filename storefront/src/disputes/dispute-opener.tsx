import { Button, Check, Field, Select, TextArea } from '@purlin/ui'
import type { FormFields } from '@purlin/web/form.ts'
import { takenFile } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import room from '../account/account.module.css'
import { acceptedFiles, mostFiles } from '../messages/conversation-form.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from '../support/support.module.css'
import { disputeField as field, disputeReasons, disputeWishes } from './dispute-form.ts'

interface Props {
  seller: string
  context: ShopContext
  typed: FormFields | null
}

/** Reason, wish and evidence. */
export function DisputeOpener({ seller, context: { t, pathname, query }, typed }: Props): ReactNode {
  return (
    <>
      <p>{t('dispute.open.text', { seller })}</p>
      <form method="post" action={pathname} encType="multipart/form-data" className={styles.form}>
        <input type="hidden" name={field('do')} value="open" />
        <Select
          id="reason"
          name={field('reason')}
          label={t('dispute.reason')}
          options={disputeReasons.map((value) => ({ value, label: t(`dispute.reason.${value}`) }))}
          defaultValue={typed?.get(field('reason')) || disputeReasons.find((value) => value === query['reason'])}
        />
        <fieldset className={styles.options}>
          <legend>{t('dispute.wish')}</legend>
          {disputeWishes.map((value) => (
            <Check
              key={value}
              type="radio"
              id={`wish-${value}`}
              name={field('wish')}
              value={value}
              label={t(`dispute.wish.${value}`)}
              defaultChecked={(typed?.get(field('wish')) || 'REFUND') === value}
            />
          ))}
        </fieldset>
        <Field
          id="amount"
          name={field('amount')}
          label={t('dispute.part-amount')}
          hint={t('dispute.part-amount-hint')}
          optional={t('contact.optional')}
          inputMode="decimal"
          width="short"
          defaultValue={typed?.get(field('amount')) ?? ''}
        />
        <TextArea
          id="note"
          name={field('note')}
          label={t('dispute.note')}
          hint={t('dispute.note-hint')}
          rows={6}
          maxLength={2_000}
          required
          defaultValue={typed?.get(field('note')) ?? ''}
        />
        <Evidence t={t} typed={typed} />
        <p>
          <Button>{t('dispute.open.send')}</Button>
        </p>
      </form>
    </>
  )
}

/** Photos and documents, and those of an earlier attempt. */
export function Evidence({ t, typed }: { t: ShopContext['t']; typed: FormFields | null }): ReactNode {
  return (
    <>
      {(typed?.all(field('attachment')) ?? []).map((value) => (
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
      />
    </>
  )
}
