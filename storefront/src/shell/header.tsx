import { Icon, Logo } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import type { HeaderItemFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { SearchBox } from '../search/search-box.tsx'
import { Claim } from './claim.tsx'
import { areLinked } from './linked-storefronts.ts'
import type { ShopContext } from './context.ts'
import type { FlagSetting } from './flag-settings.ts'
import type { HeaderParts } from './header-parts.ts'
import { keptShell, type PageFacts } from './kept-shell.tsx'
import styles from './header.module.css'
import type { PlatformConfig } from './platform-config.ts'
import { MarketSwitcher, VatToggle } from './switches.tsx'

export interface MenuCategory {
  id: number
  name: string
  url: string
}

interface HeaderProps {
  context: ShopContext
  menu: readonly MenuCategory[]
  flags: readonly FlagSetting[]
  config: PlatformConfig
  parts: HeaderParts
}

const quickDepartments = 9

export function Header(props: HeaderProps): ReactNode {
  const { context, ...shown } = props
  const html = keptShell(context, JSON.stringify(shown), (shared, page) => <HeaderContent {...props} context={shared} page={page} />)
  return <header className={`${styles.header} on-dark`} dangerouslySetInnerHTML={{ __html: html }} />
}

function HeaderContent({ context, menu, flags, config, parts, page }: HeaderProps & { page: PageFacts }): ReactNode {
  const { t, mode } = context
  const isPro = mode === 'b2b'
  // The operator may keep the storefronts apart.
  const otherMode = areLinked(config) ? context.otherModeUrl() : null
  return (
    <>
      <Enhance with="menu" when="idle">
        <div className={styles.utility}>
          <div className={`${styles.utilityInner} measure`}>
            <p className={styles.claim}>
              <PreHeader parts={parts} /> <Claim context={context} flags={flags} config={config} />
            </p>
            <VatToggle context={context} />
            {otherMode && (
              <a className={styles.utilityLink} href={otherMode}>
                {!isPro && <Icon name="helmet" size={16} />}
                {t(isPro ? 'shell.to-consumers' : 'shell.to-pros')}
              </a>
            )}
            <MarketSwitcher context={context} />
          </div>
        </div>
        <div className={styles.bar}>
          <div className={styles.barInner}>
            <Menu context={context} menu={menu} otherMode={otherMode} banners={parts.banners.items} />
            <a className={styles.home} href="/">
              <Logo isPro={isPro} height={28} />
            </a>
            <div className={styles.search}>
              <SearchBox context={context} value={page.query} />
            </div>
            <div className={styles.actions}>
              <a className={styles.action} href={paths.helpCenter()}>
                <Icon name="info" size={24} />
                <span>{t('shell.help')}</span>
              </a>
              <Enhance with="account" when="load">
                <a
                  className={styles.action}
                  href={page.loginHref}
                  rel="nofollow"
                  data-account={paths.customerArea()}
                  data-label={t('shell.account')}
                >
                  <Icon name="person" size={24} />
                  <span data-account-name>{t('shell.sign-in')}</span>
                </a>
              </Enhance>
              <Enhance with="cart-count" when="load">
                <a className={styles.action} href={paths.cart()}>
                  <Icon name="cart" size={24} />
                  <span>{t('shell.cart')}</span>
                  <b className={styles.count} data-cart-count hidden />
                </a>
              </Enhance>
            </div>
          </div>
        </div>
      </Enhance>
      <Enhance with="audience" when="load">
        <nav className={styles.quick} aria-label={t('shell.quick')}>
          <ul className="measure">
            <li>
              <a className={styles.hot} href={paths.goodDeals()}>
                {t('shell.deals')}
              </a>
            </li>
            {isPro && (
              <li>
                <a href={paths.quickOrder()}>{t('quick-order.title')}</a>
              </li>
            )}
            <li>
              <a href={paths.ourAdvice()}>{t('advice.guides')}</a>
            </li>
            {parts.quickLinks.items.map((item) => (
              <li key={item.id} {...forAudience(item)}>
                <a href={item.url}>{item.title}</a>
              </li>
            ))}
            {menu.slice(0, quickDepartments - mostShown(parts.quickLinks.items)).map((department) => (
              <li key={department.id}>
                <a href={department.url}>{department.name}</a>
              </li>
            ))}
          </ul>
        </nav>
      </Enhance>
    </>
  )
}

/** The operator's line above the claim; a redirect of attention, so at most one for each audience. */
function PreHeader({ parts: { preHeader } }: { parts: HeaderParts }): ReactNode {
  const lines = preHeader.items.map((item) => (
    <span key={item.id} className={styles.preHeader} data-pre-header={item.id} {...forAudience(item)}>
      <a href={item.url}>{item.title}</a> {item.detail}
    </span>
  ))
  return preHeader.items.every(isSeenByAll) ? (
    lines
  ) : (
    <Enhance with="audience" when="load">
      {lines}
    </Enhance>
  )
}

const isSeenByAll = ({ audience }: HeaderItemFragment): boolean => audience === 'everybody'
/** Hidden until a script knows whether the visitor is a customer, if it is for guests or for customers alone. */
const forAudience = (item: HeaderItemFragment) =>
  isSeenByAll(item) ? {} : { 'data-audience': item.audience, hidden: !item.isForEverybody }

/** Items that a visitor sees at most: those for everybody, and those for guests or for customers. */
function mostShown(items: readonly HeaderItemFragment[]): number {
  const countOf = (kind: HeaderItemFragment['audience']) => items.filter(({ audience }) => audience === kind).length
  return countOf('everybody') + Math.max(countOf('guests'), countOf('customers'))
}

/** All departments: one disclosure, a sheet with two levels and a search on phones. The script `menu` fetches their categories. (V-39) */
interface MenuProps extends Pick<HeaderProps, 'context' | 'menu'> {
  otherMode: string | null
  banners: HeaderParts['banners']['items']
}

function Menu({ context, menu, otherMode, banners }: MenuProps): ReactNode {
  const { t, mode, catalogue } = context
  return (
    <details data-menu data-departments>
      <summary className={styles.menuButton}>
        <Icon name="menu" size={24} />
        <span>{t('shell.menu')}</span>
      </summary>
      <nav className={`${styles.panel} on-page`} aria-label={t('shell.menu')} data-all={JSON.stringify(catalogue['shell.menu-all'])}>
        <form action="/search" className={styles.menuSearch}>
          <input type="search" name="query" required maxLength={200} aria-label={t('search.label')} placeholder={t('search.placeholder')} />
          <button>{t('shell.search')}</button>
        </form>
        <ul className={styles.departments}>
          {menu.map((department) => (
            <li key={department.id}>
              <a href={department.url}>{department.name}</a>
            </li>
          ))}
        </ul>
        <ul className={styles.menuFoot} data-banners>
          {banners.map(
            ({ id, title, url }) =>
              url && (
                <li key={id}>
                  <a href={url}>{title}</a>
                </li>
              ),
          )}
          {otherMode && (
            <li>
              <a href={otherMode}>{t(mode === 'b2b' ? 'shell.to-consumers' : 'shell.to-pros')}</a>
            </li>
          )}
          <li>
            <a href={paths.helpCenter()}>{t('shell.help')}</a>
          </li>
        </ul>
      </nav>
    </details>
  )
}
