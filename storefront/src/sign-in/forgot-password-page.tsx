import { ButtonLink, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { callbackOf, forgottenHref } from './callback.ts'
import styles from './sign-in.module.css'

export function load(context: ShopContext) {
  return { data: { callback: callbackOf(context) }, title: context.t('sign-in.forgot'), robots: 'noindex' }
}

/** Leads to the identity provider's form for a new password; whoever comes back is signed in. */
export function Page({ data: { callback }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('sign-in.forgot')}</h1>
        <p className={styles.text}>{t('sign-in.forgot.text')}</p>
        <div className={styles.ways}>
          <ButtonLink href={forgottenHref(callback)} rel="nofollow">
            {t('sign-in.forgot.go')}
          </ButtonLink>
          <ButtonLink href={paths.login({}, { callbackUrl: callback })} look="secondary">
            {t('sign-in.forgot.back')}
          </ButtonLink>
        </div>
      </div>
    </Container>
  )
}
