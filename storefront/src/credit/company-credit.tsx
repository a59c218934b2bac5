import { Button } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import account from '../account/account.module.css'
import { payMonthlyForm } from '../company/company-form.ts'
import { Setting } from '../company/setting.tsx'
import type { DirectDebitQuery, MyCreditQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'
import styles from './credit.module.css'

const payField = namesOf(payMonthlyForm)

type Credit = NonNullable<MyCreditQuery['myCredit']>
type DirectDebit = NonNullable<DirectDebitQuery['directDebit']>

/** The limit of a company's payment by invoice, and the part of it in use. */
export function CreditFigures({ credit: { limit, used, available }, context: { t } }: { credit: Credit; context: ShopContext }): ReactNode {
  if (!limit || !available) return null
  return (
    <dl className={styles.figures}>
      <div>
        <dt>{t('credit.limit.available')}</dt>
        <dd>{available.formatted}</dd>
      </div>
      <div>
        <dt>{t('credit.limit.used')}</dt>
        <dd>{used.formatted}</dd>
      </div>
      <div>
        <dt>{t('credit.limit.whole')}</dt>
        <dd>{limit.formatted}</dd>
      </div>
    </dl>
  )
}

/** How the statements are paid, with the page that changes it. */
function WayOfPayment({ debit: { mandate, canChange }, context: { t } }: { debit: DirectDebit; context: ShopContext }): ReactNode {
  const isCollected = mandate?.state === 'ACTIVE'
  return (
    <>
      <p>{isCollected ? t('mandate.by-debit', { end: mandate.ibanEnd }) : t('mandate.by-transfer')}</p>
      {(mandate || canChange) && (
        <p>
          <a href={paths.directDebit()}>{t(mandate ? 'mandate.manage' : 'mandate.set-up')}</a>
        </p>
      )}
    </>
  )
}

/** Payment by invoice on the page of the company: the limit, and whether it pays once a month. Nothing where it is not offered. */
export function CompanyCredit({
  credit,
  debit,
  context,
}: {
  credit: Credit | null
  debit: DirectDebit | null
  context: ShopContext
}): ReactNode {
  const { t } = context
  if (!credit || credit.reason !== null) return null
  const { isCollective, canChooseStatements } = credit
  return (
    <section className={account.part} aria-labelledby="credit">
      <h2 id="credit" className={account.heading}>
        {t('credit.pay.title')}
      </h2>
      {credit.limit ? (
        <CreditFigures credit={credit} context={context} />
      ) : (
        <p className={account.quiet}>
          {t.rich(credit.claims.length > 0 ? 'statement.unknown-limit.later' : 'statement.unknown-limit', {
            more: (text) => <a href={paths.billie()}>{text}</a>,
          })}
        </p>
      )}
      <Setting title={t('statement.choice')} state={t(isCollective ? 'statement.choice.monthly' : 'statement.choice.each')}>
        {canChooseStatements ? (
          <form method="post">
            <input type="hidden" name={payField('do')} value={isCollective ? 'pay-each' : 'pay-monthly'} />
            <Button look="secondary">{t(isCollective ? 'statement.choice.to-each' : 'statement.choice.to-monthly')}</Button>
          </form>
        ) : (
          <p className={account.quiet}>{t('statement.choice.admin')}</p>
        )}
        {debit && (debit.isOffered || debit.mandate?.state === 'ACTIVE') && <WayOfPayment debit={debit} context={context} />}
      </Setting>
    </section>
  )
}
