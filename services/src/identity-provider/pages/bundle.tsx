/** The provider's pages as the server renders them; Vite builds this into services/dist/server. */
import { renderToStaticMarkup } from 'react-dom/server'
import type { PageModel } from './model.ts'
import { Page } from './page.tsx'

export interface PageAssets {
  css: readonly string[]
  script: string
  fonts: readonly string[]
}

/** The whole document of a page. */
export function renderPage(model: PageModel, { css, script, fonts }: PageAssets): string {
  const markup = renderToStaticMarkup(
    <html lang={model.language} data-mode={model.isPro ? 'b2b' : 'b2c'}>
      <head>
        <meta charSet="utf-8" />
        <title>{`${model.title} – Purlin`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        {fonts.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" crossOrigin="" href={href} />
        ))}
        {css.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        <script type="module" src={script} />
      </head>
      <body>
        <Page model={model} />
      </body>
    </html>,
  )
  return `<!doctype html>${markup}`
}
