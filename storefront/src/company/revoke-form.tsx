import { Button } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { revokeForm } from './company-form.ts'

const field = namesOf(revokeForm)

interface Props {
  id: string
  label: string
  /** The accessible name, which says what is revoked. */
  name: string
}

/** The button that revokes one entry of a list, such as an invitation or a credential. */
export function RevokeForm({ id, label, name }: Props): ReactNode {
  return (
    <form method="post" className={styles.cardActions}>
      <input type="hidden" name={field('id')} value={id} />
      <Button look="quiet" size="s" name={field('do')} value="revoke" aria-label={name}>
        {label}
      </Button>
    </form>
  )
}
