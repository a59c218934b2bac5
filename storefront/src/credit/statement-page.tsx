import { Alert, ButtonLink, Table, type Column } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import account from '../account/account.module.css'
import { InvoiceStatementDocument, type InvoiceStatementQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { claimState } from './claim-table.tsx'
import styles from './credit.module.css'

export async function load(context: ShopContext) {
  const { id = '' } = context.params
  const { statement } = await context.client.query(InvoiceStatementDocument, { id })
  if (!statement) return notFound()
  return { data: { statement }, title: context.t('statement.name', { number: statement.number }), robots: 'noindex' }
}

type Statement = NonNullable<InvoiceStatementQuery['statement']>

/** A monthly statement: what is to pay, to which account, and the invoices it lists. */
export function Page({ data: { statement }, context }: PageProps<typeof load>): ReactNode {
  const { t, formats } = context
  const { number, month, dueOn, open, companyName, pdfUrl, debit } = statement
  return (
    <AccountFrame context={context} here="proServicesInvoices" title={t('statement.name', { number })}>
      <p className={account.quiet}>{t('statement.of-company', { company: companyName })}</p>
      <dl className={styles.figures}>
        <div>
          <dt>{t('statement.open-now')}</dt>
          <dd>{open.formatted}</dd>
        </div>
        <div>
          <dt>{t('statement.due')}</dt>
          <dd>{formats.date(dueOn)}</dd>
        </div>
        <div>
          <dt>{t('statement.month')}</dt>
          <dd>{formats.month(month)}</dd>
        </div>
      </dl>
      {statement.state === 'LATE' && <Alert severity="warning">{claimState(statement, context)}</Alert>}
      {debit && <Collection debit={debit} number={number} context={context} />}
      {(!debit || (open.amount > 0 && hasFailed(debit))) && <Account payee={statement.payee} context={context} />}
      <Lines statement={statement} context={context} />
      <p className={styles.quiet}>{t('statement.no-invoice')}</p>
      <p className={account.actions}>
        <ButtonLink href={pdfUrl} aria-label={t('statement.download.of', { number })}>
          {t('statement.download')}
        </ButtonLink>
        <ButtonLink href={paths.proServicesInvoices()} look="secondary">
          {t('statement.back')}
        </ButtonLink>
      </p>
    </AccountFrame>
  )
}

type Debit = NonNullable<Statement['debit']>

const hasFailed = ({ state }: Debit): boolean => state === 'RETURNED' || state === 'DROPPED'
const debitReasons = {
  FUNDS: 'funds',
  ACCOUNT: 'account',
  MANDATE: 'mandate',
  REFUNDED: 'refunded',
  ENDED: 'ended',
  NOTHING: 'nothing',
  OTHER: 'other',
} as const
const steps = { ANNOUNCED: 'announced', SUBMITTED: 'submitted', SETTLED: 'settled' } as const

/** The collection of the statement by direct debit, or the reason it is to be transferred after all. */
function Collection({ debit, number, context: { t } }: { debit: Debit; number: string; context: ShopContext }): ReactNode {
  const { state, amount, collectOn, reference, reason, ibanEnd } = debit
  if (state === 'RETURNED' || state === 'DROPPED')
    return (
      <Alert severity={reason === 'NOTHING' ? 'info' : 'warning'}>
        {t('mandate.reason', { reason: debitReasons[reason ?? 'OTHER'], number })}
      </Alert>
    )
  const facts = { amount: amount.formatted, end: ibanEnd }
  const step = steps[state]
  return (
    <section className={styles.part} aria-labelledby="debit">
      <h2 id="debit">{t('mandate.title')}</h2>
      <p>{step === 'announced' ? t('mandate.debit.announced', { ...facts, day: collectOn }) : t(`mandate.debit.${step}`, facts)}</p>
      <p className={styles.quiet}>{t('mandate.reference', { reference })}</p>
    </section>
  )
}

function Account({ payee, context: { t } }: { payee: Statement['payee']; context: ShopContext }): ReactNode {
  const { holder, iban, bic, sortCode, account: number, remittance } = payee
  return (
    <section className={styles.part} aria-labelledby="payee">
      <h2 id="payee">{t('statement.payee')}</h2>
      <ul>
        <li>{holder}</li>
        {sortCode !== null && number !== null && (
          <li>
            {t('statement.sort-code', { code: sortCode })} · {t('statement.account', { number })}
          </li>
        )}
        <li>{t('statement.iban', { iban })}</li>
        <li>{t('statement.bic', { bic })}</li>
        <li>
          <strong>{t('statement.remittance', { text: remittance })}</strong>
        </li>
      </ul>
    </section>
  )
}

function Lines({ statement, context }: { statement: Statement; context: ShopContext }): ReactNode {
  const { t, formats } = context
  const columns: Column<Line>[] = [
    { key: 'number', label: t('statement.column.invoice'), isHead: true, cell: ({ number }) => number },
    { key: 'date', label: t('statement.column.date'), cell: ({ date }) => date },
    { key: 'seller', label: t('statement.column.seller'), cell: ({ seller }) => seller },
    { key: 'state', label: t('statement.column.state'), cell: ({ state }) => state },
    { key: 'amount', label: t('statement.column.amount'), align: 'end', cell: ({ amount }) => amount },
    { key: 'open', label: t('statement.column.open'), align: 'end', cell: ({ open }) => open },
  ]
  const rows = statement.lines.map((line): Line => {
    const { id, number, customerOrderId, issuedOn, sellerName, purchaseOrder, amount, open } = line
    return {
      id,
      number: <a href={paths.proServicesInvoices({ customerOrderId })}>{number}</a>,
      date: formats.date(issuedOn),
      seller: purchaseOrder === null ? sellerName : t('statement.seller', { seller: sellerName, number: purchaseOrder }),
      state: claimState(line, context),
      amount: amount.formatted,
      open: open.formatted,
    }
  })
  const sums = { amount: statement.sum.formatted, open: statement.open.formatted }
  const sum: Line = { id: 'sum', number: t('statement.sum'), date: null, seller: null, state: null, ...sums }
  const caption = t('statement.name', { number: statement.number })
  return <Table caption={caption} quietCaption columns={columns} rows={rows} foot={sum} keyOf={({ id }) => id} />
}

interface Line {
  id: string
  number: ReactNode
  date: string | null
  seller: string | null
  state: string | null
  amount: string
  open: string
}
