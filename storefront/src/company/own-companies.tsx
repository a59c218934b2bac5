import { Button } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import type { CompanyMembershipFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { companyForm, roleWords } from './company-form.ts'

interface Props {
  companies: readonly CompanyMembershipFragment[]
  context: ShopContext
}

const field = namesOf(companyForm)

/** For members of several companies: the one they act for, and the way to the others. */
export function OwnCompanies({ companies, context: { t } }: Props): ReactNode {
  const current = companies.find(({ isCurrent }) => isCurrent)
  if (!current || companies.length < 2) return null
  return (
    <section className={styles.part} aria-labelledby="companies">
      <h2 id="companies" className={styles.heading}>
        {t('company.acting.title')}
      </h2>
      <p>{t('company.acting.text', { company: current.name })}</p>
      <ul className={styles.cards}>
        {companies.map(({ id, name, role, isCurrent }) => (
          <li key={id} className={styles.card}>
            <p className={styles.marks}>
              <span className={`${styles.state} ${styles.runs}`}>{t('company.roles', { role: roleWords[role] })}</span>
              {isCurrent && <span className={`${styles.state} ${styles.ended}`}>{t('company.acting.current')}</span>}
            </p>
            <p>
              <strong>{name}</strong>
            </p>
            {!isCurrent && (
              <form method="post">
                <input type="hidden" name={field('id')} value={id} />
                <Button look="secondary" size="s" name={field('do')} value="switch">
                  {t('company.acting.do', { company: name })}
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
