import { Alert, Button, Field } from '@purlin/ui'
import { credentialsPath, isPasswordFault, type PasswordFault } from '@purlin/contract/credentials.ts'
import { fieldsOf, namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import { providerAccountHref } from '../sign-in/callback.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './account.module.css'
import { credentialsForm } from './settings-form.ts'

const nameOf = namesOf(credentialsForm)

const ofCurrent: readonly PasswordFault[] = ['current-wrong', 'locked', 'no-password']

/** Changes the password. The call leads back here with the reason if it is refused: passwords are not shown again. */
export function CredentialsPart({ email, context: { t, query } }: { email: string; context: ShopContext }): ReactNode {
  const fault = isPasswordFault(query['credentials']) ? query['credentials'] : null
  const minutes = Math.min(60, Math.max(1, Math.trunc(Number(query['minutes'])) || 1))
  const message = fault === null ? '' : t(`credentials.fault.${fault}`, { minutes })
  const isUnavailable = fault === 'unavailable'
  const at = fault !== null && ofCurrent.includes(fault) ? 'currentPassword' : 'newPassword'
  const fields = fault === null || isUnavailable ? [] : [{ field: at, message }]
  const field = fieldsOf(credentialsForm, { typed: undefined, refusal: { fields } })
  return (
    <form method="post" action={credentialsPath} id="credentials" className={`${styles.card} ${styles.form}`}>
      <h2>{t('credentials.title')}</h2>
      <p className={styles.quiet}>{t('credentials.text')}</p>
      {isUnavailable && (
        <Alert severity="danger" announces>
          {message}
        </Alert>
      )}
      <input type="hidden" name={nameOf('do')} value="credentials" />
      {/* Tells password managers whose password this is. */}
      <input
        type="text"
        name={nameOf('username')}
        value={email}
        autoComplete="username"
        readOnly
        hidden
        aria-label={t('credentials.title')}
      />
      <Field {...field('currentPassword')} label={t('credentials.current')} type="password" autoComplete="current-password" />
      <Field
        {...field('newPassword')}
        label={t('credentials.new')}
        hint={t('credentials.hint')}
        type="password"
        autoComplete="new-password"
      />
      <p>
        <Button>{t('credentials.save')}</Button>
      </p>
      <p className={styles.quiet}>{t.rich('credentials.none', { link: (text) => <a href={providerAccountHref('password')}>{text}</a> })}</p>
    </form>
  )
}
