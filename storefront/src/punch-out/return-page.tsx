import { Button, ButtonLink, Container } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import { PunchOutReturnDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load(context: ShopContext) {
  const { visit, form } = await context.client.query(PunchOutReturnDocument)
  if (!visit) return notFound()
  // The form leaves the shop, and this is the only page from which it may.
  const allows = form ? { formAction: [new URL(form.url).origin] } : {}
  return { data: { visit, form }, title: context.t('punch-out.return.title'), robots: 'noindex', allows }
}

/** The basket on its way back: the buyer sees where it goes before the browser posts it there. */
export function Page({ data: { visit, form }, context: { t } }: PageProps<typeof load>): ReactNode {
  const { returnsTo: host } = visit
  return (
    <Container narrow>
      <div className={styles.alone}>
        <h1>{t('punch-out.return.title')}</h1>
        {form ? (
          <>
            <p>{t('punch-out.return.text', { host })}</p>
            <p className={styles.quiet}>{t('punch-out.return.address')}</p>
            <p>
              <code>{form.url}</code>
            </p>
            <form method="post" action={form.url} encType="application/x-www-form-urlencoded" acceptCharset="utf-8">
              {form.fields.map(({ name, value }) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <Button size="l">{t('punch-out.return.go', { host })}</Button>
            </form>
          </>
        ) : (
          <p>{t('punch-out.return.not-ready')}</p>
        )}
        <p>
          <ButtonLink href={paths.cart()} look="secondary">
            {t('punch-out.return.to-cart')}
          </ButtonLink>
        </p>
      </div>
    </Container>
  )
}
