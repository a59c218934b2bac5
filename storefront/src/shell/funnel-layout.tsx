import { Icon, Logo } from '@purlin/ui'
import type { Flash } from '@purlin/web/outcomes.ts'
import type { LayoutProps } from '@purlin/web/page.ts'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { ShopContext } from './context.ts'
import { FlashArea, takeFlash } from './flash-area.tsx'
import headerStyles from './header.module.css'
import styles from './shell.module.css'

export async function load(context: ShopContext): Promise<{ flash: Flash | null }> {
  return { flash: takeFlash(context) }
}

/** A reduced header without distracting links; the page; assurances about payment. */
export function Layout({ context, layoutData, children }: LayoutProps<ShopContext>): ReactNode {
  const { t, mode } = context
  return (
    <>
      <a className={styles.skip} href="#content">
        {t('shell.skip')}
      </a>
      <header className={`${headerStyles.header} on-dark`}>
        <div className={headerStyles.funnelBar}>
          <a className={headerStyles.home} href={paths.cart()} aria-label={t('shell.back-to-cart')}>
            <Logo isPro={mode === 'b2b'} height={28} />
          </a>
          <p className={headerStyles.secure}>
            <Icon name="lock" size={18} />
            {t('shell.secure')}
          </p>
        </div>
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <div className={styles.funnel}>{children}</div>
      </main>
      <footer className={styles.funnelFoot}>
        <p>{t(mode === 'b2b' ? 'shell.funnel-promise-pro' : 'shell.funnel-promise')}</p>
        <p>
          <a href={paths.termsAndConditions()} target="_blank" rel="noopener">
            {t('shell.terms')}
          </a>
          <a href={paths.dataProtection()} target="_blank" rel="noopener">
            {t('shell.privacy')}
          </a>
          <a href={paths.helpCenter()} target="_blank" rel="noopener">
            {t('shell.help')}
          </a>
        </p>
      </footer>
      <FlashArea context={context} flash={(layoutData as { flash: Flash | null } | null)?.flash ?? null} />
      <Enhance with="session" when="load">
        <span hidden />
      </Enhance>
      {/* Nobody is asked while paying; an earlier choice counts here too. */}
      <Enhance with="consent">
        <span hidden />
      </Enhance>
    </>
  )
}
