import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import styles from './reviews.module.css'

/** Names the language of a text that is not in the page's, in the reader's language: "Italienisch"; nothing otherwise. */
export function LanguageNote({ of, context: { language, locale } }: { of: string; context: ShopContext }): ReactNode {
  const name = of === language ? undefined : new Intl.DisplayNames(locale, { type: 'language' }).of(of)
  if (!name) return null
  return (
    <p className={styles.quiet} lang={language}>
      {name[0]?.toLocaleUpperCase(locale)}
      {name.slice(1)}
    </p>
  )
}
