import { Button, Field, Select } from '@purlin/ui'
import { fieldsOf, namesOf, selectOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import type { RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { inviteForm, memberRoles, roleWords } from './company-form.ts'
import type { Company } from './members.tsx'
import { RevokeForm } from './revoke-form.tsx'

const invited = namesOf(inviteForm)

export function OpenInvitations({
  invitations,
  context: { t, formats },
}: {
  invitations: Company['invitations']
  context: ShopContext
}): ReactNode {
  if (invitations.length === 0) return null
  return (
    <section className={styles.part} aria-labelledby="invitations">
      <h2 id="invitations" className={styles.heading}>
        {t('company.invitations')}
      </h2>
      <ul className={styles.cards}>
        {invitations.map(({ id, email, role, expiresAt, isOpen }) => (
          <li key={id} className={styles.card}>
            <p>
              <strong>{email}</strong>
            </p>
            <p className={styles.quiet}>
              {isOpen
                ? t('company.invitations.until', { role: roleWords[role], date: formats.date(expiresAt) })
                : t('company.invitations.expired')}
            </p>
            <RevokeForm id={id} label={t('company.revoke')} name={t('company.revoke.of', { email })} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface InviteProps {
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

export function InvitePart({ context: { t }, refusal, typed }: InviteProps): ReactNode {
  const field = fieldsOf(inviteForm, { typed, refusal, known: (name) => (name === 'role' ? 'BUYER' : '') })
  return (
    <form method="post" className={`${styles.card} ${styles.form}`}>
      <h2>{t('company.invite')}</h2>
      <p className={styles.quiet}>{t('company.invite.text')}</p>
      <FormRefusal refusal={refusal} />
      <input type="hidden" name={invited('do')} value="invite" />
      <Field {...field('email')} label={t('company.email')} type="email" inputMode="email" autoComplete="off" />
      <Select
        {...selectOf(field('role'))}
        label={t('company.role')}
        options={memberRoles.map((value) => ({ value, label: t('company.roles', { role: roleWords[value] }) }))}
      />
      <p>
        <Button>{t('company.invite.do')}</Button>
      </p>
    </form>
  )
}
