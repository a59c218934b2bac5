import { Alert, Button } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import type { VatNumberFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import styles from './account.module.css'
import { taxForm } from './tax-form.ts'

const field = namesOf(taxForm)
const tones = { VALID: styles.done, NOT_VALID: styles.refused, PENDING: styles.waits } as const
const cases = { VALID: 'valid', NOT_VALID: 'invalid', PENDING: 'other' } as const

interface Props {
  vat: VatNumberFragment
  canCheck: boolean
  /** The page looks again by itself while the first answer is under way; not while a form is being corrected. */
  isWaiting: boolean
  context: ShopContext
}

/** The register's result for a VAT number, with its evidence. */
export function VatStatus({ vat, canCheck, isWaiting, context: { t, formats } }: Props): ReactNode {
  const { number, state, isUnanswered, isInReview, checkedAt, nextCheckAt, name, address, consultationNumber } = vat
  const facts = [
    [t('tax.registered-name'), name],
    [t('tax.registered-address'), address],
    [t('tax.checked'), checkedAt && formats.date(checkedAt)],
    [t('tax.consultation'), consultationNumber],
  ] as const
  return (
    <section className={`${styles.card} ${styles.form}`} aria-labelledby="vat">
      {isWaiting && state === 'PENDING' && !isUnanswered && !isInReview && <LookAgain seconds={3} />}
      <div className={styles.head}>
        <h2 id="vat">{t('tax.vat')}</h2>
        <span className={`${styles.state} ${tones[state]}`}>{t('tax.state', { state: cases[state] })}</span>
      </div>
      <p className={styles.total}>{number}</p>
      <p role="status">{t('tax.state.text', { state: isInReview ? 'review' : cases[state] })}</p>
      {isUnanswered && nextCheckAt && <Alert severity="warning">{t('tax.unanswered', { time: formats.dateTime(nextCheckAt) })}</Alert>}
      <dl className={styles.factList}>{facts.map(([label, value]) => value && <Fact key={label} label={label} value={value} />)}</dl>
      {canCheck && (
        <form method="post">
          <Button look="secondary" size="s" name={field('do')} value="check" aria-label={t('tax.again.of', { number })}>
            {t('tax.again')}
          </Button>
        </form>
      )}
    </section>
  )
}

export function Fact({ label, value }: { label: string; value: string }): ReactNode {
  return (
    <div>
      <dt className={styles.quiet}>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
