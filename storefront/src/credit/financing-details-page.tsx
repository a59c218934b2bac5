import { financing } from '@purlin/contract/financing.ts'
import { Alert, Button, Container, ErrorSummary, Field, Select, Table, TextArea, type Column } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { lines, text, wholeNumber } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { BackToAccount } from '../account/account-frame.tsx'
import { RequestFinancingDocument, type FinancingInstalmentFragment, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './credit.module.css'
import { amountField, exampleOf } from './figures.ts'

export const financingForm = v.object({
  amount: wholeNumber({ least: financing.least, most: financing.most }),
  months: wholeNumber({ least: 1, most: 60 }),
  purpose: lines(2000),
  phone: text(31),
})

export async function load(context: ShopContext) {
  const requested = /^\d{1,12}$/.exec(String(context.query['requested'] ?? ''))?.[0] ?? null
  return { data: { ...(await exampleOf(context)), requested }, title: context.t('financing.details.title'), robots: 'noindex' }
}

export const action = formAction(financingForm, async ({ client }: ShopContext, input) => {
  const sent = (await client.mutate(RequestFinancingDocument, { input }))?.requestFinancing
  if (sent?.refusal) return refuse(sent.refusal)
  return redirect(303, paths.financingDetails({}, { requested: sent?.number ?? '' }))
})

/** The whole schedule of an example, and the request for an offer. */
export function Page({ data, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { amount, months, requested } = data
  const columns: Column<FinancingInstalmentFragment>[] = [
    { key: 'number', label: t('financing.column.month'), isHead: true, cell: ({ number }) => number },
    { key: 'payment', label: t('financing.instalment'), align: 'end', cell: ({ payment }) => payment.formatted },
    { key: 'interest', label: t('financing.interest'), align: 'end', cell: ({ interest }) => interest.formatted },
    { key: 'left', label: t('financing.column.left'), align: 'end', cell: ({ left }) => left.formatted },
  ]
  return (
    <Container narrow>
      <div className={styles.page}>
        <BackToAccount to={paths.financing()} label={t('financing.title')} />
        <h1>{t('financing.details.title')}</h1>
        {requested !== null && (
          <Alert severity="success" title={t('financing.sent', { number: requested })} announces>
            <p>{t('financing.sent.text')}</p>
          </Alert>
        )}
        <section className={styles.part} aria-labelledby="ask">
          <h2 id="ask">{t('financing.ask')}</h2>
          <p>{t('financing.ask.text')}</p>
          <RequestForm data={data} context={context} refusal={refusal} typed={typed} />
        </section>
        <section className={styles.part} aria-labelledby="schedule">
          <h2 id="schedule">{t('financing.schedule', { amount: data.financed.formatted, months })}</h2>
          <Table
            caption={t('financing.example')}
            quietCaption
            columns={columns}
            rows={data.instalments}
            keyOf={({ number }) => String(number)}
          />
          <p className={styles.quiet}>{t('financing.no-offer')}</p>
          <p>
            <a href={paths.financing({}, { amount: String(amount), months: String(months) })}>{t('financing.other')}</a>
          </p>
        </section>
      </div>
    </Container>
  )
}

type FormProps = Pick<PageProps<typeof load, RefusalFragment>, 'data' | 'context' | 'refusal' | 'typed'>

/** The request: filled in with the example of the address. */
function RequestForm({ data, context, refusal, typed }: FormProps): ReactNode {
  const { t } = context
  const { before, ...amount } = amountField(context, data)
  const field = fieldsOf(financingForm, {
    typed,
    refusal,
    known: (name) => (name === 'amount' ? amount.defaultValue : name === 'months' ? String(data.months) : ''),
  })
  const labels = {
    amount: t('financing.amount'),
    months: t('financing.term'),
    purpose: t('financing.purpose'),
    phone: t('financing.phone'),
  }
  const errors = (['amount', 'months', 'purpose', 'phone'] as const).flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: labels[name], message: error }) }] : []
  })
  const term = field('months')
  return (
    <form method="post" className={styles.form}>
      {refusal && errors.length === 0 && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <ErrorSummary title={t('form.check')} errors={errors} />
      <Field {...field('amount')} {...(!typed && amount)} before={before} label={labels.amount} inputMode="numeric" autoComplete="off" />
      <Select
        id="months"
        name={term.name}
        error={term.error}
        label={labels.months}
        options={financing.months.map((each) => ({ value: String(each), label: t('financing.months', { months: each }) }))}
        defaultValue={term.defaultValue}
      />
      <TextArea {...field('purpose')} label={labels.purpose} />
      <Field {...field('phone')} type="tel" label={labels.phone} autoComplete="tel" />
      <Button>{t('financing.send')}</Button>
    </form>
  )
}
