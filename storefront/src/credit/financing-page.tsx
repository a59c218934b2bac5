import { financing, isFinanced, scheduleOf } from '@purlin/contract/financing.ts'
import { Button, ButtonLink, Container, Field, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './credit.module.css'
import { moneyOf, percentOf } from './figures.ts'

export function load(context: ShopContext) {
  return { data: askedOf(context), title: context.t('financing.title'), robots: 'noindex' }
}

/** Amount and term of the address; the example's where they are none that is financed. */
export function askedOf({ query }: Pick<ShopContext, 'query'>): { amount: number; months: number } {
  const asked = { amount: Number(query['amount'] ?? 0), months: Number(query['months'] ?? 0) }
  return isFinanced(asked.amount, asked.months) ? asked : { amount: 10_000, months: 24 }
}

/** Financing of larger purchases: for whom, on which conditions, and an example by amount and term. */
export function Page({ data: { amount, months }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { instalments, total, interest, effectiveRate } = scheduleOf(amount * 100, months)
  const bounds = { least: moneyOf(context, financing.least * 100), most: moneyOf(context, financing.most * 100) }
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('financing.title')}</h1>
        <p className={styles.lead}>{t('financing.lead')}</p>
        <section className={styles.part} aria-labelledby="who">
          <h2 id="who">{t('financing.who')}</h2>
          <ul className={styles.points}>
            <li>{t('financing.who.company')}</li>
            <li>{t('financing.who.amount', bounds)}</li>
            <li>{t('financing.who.check')}</li>
          </ul>
        </section>
        <section className={styles.part} aria-labelledby="example">
          <h2 id="example">{t('financing.example')}</h2>
          <form method="get" className={styles.form}>
            <Field
              id="amount"
              name="amount"
              type="number"
              label={t('financing.amount')}
              min={financing.least}
              max={financing.most}
              step={1}
              defaultValue={String(amount)}
            />
            <Select
              id="months"
              name="months"
              label={t('financing.term')}
              options={financing.months.map((each) => ({ value: String(each), label: t('financing.months', { months: each }) }))}
              defaultValue={String(months)}
            />
            <Button look="secondary">{t('financing.compute')}</Button>
          </form>
          <dl className={styles.figures}>
            <div>
              <dt>{t('financing.instalment')}</dt>
              <dd>{moneyOf(context, instalments[0]?.payment ?? 0)}</dd>
            </div>
            <div>
              <dt>{t('financing.total')}</dt>
              <dd>{moneyOf(context, total)}</dd>
            </div>
            <div>
              <dt>{t('financing.interest')}</dt>
              <dd>{moneyOf(context, interest)}</dd>
            </div>
          </dl>
          <p>
            {t('financing.representative', {
              amount: moneyOf(context, amount * 100),
              months,
              instalment: moneyOf(context, instalments[0]?.payment ?? 0),
              rate: percentOf(context, financing.rateBp / 10_000),
              effective: percentOf(context, effectiveRate),
              total: moneyOf(context, total),
            })}
          </p>
          <p className={styles.quiet}>{t('financing.no-offer')}</p>
          <p>
            <ButtonLink href={paths.financingDetails({}, { amount: String(amount), months: String(months) })}>
              {t('financing.details')}
            </ButtonLink>
          </p>
        </section>
      </div>
    </Container>
  )
}
