import { join } from 'node:path'
import { createAssets, type Assets } from '@purlin/web/assets.ts'
import { ensureBuilt } from '@purlin/web/build.ts'
import { readManifest } from '@purlin/web/manifest.ts'
import type { PageAssets } from './pages/bundle.tsx'
import type { PageModel } from './pages/model.ts'

const app = join(import.meta.dirname, '../..')
const dist = join(app, 'dist')
const pages = 'src/identity-provider/pages'

/** Builds the provider's pages into services/dist unless they are up to date. */
export function ensurePages(log?: (line: string) => void): Promise<{ built: boolean }> {
  return ensureBuilt({
    app,
    sources: [pages, '../ui/src', '../package-lock.json'],
    client: `${pages}/client.ts`,
    server: `${pages}/bundle.tsx`,
    styles: `${pages}/styles.ts`,
    publicDir: 'public',
    ...(log && { log }),
  })
}

export interface Pages {
  render(model: PageModel): string
  /** Style sheet, script and font. */
  assets: Assets
}

/** The built pages. */
export async function openPages(): Promise<Pages> {
  const { renderPage } = (await import(join(dist, 'server/bundle.js'))) as {
    renderPage: (model: PageModel, assets: PageAssets) => string
  }
  const { client, css, fonts } = readManifest(join(dist, 'client'), { preloadFonts: /archivo-latin-wght-normal/ })
  return { render: (model) => renderPage(model, { css, fonts, script: client }), assets: createAssets(join(dist, 'client')) }
}
