import type { LayoutProps } from '@purlin/web/page.ts'
import type { Flash } from '@purlin/web/outcomes.ts'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { MenuDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from './context.ts'
import { FlashArea, takeFlash } from './flash-area.tsx'
import { Footer } from './footer.tsx'
import { Header, type MenuCategory } from './header.tsx'
import { ProModals } from './pro-modals.tsx'
import styles from './shell.module.css'

export interface BaseLayoutData {
  menu: MenuCategory[]
  flash: Flash | null
  /** A page without its menu must not be cached. */
  keep: boolean
}

/** Data of header and footer on every page. */
export async function load(context: ShopContext): Promise<BaseLayoutData> {
  const flash = takeFlash(context)
  const { categoryTree } = await context.client
    .query(MenuDocument)
    // A missing menu must never cost a page; a redirect's message must not be lost with it.
    .catch(() => ({ categoryTree: null }))
  return { menu: categoryTree ?? [], flash, keep: categoryTree !== null }
}

/** Header with menu, search, account and cart; the page; footer with the market switcher. */
export function Layout({ context, layoutData, children }: LayoutProps<ShopContext>): ReactNode {
  const { t } = context
  const { menu = [], flash = null } = (layoutData as BaseLayoutData | null) ?? {}
  return (
    <>
      <a className={styles.skip} href="#content">
        {t('shell.skip')}
      </a>
      <Header context={context} menu={menu} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <Footer context={context} />
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
      <Enhance with="wish" when="idle">
        <span
          hidden
          data-wished={t('wishlist.wished')}
          data-unwished={t('wishlist.unwished')}
          data-open={t('wishlist.open')}
          data-href={paths.wishlists()}
        />
      </Enhance>
    </>
  )
}
