/** All React code of the shop, for server rendering. Vite builds this into dist/server. */
import type { Bundle } from '@purlin/web/pages-options.ts'
import * as errorPage from './errors/error-page.tsx'
import * as baseLayout from './shell/base-layout.tsx'
import type { ShopContext, ShopPage } from './shell/context.ts'
import * as funnelLayout from './shell/funnel-layout.tsx'
import * as webviewLayout from './shell/webview-layout.tsx'

export { render } from '@purlin/web/render.tsx'

export const bundle: Bundle<ShopContext> = {
  pages: import.meta.glob<ShopPage>('./**/*-page.tsx', { eager: true }),
  layouts: { base: baseLayout, funnel: funnelLayout, webview: webviewLayout },
  errorPage: errorPage,
}
