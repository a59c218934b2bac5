import { financing } from '@purlin/contract/financing.ts'
import { Button, ButtonLink, Container, Field, Select } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './credit.module.css'
import { amountField, exampleOf, percentOf } from './figures.ts'

export async function load(context: ShopContext) {
  return { data: await exampleOf(context), title: context.t('financing.title'), robots: 'noindex' }
}

/** Financing of larger purchases: for whom, on which conditions, and an example by amount and term. */
export function Page({ data, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { amount, months, instalments, total, interest } = data
  const bounds = { least: data.least.formatted, most: data.most.formatted }
  const instalment = instalments[0]?.payment.formatted ?? ''
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
            <Field id="amount" name="amount" inputMode="numeric" label={t('financing.amount')} {...amountField(context, data)} />
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
              <dd>{instalment}</dd>
            </div>
            <div>
              <dt>{t('financing.total')}</dt>
              <dd>{total.formatted}</dd>
            </div>
            <div>
              <dt>{t('financing.interest')}</dt>
              <dd>{interest.formatted}</dd>
            </div>
          </dl>
          <p>
            {t('financing.representative', {
              amount: data.financed.formatted,
              months,
              instalment,
              rate: percentOf(context, data.rate),
              effective: percentOf(context, data.effectiveRate),
              total: total.formatted,
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
