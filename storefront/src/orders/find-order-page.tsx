import { Alert, Breadcrumb, Button, Container, ErrorSummary, Field } from '@purlin/ui'
import { fieldsOf, formAction, type FormRefusal } from '@purlin/web/form-action.ts'
import { email, text } from '@purlin/web/form-input.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { RequestOrderLinkDocument } from '../generated/documents.ts'
import styles from '../newsletter/newsletter.module.css'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

const findForm = v.object({ orderId: text(40), email: email() })

export async function load({ t, query }: ShopContext) {
  return { data: { isSent: query['sent'] === '1' }, title: t('find-order.title'), robots: 'noindex' }
}

/** Leads to the same page whatever was typed: it must not tell which orders exist. */
export const action = formAction(findForm, async ({ client }: ShopContext, typed) => {
  await client.mutate(RequestOrderLinkDocument, typed)
  return redirect(303, paths.findOrder({}, { sent: '1' }))
})

/** For a guest who has lost the mail: number and e-mail address, and the link comes by mail. (R-030, A12) */
export function Page({ data: { isSent }, context: { t }, refusal, typed }: PageProps<typeof load, FormRefusal>): ReactNode {
  const field = fieldsOf(findForm, { typed, refusal })
  const labels = { orderId: t('find-order.number'), email: t('find-order.email') }
  const errors = (['orderId', 'email'] as const).flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: t('form.fault', { field: labels[name], message: error }) }] : []
  })
  return (
    <Container narrow>
      <div className={styles.page}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[
            { label: t('shell.home'), href: '/' },
            { label: t('shell.help'), href: paths.helpCenter() },
          ]}
          here={t('find-order.title')}
        />
        <h1>{t('find-order.title')}</h1>
        {isSent ? (
          <>
            <Alert severity="success" announces>
              {t('find-order.sent')}
            </Alert>
            <p>{t('find-order.sent.else')}</p>
            <p>
              <a href={paths.findOrder()}>{t('find-order.again')}</a>
            </p>
          </>
        ) : (
          <form method="post" className={styles.form}>
            <p>{t('find-order.lead')}</p>
            <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
            <Field {...field('orderId')} label={labels.orderId} hint={t('find-order.hint')} autoComplete="off" spellCheck={false} />
            <Field {...field('email')} type="email" label={labels.email} autoComplete="email" />
            <Button>{t('find-order.do')}</Button>
          </form>
        )}
        <p>
          {t.rich('find-order.signed-in', { signIn: (words) => <a href={paths.login({}, { callbackUrl: paths.myOrders() })}>{words}</a> })}
        </p>
      </div>
    </Container>
  )
}
