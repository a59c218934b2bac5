import { Alert, Breadcrumb, Button, Container, ErrorSummary, Field } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { email, optionalText } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { SubscribeToNewsletterDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './newsletter.module.css'

/** `website` is hidden: only bots fill it in. */
const subscribeForm = v.object({ email: email(), website: optionalText(200) })

export async function load({ t, query }: ShopContext) {
  return { data: { isSent: query['sent'] === '1' }, title: t('newsletter.title'), description: t('newsletter.lead') }
}

export const action = formAction(subscribeForm, async ({ client }: ShopContext, { email: typed, website }) => {
  const answer = await client.mutate(SubscribeToNewsletterDocument, { email: typed, website })
  const refusal = answer?.result.refusal
  return refusal ? refuse(refusal) : redirect(303, paths.subscribe({}, { sent: '1' }))
})

/** The newsletter's form; the mail that follows asks for confirmation. */
export function Page({ data: { isSent }, context: { t }, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const field = fieldsOf(subscribeForm, { typed, refusal })
  const { error } = field('email')
  const { name } = field('website')
  return (
    <Container narrow>
      <div className={styles.page}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('newsletter.title')} />
        <h1>{t('newsletter.title')}</h1>
        {isSent ? (
          <>
            <Alert severity="success" announces>
              {t('newsletter.sent')}
            </Alert>
            <p>{t('newsletter.sent.else')}</p>
          </>
        ) : (
          <form method="post" className={styles.form}>
            <p>{t('newsletter.lead')}</p>
            <ErrorSummary
              title={refusal?.message ?? ''}
              errors={error ? [{ href: '#email', message: t('form.fault', { field: t('newsletter.email'), message: error }) }] : []}
            />
            <Field {...field('email')} type="email" label={t('newsletter.email')} autoComplete="email" />
            <div hidden>
              <label>
                {t('newsletter.email')} <input name={name} autoComplete="off" tabIndex={-1} />
              </label>
            </div>
            <p>{t('newsletter.agree')}</p>
            <p>{t.rich('newsletter.how', { privacy: (words) => <a href={paths.dataProtection()}>{words}</a> })}</p>
            <Button>{t('newsletter.do')}</Button>
          </form>
        )}
      </div>
    </Container>
  )
}
