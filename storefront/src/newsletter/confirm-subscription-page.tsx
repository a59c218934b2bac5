import { Alert, Button, ButtonLink, Container } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { text } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { ConfirmSubscriptionDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './newsletter.module.css'

const confirmForm = v.object({ token: text(60) })
const field = namesOf(confirmForm)

/** The link of the mail. Opening it changes nothing, because mail scanners open every link. */
export async function load({ query, t }: ShopContext) {
  const { token, done } = query
  const outcome = done === '1' ? 'confirmed' : done === '0' || typeof token !== 'string' ? 'invalid' : 'open'
  return {
    data: { token: typeof token === 'string' ? token : '', outcome } as const,
    title: t('newsletter.confirm.title'),
    robots: 'noindex',
  }
}

export const action = formAction(confirmForm, async ({ client }: ShopContext, { token }) => {
  const answer = await client.mutate(ConfirmSubscriptionDocument, { token })
  return redirect(303, paths.confirmSubscription({}, { done: answer?.isConfirmed ? '1' : '0' }))
})

export function Page({ data: { token, outcome }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('newsletter.confirm.title')}</h1>
        {outcome === 'confirmed' && (
          <Alert severity="success" announces>
            {t('newsletter.confirm.done')}
          </Alert>
        )}
        {outcome === 'invalid' && (
          <>
            <Alert severity="warning" announces>
              {t('newsletter.confirm.none')}
            </Alert>
            <div>
              <ButtonLink href={paths.subscribe()}>{t('newsletter.confirm.again')}</ButtonLink>
            </div>
          </>
        )}
        {outcome === 'open' && (
          <form method="post" className={styles.form}>
            <p>{t('newsletter.confirm.text')}</p>
            <input type="hidden" name={field('token')} value={token} />
            <Button>{t('newsletter.confirm.do')}</Button>
          </form>
        )}
      </div>
    </Container>
  )
}
