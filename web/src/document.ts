import type { ClientManifest } from './manifest.ts'
import { islandFiles } from './manifest.ts'
import type { Loaded } from './page.ts'
import type { Rendered } from './render.tsx'

export interface DocumentRequest {
  language: string
  loaded: Omit<Loaded<unknown>, 'data'>
  /** Absolute. */
  canonicalUrl: string | null
  /** The same page in other markets, absolute. */
  alternates: readonly { hreflang: string; href: string }[]
  robots: string | null
  siteName: string
  rendered: Rendered
  state: { locale: string; site: unknown }
  manifest: ClientManifest
  /** Marks on <html>, which the design tokens read. */
  attributes: Readonly<Record<string, string>>
}

/** The whole HTML document around a rendered page. Nothing in it is inline script but data. */
export function documentOf(request: DocumentRequest): string {
  const { loaded, rendered, manifest } = request
  const scripts = rendered.islands.length > 0 || rendered.hasEnhancers
  const atOnce = rendered.islands.filter((island) => island.when === 'load').map((island) => island.id)
  const preloads = new Set([...(rendered.hasEnhancers ? manifest.enhancers : []), ...islandFiles(manifest, atOnce)])
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
    ...(loaded.preload ?? []).map(preloadTag),
    ...manifest.fonts.map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}">`),
    ...manifest.css.map((href) => `<link rel="stylesheet" href="${href}">`),
    scripts && `<script type="module" src="${manifest.client}"></script>`,
    ...[...preloads].map((href) => `<link rel="modulepreload" href="${href}">`),
    ...manifest.icons,
    ...(loaded.jsonLd ?? []).map((data) => `<script type="application/ld+json">${jsonInHtml(data)}</script>`),
  ]
  const attributes = Object.entries(request.attributes).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  const state = scripts
    ? `<script type="application/json" id="page-state">${jsonInHtml({ ...request.state, messages: rendered.messages })}</script>`
    : ''
  return `<!doctype html><html lang="${request.language}"${attributes.join('')}><head>${head.filter(Boolean).join('')}</head><body>${rendered.html}${state}</body></html>`
}

function preloadTag({ href, as, type, srcset, sizes }: NonNullable<Loaded<unknown>['preload']>[number]): string {
  const more = [
    type && ` type="${escapeHtml(type)}"`,
    srcset && ` imagesrcset="${escapeHtml(srcset)}"`,
    sizes && ` imagesizes="${escapeHtml(sizes)}"`,
  ]
  return `<link rel="preload" as="${as}" href="${escapeHtml(href)}"${more.filter(Boolean).join('')}${as === 'image' ? ' fetchpriority="high"' : ' crossorigin'}>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

/** JSON that cannot end its script element nor open a comment (A54). */
export function jsonInHtml(data: unknown): string {
  return JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
