import { ButtonLink, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './error.module.css'

/** The page of an address whose own page comes later: real, in its layout and behind its access, not indexed. */
export async function load({ t }: ShopContext) {
  return { data: null, title: t('error.later.title'), robots: 'noindex' }
}

export function Page({ context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <section aria-labelledby="later-title" className={styles.page}>
        <h1 id="later-title">{t('error.later.title')}</h1>
        <p className={styles.text}>{t('error.later.text')}</p>
        <p>
          <ButtonLink href="/">{t('error.home')}</ButtonLink>
        </p>
      </section>
    </Container>
  )
}
