import { Alert, Button, ButtonLink, Container } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import styles from '../account/account.module.css'
import { AcceptInvitationDocument, CompanyInvitationDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { roleWords } from './company-form.ts'

export async function load(context: ShopContext) {
  const { token = '' } = context.params
  const [{ invitation }, principal] = await Promise.all([context.client.query(CompanyInvitationDocument, { token }), context.principal()])
  if (!invitation) return notFound()
  const isGuest = principal.kind === 'guest'
  return { data: { invitation, isGuest }, title: context.t('company.join.title', { company: invitation.companyName }), robots: 'noindex' }
}

export const action = formAction(v.object({}), async ({ client, params, mode, otherModeUrl }: ShopContext) => {
  const refusal = (await client.mutate(AcceptInvitationDocument, { token: params['token'] ?? '' }))?.result.refusal
  if (refusal) return refuse(refusal)
  const page = paths.companySettings()
  // The company's page is on the professional storefront, where the session is carried over to.
  const there = mode === 'b2b' ? null : otherModeUrl(paths.exchangeToPro({}, { callbackUrl: page }))
  return redirect(303, there ?? page, { severity: 'success', key: 'flash.company-joined' })
})

/** The link of an invitation: joining, or what is needed to join. */
export function Page({ data: { invitation, isGuest }, context, refusal }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const { companyName: company, role, isOpen, isForYou, email } = invitation
  return (
    <Container narrow>
      <div className={styles.alone}>
        <h1>{t('company.join.title', { company })}</h1>
        {refusal && (
          <Alert severity="danger" announces>
            {refusal.message}
          </Alert>
        )}
        {!isOpen ? (
          <Alert severity="warning" title={t('company.join.over')}>
            <p>{t('company.join.over.text')}</p>
          </Alert>
        ) : (
          <>
            <p>{t('company.join.text', { company, role: roleWords[role] })}</p>
            {isForYou && !isGuest ? (
              <form method="post">
                <Button size="l">{t('company.join.do', { company })}</Button>
              </form>
            ) : isGuest ? (
              <SignInFirst email={email ?? ''} context={context} />
            ) : (
              <>
                <Alert severity="warning">
                  <p>{t('company.join.other', { email: email ?? '' })}</p>
                </Alert>
                <p>
                  <ButtonLink href={paths.authPreLogout()} look="secondary">
                    {t('shell.sign-out')}
                  </ButtonLink>
                </p>
              </>
            )}
          </>
        )}
      </div>
    </Container>
  )
}

/** Whoever has no account opens one on the consumers' shop, where no company is asked for. */
function SignInFirst({ email, context: { t, pathname, mode, otherModeUrl } }: { email: string; context: ShopContext }): ReactNode {
  const callback = { callbackUrl: pathname }
  const fresh = mode === 'b2b' ? otherModeUrl(paths.register({}, callback)) : null
  return (
    <>
      <p>{t('company.join.sign-in', { email })}</p>
      <p className={styles.actions}>
        <ButtonLink href={paths.login({}, callback)}>{t('company.join.sign-in.do')}</ButtonLink>
        <ButtonLink href={fresh ?? paths.register({}, callback)} look="secondary" rel="nofollow">
          {t('company.join.new')}
        </ButtonLink>
      </p>
    </>
  )
}
