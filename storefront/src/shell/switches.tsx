import { Icon } from '@purlin/ui'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import type { ReactNode } from 'react'
import type { ShopContext } from './context.ts'
import styles from './switches.module.css'
import { vatForm } from './vat-form.ts'
import { hasNetPrices } from './words.ts'

const field = namesOf(vatForm)

const countryNames = new Map<Market, string>()

/** The name of a market's country in its own language, which its residents look for. */
export function countryName(market: Market): string {
  let name = countryNames.get(market)
  if (name === undefined) {
    const { locale, country } = markets[market]
    name = new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country
    countryNames.set(market, name)
  }
  return name
}

/** The same page in another country. */
export function MarketSwitcher({ context }: { context: ShopContext }): ReactNode {
  const { t, market, currency } = context
  return (
    <details className={styles.switcher} data-menu>
      <summary>
        <Icon name="globe" size={16} />
        {t.rich(
          'shell.market',
          { label: (words) => <span className="hidden">{words}</span> },
          { country: `${countryName(market)} · ${currency}` },
        )}
        <Icon name="down" size={14} />
      </summary>
      <div className={`${styles.popover} on-page`}>
        <MarketLinks context={context} />
      </div>
    </details>
  )
}

export function MarketLinks({ context }: { context: ShopContext }): ReactNode {
  return (
    <ul className={styles.markets}>
      {context.alternates().map(({ market, locale, url }) => (
        <li key={market}>
          <a href={url} hrefLang={locale} lang={locale} aria-current={market === context.market ? 'true' : undefined}>
            {countryName(market)}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Professionals choose how prices are displayed; gb always shows VAT (decision 5). A form, so that it works without a script. */
export function VatToggle({ context }: { context: ShopContext }): ReactNode {
  const { t, prefersVat, pathname, search } = context
  if (!hasNetPrices(context)) return null
  const choice = (withVat: boolean) => (
    <button name={field('vat')} value={withVat ? 'with' : 'without'} aria-pressed={prefersVat === withVat}>
      {t(withVat ? 'goods.with-vat' : 'goods.without-vat')}
    </button>
  )
  return (
    <form method="post" action="/" className={styles.vat} aria-label={t('shell.vat')}>
      <input type="hidden" name={field('back')} defaultValue={pathname + search} data-back />
      {choice(false)}
      {choice(true)}
    </form>
  )
}
