import type { Route, RouteMatcher } from './route-table.ts'

/** Every page a second time below a prefix, in a layout of its own: for an app that brings header and navigation itself. */
export interface BarePages {
  /** "/webview" */
  prefix: string
  /** Name of the layout in the bundle. */
  layout: string
}

/** The prefix of an address and the page below it; no prefix for any other address. */
export function splitPrefix(pathname: string, bare: BarePages | undefined): { prefix: string; pathname: string } {
  if (!bare || (pathname !== bare.prefix && !pathname.startsWith(`${bare.prefix}/`))) return { prefix: '', pathname }
  return { prefix: bare.prefix, pathname: pathname.slice(bare.prefix.length) || '/' }
}

/** Keeps visitors below the prefix: links, forms and redirects to pages get it, files and calls do not. */
export function createPrefixer(match: RouteMatcher<Route>): {
  address(to: string, prefix: string): string
  html(body: string, prefix: string): string
} {
  const isPage = (path: string): boolean => {
    const route = match(path.split(/[?#]/, 1)[0] ?? '/')?.route
    return route !== undefined && !route.endpoint && route.layout !== 'none' && (route.page !== undefined || route.redirect !== undefined)
  }
  const address = (to: string, prefix: string): string => (prefix && /^\/(?!\/)/.test(to) && isPage(to) ? prefix + to : to)
  return {
    address,
    html: (body, prefix) =>
      prefix
        ? body.replace(
            /(\s(?:href|action|formaction|data-(?:\w+-)?href)=")(\/[^"]*)/g,
            (_, start: string, to: string) => start + address(to, prefix),
          )
        : body,
  }
}
