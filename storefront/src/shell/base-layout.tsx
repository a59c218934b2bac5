import type { LayoutProps } from '@purlin/web/page.ts'
import type { Flash } from '@purlin/web/outcomes.ts'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { ConsentDialog } from '../consent/consent-dialog.tsx'
import { MenuDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { WishForm } from './card-list.tsx'
import type { ShopContext } from './context.ts'
import { FlashArea, takeFlash } from './flash-area.tsx'
import { isOn, type FlagSetting } from './flag-settings.ts'
import { Footer } from './footer.tsx'
import { noParts, type HeaderParts } from './header-parts.ts'
import { Header, type MenuCategory } from './header.tsx'
import { failedConfig, type PlatformConfig } from './platform-config.ts'
import { ProModals } from './pro-modals.tsx'
import styles from './shell.module.css'

export interface BaseLayoutData {
  menu: MenuCategory[]
  flags: readonly FlagSetting[]
  config: PlatformConfig
  parts: HeaderParts
  flash: Flash | null
  /** A page without its menu must not be cached. */
  keep: boolean
}

/** Data of header and footer on every page. */
export async function load(context: ShopContext): Promise<BaseLayoutData> {
  const flash = takeFlash(context)
  const shell = await context.client
    .query(MenuDocument)
    // A missing menu must never cost a page; a redirect's message must not be lost with it.
    .catch(() => null)
  const config = shell?.platformConfig ?? failedConfig
  return {
    menu: shell?.categoryTree ?? [],
    flags: shell?.flags ?? [],
    config,
    parts: shell?.header ?? noParts,
    flash,
    keep: shell !== null && config.state === 'set',
  }
}

/** Header with menu, search, account and cart; the page; footer with the market switcher. */
export function Layout({ context, layoutData, children }: LayoutProps<ShopContext>): ReactNode {
  const { t } = context
  const { menu = [], flash = null, flags = [], config = failedConfig, parts = noParts } = (layoutData as BaseLayoutData | null) ?? {}
  return (
    <>
      <a className={styles.skip} href="#content">
        {t('shell.skip')}
      </a>
      <ConsentDialog context={context} />
      <Header context={context} menu={menu} flags={flags} config={config} parts={parts} />
      <main
        id="content"
        className={styles.main}
        tabIndex={-1}
        data-main-price={config.mainPrice?.withSecondary === false ? 'alone' : undefined}
      >
        {children}
      </main>
      <Footer context={context} isInstallable={isOn(flags, 'appB2bTouchpoint')} />
      {flags.length > 0 && <span hidden data-flags={JSON.stringify(flags)} />}
      <LayoutScripts context={context} flash={flash} />
    </>
  )
}

/** Scripts of every page of the shop: messages, session, basket and wishlists. */
export function LayoutScripts({ context, flash }: { context: ShopContext; flash: Flash | null }): ReactNode {
  const { t } = context
  return (
    <>
      <FlashArea context={context} flash={flash} />
      <Enhance with="session" when="load">
        <span hidden />
      </Enhance>
      <ProModals context={context} />
      <Enhance with="add-to-cart" when="idle">
        <span
          hidden
          data-added={JSON.stringify(context.catalogue['cart.added'])}
          data-cart={t('shell.to-cart')}
          data-cart-href={paths.cart()}
        />
      </Enhance>
      <WishForm />
      <Enhance with="wish" when="idle">
        <span
          hidden
          data-wished={t('wishlist.wished')}
          data-unwished={t('wishlist.unwished')}
          data-open={t('wishlist.open')}
          data-href={paths.wishlists()}
          data-save={context.mode === 'b2b' ? t('wishlist.save') : undefined}
        />
      </Enhance>
    </>
  )
}
