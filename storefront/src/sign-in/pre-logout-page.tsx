import { Button, ButtonLink, Container } from '@purlin/ui'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './sign-in.module.css'

export async function load(context: ShopContext) {
  if ((await context.principal()).kind === 'guest') return redirect(302, '/')
  return { data: null, title: context.t('sign-in.out'), robots: 'noindex' }
}

/** Asks for confirmation before signing out: a link alone must not do it. */
export function Page({ context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('sign-in.out')}</h1>
        <p className={styles.text}>{t('sign-in.out.text')}</p>
        <form method="post" action={paths.logout()} className={styles.ways}>
          <Button>{t('sign-in.out.go')}</Button>
          <Button look="secondary" formAction={paths.logout({}, { everywhere: 'true' })}>
            {t('sign-in.out.everywhere')}
          </Button>
          <ButtonLink href={paths.customerArea()} look="secondary">
            {t('sign-in.out.stay')}
          </ButtonLink>
        </form>
      </div>
    </Container>
  )
}
