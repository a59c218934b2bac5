import type { Flash } from '@purlin/web/outcomes.ts'
import type { LayoutProps } from '@purlin/web/page.ts'
import type { ReactNode } from 'react'
import { LayoutScripts } from './base-layout.tsx'
import type { ShopContext } from './context.ts'
import { takeFlash } from './flash-area.tsx'
import styles from './shell.module.css'

export async function load(context: ShopContext): Promise<{ flash: Flash | null }> {
  return { flash: takeFlash(context) }
}

/** The page alone, inside the app, which has a header and navigation of its own. */
export function Layout({ context, layoutData, children }: LayoutProps<ShopContext>): ReactNode {
  return (
    <>
      <main id="content" className={styles.main} tabIndex={-1}>
        {children}
      </main>
      <LayoutScripts context={context} flash={(layoutData as { flash: Flash | null } | null)?.flash ?? null} />
    </>
  )
}
