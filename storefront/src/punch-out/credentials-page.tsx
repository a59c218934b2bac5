import { Alert, Button, Field, Select } from '@purlin/ui'
import { fieldsOf, formAction, selectOf } from '@purlin/web/form-action.ts'
import type { FormFields } from '@purlin/web/form.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import { RevokeForm } from '../company/revoke-form.tsx'
import {
  CreatePunchOutCredentialDocument,
  PunchOutCredentialsDocument,
  RevokePunchOutCredentialDocument,
  type PunchOutCredentialsQuery,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { FormRefusal } from '../shell/form-refusal.tsx'
import { createForm, credentialsForm, protocols } from './punch-out-form.ts'

type Company = NonNullable<PunchOutCredentialsQuery['company']>

export async function load(context: ShopContext) {
  const { company } = await context.client.query(PunchOutCredentialsDocument)
  if (!company) return notFound()
  return { data: { company }, title: context.t('punch-out.title'), robots: 'noindex' }
}

/** A refusal, or the secret, which is in this answer alone. */
interface Shown extends RefusalFragment {
  made?: { identity: string; secret: string; protocol: (typeof protocols)[number] }
}

export const action = formAction(credentialsForm, async ({ client }: ShopContext, input) => {
  if (input.do === 'revoke') {
    const refusal = (await client.mutate(RevokePunchOutCredentialDocument, { id: input.id }))?.result.refusal
    if (refusal) return refuse<Shown>(refusal)
    return redirect(303, paths.companyPunchOut(), { severity: 'success', key: 'flash.punch-out-revoked' })
  }
  const { do: _, ...asked } = input
  const result = (await client.mutate(CreatePunchOutCredentialDocument, { input: asked }))?.result
  const { identity, secret, refusal } = result ?? {}
  if (refusal) return refuse<Shown>(refusal)
  if (!identity || !secret) return redirect(303, paths.companyPunchOut())
  return refuse<Shown>({ reason: '', message: '', fields: [], made: { identity, secret, protocol: input.protocol } }, 200)
})

/** Credentials of the company's purchasing systems, made and revoked by its administrators. */
export function Page({ data: { company }, context, refusal, typed }: PageProps<typeof load, Shown>): ReactNode {
  const { t } = context
  const made = refusal?.made
  const isCreate = typed?.get('do') === 'create'
  return (
    <AccountFrame context={context} here="companySettings" title={t('punch-out.title')}>
      {made && <NewSecret made={made} company={company} context={context} />}
      {refusal && !made && !isCreate && (
        <Alert severity="danger" announces>
          {refusal.message}
        </Alert>
      )}
      <p>{t('punch-out.lead')}</p>
      <Credentials company={company} context={context} />
      <CreateForm company={company} context={context} {...(isCreate && refusal && !made && { refusal, typed })} />
      <p className={styles.quiet}>{t('punch-out.help')}</p>
    </AccountFrame>
  )
}

function addressOf({ origin }: Company, protocol: (typeof protocols)[number]): string {
  return `${origin}/api/v1/punch-out/${protocol === 'OCI' ? 'oci' : 'cxml'}`
}

function NewSecret({
  made,
  company,
  context: { t },
}: {
  made: NonNullable<Shown['made']>
  company: Company
  context: ShopContext
}): ReactNode {
  const isOci = made.protocol === 'OCI'
  const facts = [
    [t('punch-out.address'), addressOf(company, made.protocol)],
    [t(isOci ? 'punch-out.user' : 'punch-out.identity'), made.identity],
    [t(isOci ? 'punch-out.secret' : 'punch-out.shared-secret'), made.secret],
  ]
  return (
    <Alert severity="success" title={t('punch-out.new.done')} announces>
      <dl className={styles.factList}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Alert>
  )
}

function Credentials({ company, context: { t } }: { company: Company; context: ShopContext }): ReactNode {
  if (company.credentials.length === 0) return <p className={styles.quiet}>{t('punch-out.none')}</p>
  return (
    <section className={styles.part} aria-labelledby="credentials">
      <h2 id="credentials" className={styles.heading}>
        {t('punch-out.list')}
      </h2>
      <ul className={styles.cards}>
        {company.credentials.map(({ id, name, protocol, market, identity, memberName, lastUsedAt, revokedAt, isUsable }) => (
          <li key={id} className={styles.card}>
            <p className={styles.marks}>
              <span className={`${styles.state} ${isUsable ? styles.runs : styles.ended}`}>
                {t(revokedAt ? 'punch-out.revoked' : isUsable ? 'punch-out.usable' : 'punch-out.unusable')}
              </span>
            </p>
            <p>
              <strong>{name}</strong>
            </p>
            <p className={styles.quiet}>
              {t(protocol === 'OCI' ? 'punch-out.protocol.oci' : 'punch-out.protocol.cxml')} · {market} · <code>{identity}</code>
            </p>
            {memberName && <p className={styles.quiet}>{t('punch-out.for-member', { name: memberName })}</p>}
            <p className={styles.quiet}>{lastUsedAt ? t('punch-out.last-used', { at: lastUsedAt }) : t('punch-out.never-used')}</p>
            {!revokedAt && <RevokeForm id={id} label={t('punch-out.revoke')} name={t('punch-out.revoke.of', { name })} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CreateProps {
  company: Company
  context: ShopContext
  refusal?: RefusalFragment
  typed?: FormFields | undefined
}

function CreateForm({ company, context: { t }, refusal, typed }: CreateProps): ReactNode {
  const field = fieldsOf(createForm, { typed, refusal, known: () => '' })
  return (
    <form method="post" className={styles.form} aria-labelledby="new-credential" noValidate>
      <h2 id="new-credential" className={styles.heading}>
        {t('punch-out.new')}
      </h2>
      <FormRefusal refusal={refusal} />
      <Field {...field('name')} label={t('punch-out.name')} hint={t('punch-out.name.hint')} autoComplete="off" />
      <Select
        {...selectOf(field('protocol'))}
        label={t('punch-out.protocol')}
        options={protocols.map((value) => ({
          value,
          label: t(value === 'OCI' ? 'punch-out.protocol.oci' : 'punch-out.protocol.cxml'),
        }))}
      />
      <Select
        {...selectOf(field('memberId'))}
        label={t('punch-out.member')}
        options={company.members.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Button name={field('do').name} value="create">
        {t('punch-out.create')}
      </Button>
    </form>
  )
}
