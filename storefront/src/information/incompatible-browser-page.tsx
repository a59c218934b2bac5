import type { ReactNode } from 'react'
import type { LayoutProps } from '@purlin/web/page.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './incompatible-browser.module.css'

export function load({ t }: ShopContext) {
  return { data: null, title: t('browser.title'), description: t('browser.text') }
}

/** Without a layout: a visitor who gets here may have a browser that renders little. */
export function Layout({ children }: LayoutProps<ShopContext>): ReactNode {
  return children
}

const browsers = [
  { name: 'Firefox', url: 'https://www.mozilla.org/firefox/' },
  { name: 'Chrome', url: 'https://www.google.com/chrome/' },
  { name: 'Edge', url: 'https://www.microsoft.com/edge' },
  { name: 'Safari', url: 'https://www.apple.com/safari/' },
]

export function Page({ context: { t } }: PageProps): ReactNode {
  return (
    <main className={styles.page}>
      <h1>{t('browser.title')}</h1>
      <p>{t('browser.text')}</p>
      <ul>
        {browsers.map(({ name, url }) => (
          <li key={name}>
            <a href={url} rel="noopener">
              {name}
            </a>
          </li>
        ))}
      </ul>
      <p>
        <a href="/">{t('browser.back')}</a>
      </p>
    </main>
  )
}
