import { Button, Select } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { ConfirmFirst } from '../account/confirm-first.tsx'
import type { MyCompanyQuery } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { companyForm, memberRoles, roleForm, roleWords } from './company-form.ts'

export type Company = NonNullable<MyCompanyQuery['company']>
type Member = Company['members'][number]

const field = namesOf(companyForm)
const roleField = namesOf(roleForm)

export function Members({ company, context }: { company: Company; context: ShopContext }): ReactNode {
  const { t } = context
  return (
    <section className={styles.part} aria-labelledby="members">
      <h2 id="members" className={styles.heading}>
        {t('company.members')}
      </h2>
      <ul className={styles.cards}>
        {company.members.map((member) => (
          <MemberCard key={member.id} member={member} canManage={company.canManage} context={context} />
        ))}
      </ul>
    </section>
  )
}

function MemberCard({ member, canManage, context: { t } }: { member: Member; canManage: boolean; context: ShopContext }): ReactNode {
  const { id, name, email, role, isYou } = member
  return (
    <li className={styles.card}>
      <p className={styles.marks}>
        <span className={`${styles.state} ${styles.runs}`}>{t('company.roles', { role: roleWords[role] })}</span>
        {isYou && <span className={`${styles.state} ${styles.ended}`}>{t('company.you')}</span>}
      </p>
      <p>
        <strong>{name}</strong>
      </p>
      <p className={styles.quiet}>{email}</p>
      {canManage && (
        <form method="post" className={styles.inline}>
          <input type="hidden" name={field('id')} value={id} />
          <Select
            id={`role-${id}`}
            name={roleField('role')}
            label={t('company.role.of', { name })}
            defaultValue={role}
            options={memberRoles.map((value) => ({ value, label: t('company.roles', { role: roleWords[value] }) }))}
          />
          <Button look="secondary" size="s" name={field('do')} value="role" aria-label={t('company.role.save.of', { name })}>
            {t('company.role.save')}
          </Button>
        </form>
      )}
      {(canManage || isYou) && (
        <ConfirmFirst
          label={t(isYou ? 'company.leave' : 'company.remove')}
          name={isYou ? undefined : t('company.remove.of', { name })}
          text={isYou ? t('company.leave.sure') : t('company.remove.sure', { name })}
        >
          <form method="post">
            <input type="hidden" name={field('id')} value={id} />
            <Button look="danger" size="s" name={field('do')} value={isYou ? 'leave' : 'remove'}>
              {isYou ? t('company.leave.do') : t('company.remove.of', { name })}
            </Button>
          </form>
        </ConfirmFirst>
      )}
    </li>
  )
}
