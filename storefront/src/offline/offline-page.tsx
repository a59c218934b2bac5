import { ButtonLink, Container, Logo } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from '../errors/error.module.css'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load({ t }: ShopContext) {
  return Promise.resolve({ data: null, title: t('offline.title'), robots: 'noindex' })
}

/** Stored by the service worker and shown at any address while there is no connection; the worker puts the stored basket into it. */
export function Page({ context: { t, mode } }: PageProps<typeof load>): ReactNode {
  return (
    <main id="content">
      <Container narrow>
        <section aria-labelledby="offline-title" className={styles.page}>
          <Logo isPro={mode === 'b2b'} height={32} />
          <h1 id="offline-title">{t('offline.title')}</h1>
          <p className={styles.text}>{t('offline.text')}</p>
          <p>
            {/* The address of the page that was asked for. */}
            <ButtonLink href="">{t('offline.retry')}</ButtonLink>
          </p>
          <div id="offline-basket" />
        </section>
      </Container>
    </main>
  )
}
