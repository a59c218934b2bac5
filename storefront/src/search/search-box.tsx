import { Icon } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import styles from './search-box.module.css'

/**
 * The header's search box: a plain form, which a script turns into a combobox with suggestions. The form's
 * address `/search?query=…` redirects to `/search/{query}`, where `value` is the current query, ready to edit.
 */
export function SearchBox({ context, value }: { context: ShopContext; value?: string }): ReactNode {
  const { t, catalogue } = context
  return (
    <Enhance with="search-box" when="interact">
      <form action="/search" role="search" className={styles.form} data-search-form>
        <label htmlFor="search" className="hidden">
          {t('search.label')}
        </label>
        <input
          id="search"
          className={styles.input}
          type="search"
          name="query"
          defaultValue={value}
          placeholder={t('search.placeholder')}
          required
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="search"
        />
        <button className={styles.button} aria-label={t('shell.search')}>
          <Icon name="search" size={22} />
        </button>
        <div
          className={styles.panel}
          data-panel
          data-queries={t('search.queries')}
          data-categories={t('search.categories')}
          data-brands={t('search.brands')}
          data-products={t('search.products')}
          data-suggestions={t('search.suggestions')}
          data-found={JSON.stringify(catalogue['search.found'])}
          hidden
        />
        <p className="hidden" role="status" data-status />
      </form>
    </Enhance>
  )
}
