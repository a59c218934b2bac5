import { Alert, Button, ButtonLink, Container, ErrorSummary, Field } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import {
  ChangePayoutAccountDocument,
  SellerPayoutsDocument,
  type RefusalFragment,
  type SellerPayoutsQuery,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './office.module.css'

const accountForm = v.object({
  holder: text(70),
  iban: v.optional(text(50)),
  sortCode: v.optional(text(20)),
  accountNumber: v.optional(text(20)),
})

export async function load(context: ShopContext) {
  const asked = context.query['below']
  const below = typeof asked === 'string' ? asked : null
  const data = await context.client.query(SellerPayoutsDocument, { below }).catch((error: unknown) => {
    const status = error instanceof Error && 'status' in error ? error.status : undefined
    if (status === 401 || status === 403) return null
    throw error
  })
  return { data: { shown: data }, title: context.t('payout.page.title'), robots: 'noindex' }
}

export const action = formAction(accountForm, async ({ client }: ShopContext, input) => {
  const answer = await client.mutate(ChangePayoutAccountDocument, { input })
  const refusal = answer?.changePayoutAccount.refusal
  if (refusal) return refuse(refusal)
  return redirect(303, paths.officePayouts(), { severity: 'success', key: 'flash.payout-account-saved' })
})

/** For the staff of a seller: what it is owed, what was paid, and where to. */
export function Page({ data: { shown }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  if (!shown)
    return (
      <Container narrow>
        <div className={styles.page}>
          <h1>{t('payout.page.title')}</h1>
          <p className={styles.text}>{t('payout.page.forbidden')}</p>
          <p>
            <ButtonLink href={paths.office()}>{t('payout.page.back')}</ButtonLink>
          </p>
        </div>
      </Container>
    )
  const { sellerBalance: balance, sellerPayouts: list } = shown
  return (
    <Container narrow>
      <div className={styles.page}>
        <p className={styles.quiet}>
          <a href={paths.office()}>{t('payout.page.back')}</a>
        </p>
        <h1>{t('payout.page.title')}</h1>
        <p className={styles.text}>{t('payout.page.lead')}</p>
        <dl className={styles.balance}>
          {(['payable', 'pending', 'inTransit'] as const).map((name) => (
            <div key={name}>
              <dt>{t(`payout.page.${name === 'inTransit' ? 'in-transit' : name}`)}</dt>
              <dd>{balance[name].formatted}</dd>
            </div>
          ))}
        </dl>
        {balance.payable.amount < 0 && <Alert severity="info">{t('payout.page.negative')}</Alert>}
        <p className={styles.quiet}>{t('payout.page.minimum', { amount: balance.minimum.formatted })}</p>
        <Account balance={balance} context={context} refusal={refusal} typed={typed} />
        <section aria-labelledby="payouts" className={styles.part}>
          <h2 id="payouts">{t('payout.page.list')}</h2>
          {list.payouts.length === 0 && <p>{t('payout.page.empty')}</p>}
          <ul className={styles.roles}>
            {list.payouts.map((payout) => (
              <li key={payout.id}>
                <PayoutEntry payout={payout} context={context} />
              </li>
            ))}
          </ul>
          {list.next !== null && list.next !== undefined && (
            <p>
              <ButtonLink href={paths.officePayouts({}, { below: list.next })} look="secondary">
                {t('payout.page.older')}
              </ButtonLink>
            </p>
          )}
        </section>
      </div>
    </Container>
  )
}

const stateWords = {
  CARRIED: 'carried',
  REQUESTED: 'requested',
  SENT: 'sent',
  PAID: 'paid',
  FAILED: 'failed',
  RETURNED: 'returned',
} as const
const carryWords = {
  NEGATIVE: 'negative',
  BELOW_MINIMUM: 'below-minimum',
  NO_ACCOUNT: 'no-account',
  ACCOUNT_CHANGED: 'account-changed',
} as const

type Payout = SellerPayoutsQuery['sellerPayouts']['payouts'][number]

function PayoutEntry({ payout, context: { t, formats } }: { payout: Payout; context: ShopContext }): ReactNode {
  const { number, amount, closing, state, carryReason, bankEnd, createdAt, pdfUrl, csvUrl } = payout
  return (
    <>
      <strong className={styles.sum}>
        <span>{t('payout.page.number', { number })}</span>
        <span>{state === 'CARRIED' ? closing.formatted : amount.formatted}</span>
      </strong>
      <span>{t(`payout.state.${stateWords[state]}`)}</span>
      <time className={styles.quiet} dateTime={createdAt}>
        {formats.date(createdAt)}
      </time>
      {carryReason && <span className={styles.quiet}>{t(`payout.carry.${carryWords[carryReason]}`)}</span>}
      {bankEnd && <span className={styles.quiet}>{t('payout.page.to', { end: bankEnd })}</span>}
      <span className={styles.files}>
        {pdfUrl && <a href={pdfUrl}>{t('payout.page.pdf', { number })}</a>}
        {csvUrl && <a href={csvUrl}>{t('payout.page.csv', { number })}</a>}
      </span>
    </>
  )
}

interface AccountProps {
  balance: SellerPayoutsQuery['sellerBalance']
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: PageProps<typeof load, RefusalFragment>['typed']
}

function Account({ balance: { account, mayChangeAccount, takesIban }, context: { t }, refusal, typed }: AccountProps): ReactNode {
  const field = fieldsOf(accountForm, { typed, refusal })
  const labels = {
    holder: t('payout.page.account.holder'),
    iban: t('payout.page.account.iban'),
    sortCode: t('payout.page.account.sort-code'),
    accountNumber: t('payout.page.account.number'),
  }
  const names = takesIban ? (['holder', 'iban'] as const) : (['holder', 'sortCode', 'accountNumber'] as const)
  const errors = names.flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: labels[name], message: error }) }] : []
  })
  return (
    <section aria-labelledby="account" className={styles.part}>
      <h2 id="account">{t('payout.page.account')}</h2>
      <p>{account ? t('payout.page.account.is', account) : t('payout.page.account.none')}</p>
      {account?.usableFrom && <Alert severity="info">{t('payout.page.account.from', { date: account.usableFrom })}</Alert>}
      {!mayChangeAccount && <p className={styles.quiet}>{t('payout.page.account.owner')}</p>}
      {mayChangeAccount && (
        <details open={Boolean(refusal) || !account}>
          <summary>{t('payout.page.account.change')}</summary>
          <form method="post" className={styles.part}>
            <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
            {names.map((name) => (
              <Field key={name} {...field(name)} label={labels[name]} autoComplete="off" spellCheck={false} />
            ))}
            <p className={styles.quiet}>{t('payout.page.account.cooling')}</p>
            <p>
              <Button>{t('payout.page.account.save')}</Button>
            </p>
          </form>
        </details>
      )}
    </section>
  )
}
