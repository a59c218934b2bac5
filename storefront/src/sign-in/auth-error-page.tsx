import { ButtonLink, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { callbackOf } from './callback.ts'
import styles from './sign-in.module.css'

const kinds = {
  OAuthSignin: 'unavailable',
  Verification: 'unverified',
  AccessDenied: 'denied',
} as const
type Kind = (typeof kinds)[keyof typeof kinds] | 'failed'

function kindOf(error: unknown): Kind {
  return typeof error === 'string' && Object.hasOwn(kinds, error) ? kinds[error as keyof typeof kinds] : 'failed'
}

export function load(context: ShopContext) {
  const kind = kindOf(context.query['error'])
  const data = { kind, callback: callbackOf(context) }
  return { data, title: context.t(`sign-in.error.${kind}`), robots: 'noindex', ...(kind === 'unavailable' && { status: 503 }) }
}

/** Explains why a sign-in failed, and what to do next. */
export function Page({ data: { kind, callback }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t(`sign-in.error.${kind}`)}</h1>
        <p className={styles.text}>{t(`sign-in.error.${kind}.text`)}</p>
        <div className={styles.ways}>
          <ButtonLink href={paths.login({}, { callbackUrl: callback })}>{t('sign-in.again')}</ButtonLink>
          <ButtonLink href="/" look="secondary">
            {t('sign-in.shop')}
          </ButtonLink>
          <ButtonLink href={paths.contact()} look="quiet">
            {t('sign-in.contact')}
          </ButtonLink>
        </div>
      </div>
    </Container>
  )
}
