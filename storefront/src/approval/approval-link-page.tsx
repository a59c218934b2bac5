import { Alert, Container } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { ApprovalByTokenDocument, DecideApprovalByTokenDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { decisionForm, decisionInput } from './approval-form.ts'
import { ApprovalView, DecisionForm } from './approval-view.tsx'

export async function load(context: ShopContext) {
  const { approval } = await context.client.query(ApprovalByTokenDocument, { token: context.params['token'] ?? '' })
  if (!approval) return notFound()
  return { data: { approval }, title: context.t('approval.title'), robots: 'noindex' }
}

export const action = formAction(decisionForm, async ({ client, params }: ShopContext, input) => {
  const token = params['token'] ?? ''
  const refusal = (await client.mutate(DecideApprovalByTokenDocument, { token, decision: decisionInput(input) }))?.result.refusal
  if (refusal) return refuse(refusal, 409)
  return redirect(303, paths.approvalLink({ token }), { severity: 'success', key: 'flash.approval-decided' })
})

/** The link of the mail to an approver, who decides without signing in. */
export function Page({ data: { approval }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  return (
    <Container narrow>
      <div className={styles.alone}>
        <h1>{t('approval.title')}</h1>
        {refusal && (
          <Alert severity="danger" announces>
            {refusal.message}
          </Alert>
        )}
        <ApprovalView approval={approval} context={context} />
        {approval.canDecide ? (
          <DecisionForm approval={approval} context={context} refusal={refusal} typed={typed} />
        ) : (
          approval.state === 'PENDING' && (
            <p className={styles.quiet}>{t(approval.isYours ? 'approval.refusal.own-request' : 'approval.not-yours')}</p>
          )
        )}
      </div>
    </Container>
  )
}
