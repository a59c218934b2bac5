import { Alert } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import {
  ChangeMemberRoleDocument,
  ChooseStatementsDocument,
  InviteMemberDocument,
  MyCompanyDocument,
  MyCreditDocument,
  RemoveMemberDocument,
  RevokeInvitationDocument,
  SwitchCompanyDocument,
  type RefusalFragment,
} from '../generated/documents.ts'
import { CompanyCredit } from '../credit/company-credit.tsx'
import { directDebitOf } from '../credit/direct-debit.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { companyForm } from './company-form.ts'
import { CompanyReview } from './company-review.tsx'
import { InvitePart, OpenInvitations } from './invitations.tsx'
import { Members } from './members.tsx'
import { OwnCompanies } from './own-companies.tsx'

export async function load(context: ShopContext) {
  const [{ company, companies }, { myCredit: credit }, debit] = await Promise.all([
    context.client.query(MyCompanyDocument),
    context.client.query(MyCreditDocument),
    directDebitOf(context),
  ])
  if (!company) return notFound()
  return { data: { company, companies, credit, debit }, title: company.name, robots: 'noindex' }
}

const said = {
  invite: 'member-invited',
  role: 'member-changed',
  remove: 'member-removed',
  revoke: 'invitation-revoked',
  leave: 'company-left',
  switch: 'company-switched',
  'pay-monthly': 'statements-chosen',
  'pay-each': 'statements-chosen',
} as const

export const action = formAction(companyForm, async ({ client }: ShopContext, input) => {
  if (input.do === 'pay-monthly' || input.do === 'pay-each') {
    const sent = await client.mutate(ChooseStatementsDocument, { isOn: input.do === 'pay-monthly' })
    const isDone = sent?.chooseStatements.isChosen === true
    return redirect(303, paths.companySettings(), isDone ? { severity: 'success', key: `flash.${said[input.do]}` } : undefined)
  }
  const sent = async () => {
    switch (input.do) {
      case 'invite':
        return client.mutate(InviteMemberDocument, { email: input.email, role: input.role })
      case 'role':
        return client.mutate(ChangeMemberRoleDocument, { id: input.id, role: input.role })
      case 'revoke':
        return client.mutate(RevokeInvitationDocument, { id: input.id })
      case 'switch':
        return client.mutate(SwitchCompanyDocument, { id: input.id })
      case 'remove':
      case 'leave':
        return client.mutate(RemoveMemberDocument, { id: input.id })
    }
  }
  const refusal = (await sent())?.result.refusal
  if (refusal) return refuse(refusal)
  const flash = { severity: 'success', key: `flash.${said[input.do]}` } as const
  return redirect(303, input.do === 'leave' ? paths.customerArea() : paths.companySettings(), flash)
})

/** The company of a member: colleagues with their roles; for admins, what changes them. */
export function Page({
  data: { company, companies, credit, debit },
  context,
  refusal,
  typed,
}: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const isInvite = typed?.get('do') === 'invite'
  return (
    <AccountFrame context={context} here="companySettings" title={company.name}>
      {refusal && !isInvite && (
        <Alert severity="danger" announces takesFocus>
          {refusal.message}
        </Alert>
      )}
      {company.review && <CompanyReview review={company.review} company={company.name} context={context} />}
      <OwnCompanies companies={companies} context={context} />
      <p className={styles.quiet}>{t('company.roles.text')}</p>
      <Members company={company} context={context} />
      <CompanyCredit credit={credit} debit={debit} context={context} />
      {company.canManage && (
        <>
          <p>
            <a href={paths.companyPunchOut()}>{t('punch-out.text')}</a>
          </p>
          <OpenInvitations invitations={company.invitations} context={context} />
          <InvitePart context={context} refusal={isInvite ? refusal : undefined} typed={isInvite ? typed : undefined} />
        </>
      )}
    </AccountFrame>
  )
}
