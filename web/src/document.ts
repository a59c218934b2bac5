import type { ClientManifest } from './manifest.ts'
import type { Loaded } from './page.ts'

export interface DocumentRequest {
  language: string
  loaded: Omit<Loaded<unknown>, 'data'>
  /** Absolute URL. */
  canonicalUrl: string | null
  /** The same page in other markets, absolute. */
  alternates: readonly { hreflang: string; href: string }[]
  robots: string | null
  siteName: string
  /** The rendered body. */
  html: string
  manifest: ClientManifest
  /** Style sheets besides those of all pages. */
  css?: readonly string[]
  /** Absolute; for links that are shared. */
  pictureUrl?: string | null
  /** Marks on <html>, which the design tokens read. */
  attributes: Readonly<Record<string, string>>
}

/** The complete HTML document of a rendered page. Its only inline scripts are data. */
export function documentOf(request: DocumentRequest): string {
  const { loaded, html, manifest } = request
  const title = `${loaded.title} | ${request.siteName}`
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    loaded.description && `<meta name="description" content="${escapeHtml(loaded.description)}">`,
    request.robots && `<meta name="robots" content="${escapeHtml(request.robots)}">`,
    request.canonicalUrl && `<link rel="canonical" href="${escapeHtml(request.canonicalUrl)}">`,
    ...request.alternates.map(({ hreflang, href }) => `<link rel="alternate" hreflang="${hreflang}" href="${escapeHtml(href)}">`),
    `<meta property="og:title" content="${escapeHtml(loaded.title)}">`,
    `<meta property="og:site_name" content="${escapeHtml(request.siteName)}">`,
    request.canonicalUrl && `<meta property="og:url" content="${escapeHtml(request.canonicalUrl)}">`,
    loaded.description && `<meta property="og:description" content="${escapeHtml(loaded.description)}">`,
    request.pictureUrl && `<meta property="og:image" content="${escapeHtml(request.pictureUrl)}">`,
    ...manifest.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}">`),
    ...[...manifest.css, ...(request.css ?? [])].map((href) => `<link rel="stylesheet" href="${href}">`),
    html.includes('<page-island') && `<script type="module" src="${manifest.client}"></script>`,
    ...manifest.icons,
    ...(loaded.jsonLd ?? []).map((data) => `<script type="application/ld+json">${jsonInHtml(data)}</script>`),
  ]
  const attributes = Object.entries(request.attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<!doctype html><html lang="${request.language}"${attributes.join('')}><head>${head.filter(Boolean).join('')}</head><body>${html}</body></html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

/** JSON that can neither end its script element nor open a comment (A54). */
export function jsonInHtml(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
