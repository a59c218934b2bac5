import { Alert, Button, Check, ErrorSummary, Field } from '@purlin/ui'
import { fieldsOf, formAction, namesOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import account from '../account/account.module.css'
import { GiveMandateDocument, RevokeMandateDocument, type DirectDebitQuery, type RefusalFragment } from '../generated/documents.ts'
import { forOtherRoles } from '../errors/for-other-roles.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import { giveForm, mandateForm, revokeForm } from './direct-debit-form.ts'
import { directDebitOf } from './direct-debit.ts'

type DirectDebit = NonNullable<DirectDebitQuery['directDebit']>
type Mandate = NonNullable<DirectDebit['mandate']>

export async function load(context: ShopContext) {
  const debit = await directDebitOf(context)
  // A company's buyers have none of their own.
  if (!debit) return notFound((await isBuyer(context)) ? forOtherRoles : undefined)
  return { data: { debit }, title: context.t('mandate.title'), robots: 'noindex' }
}

async function isBuyer(context: ShopContext): Promise<boolean> {
  const principal = await context.principal()
  return principal.kind === 'member' && principal.role === 'buyer'
}

export const action = formAction(mandateForm, async ({ client }: ShopContext, input) => {
  if (input.do === 'revoke') {
    const isRevoked = (await client.mutate(RevokeMandateDocument))?.revokeMandate.isRevoked
    return redirect(303, paths.directDebit(), isRevoked ? { severity: 'success', key: 'flash.mandate-revoked' } : undefined)
  }
  const { holder, iban, isAgreed } = input
  const refusal = (await client.mutate(GiveMandateDocument, { input: { holder, iban, isAgreed: isAgreed === 'yes' } }))?.giveMandate.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.directDebit(), { severity: 'success', key: 'flash.mandate-given' })
})

/** The mandate by which a company's statements are collected: given, shown and revoked. */
export function Page({ data: { debit }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { mandate, isOffered, canChange } = debit
  const isOpen = mandate !== null && mandate.state !== 'ENDED'
  return (
    <AccountFrame context={context} here="companySettings" title={t('mandate.title')}>
      <p>{t('mandate.lead', { days: debit.noticeDays })}</p>
      {mandate && <Given mandate={mandate} debit={debit} context={context} />}
      {isOpen ? null : !isOffered ? (
        <p>{t.rich('mandate.not-offered', { company: (words) => <a href={paths.companySettings()}>{words}</a> })}</p>
      ) : canChange ? (
        <GiveForm debit={debit} context={context} refusal={refusal} typed={typed} />
      ) : (
        <p className={account.quiet}>{t('mandate.admin')}</p>
      )}
    </AccountFrame>
  )
}

const states = { PENDING: 'pending', ACTIVE: 'active', ENDED: 'other' } as const
const looks = { PENDING: account.waits, ACTIVE: account.done, ENDED: account.ended } as const
const ends = { REVOKED: 'revoked', REJECTED: 'rejected', BANK: 'other' } as const
const revokeName = namesOf(revokeForm)

function Given({ mandate, debit, context: { t } }: { mandate: Mandate; debit: DirectDebit; context: ShopContext }): ReactNode {
  const { state, reference, holder, ibanEnd, signedAt, endedAt, endedBy } = mandate
  return (
    <section className={account.card} aria-labelledby="mandate">
      <h2 id="mandate" className={account.heading}>
        {t('mandate.reference', { reference })}
      </h2>
      <p className={account.marks}>
        <span className={`${account.state} ${looks[state]}`}>{t('mandate.state', { state: states[state] })}</span>
      </p>
      {state === 'PENDING' && (
        <div role="status">
          <LookAgain seconds={3} />
          <p>{t('mandate.pending')}</p>
        </div>
      )}
      {endedBy && <p>{t('mandate.end', { cause: ends[endedBy] })}</p>}
      <p>{t('mandate.account', { holder, end: ibanEnd })}</p>
      <ul className={account.quiet}>
        <li>{t('mandate.creditor', { creditor: debit.creditorName })}</li>
        <li>{t('mandate.creditor-id', { identifier: debit.creditorId })}</li>
        <li>{t('mandate.signed', { at: signedAt })}</li>
        {endedAt && <li>{t('mandate.ended', { at: endedAt })}</li>}
      </ul>
      {state !== 'ENDED' &&
        (debit.canChange ? (
          <form method="post">
            <p className={account.quiet}>{t('mandate.revoke.text')}</p>
            <Button look="secondary" name={revokeName('do')} value="revoke">
              {t('mandate.revoke')}
            </Button>
          </form>
        ) : (
          <p className={account.quiet}>{t('mandate.admin')}</p>
        ))}
    </section>
  )
}

interface FormProps {
  debit: DirectDebit
  context: ShopContext
  refusal: RefusalFragment | undefined
  typed: FormFields | undefined
}

function GiveForm({ debit, context: { t }, refusal, typed }: FormProps): ReactNode {
  const field = fieldsOf(giveForm, { typed, refusal })
  const labels = { holder: t('mandate.holder'), iban: t('mandate.iban'), isAgreed: t('mandate.words') }
  const errors = (['holder', 'iban', 'isAgreed'] as const).flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: labels[name], message: error }) }] : []
  })
  const { error, id, name } = field('isAgreed')
  return (
    <form method="post" className={`${account.card} ${account.form}`} aria-labelledby="give">
      <h2 id="give" className={account.heading}>
        {t('mandate.new')}
      </h2>
      {refusal && refusal.fields.length === 0 && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
      <Field {...field('holder')} label={labels.holder} autoComplete="organization" />
      <Field {...field('iban')} label={labels.iban} hint={t('mandate.iban-hint')} autoComplete="off" spellCheck={false} />
      <section className={account.part} aria-labelledby="words">
        <h3 id="words">{labels.isAgreed}</h3>
        <p>{t('mandate.text', { creditor: debit.creditorName, creditorId: debit.creditorId, days: debit.noticeDays })}</p>
        <p>{t('mandate.rights')}</p>
      </section>
      <Check id={id} name={name} value="yes" error={error} label={t('mandate.agree')} required />
      <p className={account.quiet}>{t('mandate.later')}</p>
      <Button name={field('do').name} value="give">
        {t('mandate.submit')}
      </Button>
    </form>
  )
}
