import { ButtonLink, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './error.module.css'

/** An address whose page is not built yet: 404 in its own layout and with its own access rules (V-37). Nothing links to it. */
export async function load({ t }: ShopContext) {
  return { data: null, title: t('error.later.title'), status: 404, robots: 'noindex' }
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
