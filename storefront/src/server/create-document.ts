import { documentOf } from '@purlin/web/document.ts'
import type { ClientManifest } from '@purlin/web/manifest.ts'
import type { DocumentInput } from '@purlin/web/pages-options.ts'
import type { PageModule } from '@purlin/web/page.ts'
import type { Render } from '@purlin/web/render.tsx'
import { isIndexable, type ShopRoute } from '../routes.ts'
import type { ShopContext } from '../shell/context.ts'
import { rasterUrl } from '../shell/raster-url.ts'

interface Parts {
  render: Render
  manifest: ClientManifest
  /** Version of the build, which scripts send with their calls. */
  version: string
  /** How long scripts wait for a response. */
  requestTimeoutMs: number
}

/** Renders a page into its document: head, canonical address, hreflang, attributes for the design tokens and for scripts. */
export function createDocument({ render, manifest, version, requestTimeoutMs }: Parts) {
  return ({ row, context, page, layout, loaded, layoutData, refusal, typed, status }: DocumentInput<ShopRoute, ShopContext>): string => {
    const { market, mode, locale, origin } = context
    const html = render({
      page: page as unknown as PageModule,
      layout: layout as never,
      context,
      data: loaded.data,
      layoutData,
      refusal,
      ...(typed && { typed }),
    })
    const listed = row !== null && isIndexable(row) && status === 200 && !/noindex/.test(loaded.robots ?? '')
    const canonical = loaded.canonical ?? context.pathname
    const picture = loaded.picture === undefined ? null : (rasterUrl(loaded.picture, 'share') ?? loaded.picture)
    return documentOf({
      language: locale,
      loaded,
      canonicalUrl: listed ? origin + canonical : null,
      alternates: listed ? alternatesOf(context, loaded.alternates, canonical) : [],
      pictureUrl: picture && new URL(picture, origin).href,
      robots: listed ? (loaded.robots ?? null) : (loaded.robots ?? 'noindex'),
      siteName: context.t(mode === 'b2b' ? 'shell.name-pro' : 'shell.name'),
      html,
      manifest,
      css: row?.page ? manifest.pageCss?.[row.page] : undefined,
      attributes: {
        'data-market': market,
        'data-mode': mode,
        'data-page': row?.name ?? 'error',
        'data-page-type': pageTypeOf(row),
        ...(status !== 200 && { 'data-status': String(status) }),
        ...(loaded.pageData?.view && { 'data-view': factsOf(loaded.pageData.view) }),
        ...(loaded.pageData?.custom && { 'data-custom': factsOf(loaded.pageData.custom) }),
        'data-access': row?.access ?? 'public',
        'data-timeout': String(requestTimeoutMs),
        'data-version': version,
      },
    })
  }
}

/** As a query, which is shorter in an attribute than JSON with its quotes escaped. */
function factsOf(facts: Readonly<Record<string, string | number>>): string {
  return new URLSearchParams(Object.entries(facts).map(([name, value]) => [name, String(value)])).toString()
}

/** The kind of page, for statistics: the area of the shop that its file belongs to. */
function pageTypeOf(row: ShopRoute | null): string {
  return /^\.\/([\w-]+)\//.exec(row?.page ?? '')?.[1] ?? 'error'
}

/** The page's addresses in the markets that have it. */
function alternatesOf(context: ShopContext, paths: Readonly<Record<string, string>> | undefined, canonical: string) {
  return context.alternates().flatMap(({ market, locale }) => {
    const path = paths ? paths[market] : canonical
    const there = path === undefined ? undefined : context.alternates(path).find((one) => one.market === market)
    return there ? [{ hreflang: locale, href: there.url }] : []
  })
}
