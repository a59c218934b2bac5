import { buildUrl } from '@purlin/contract/path-helper.ts'
import { parseQuery } from './query.ts'
import type { Match, Route } from './route-table.ts'

/** The canonical address, if it is not the requested one. */
export function movedTo<Row extends Route>(found: Match<Row>, pathname: string, search: string): { status: number; to: string } | null {
  const { route, params, isNamed } = found
  if (route.redirect) return { status: route.redirect.status, to: buildUrl(route.redirect.to, params) + search }
  const plain = plainPath(pathname)
  if (plain !== pathname && !isNamed) return { status: 308, to: withoutDoubledSlashes(plain) + search }
  if (isNamed) {
    const query = parseQuery(search)
    const known: Record<string, string> = { ...params }
    for (const [name, value] of Object.entries(query)) if (typeof value === 'string') known[name] ??= value
    for (const address of route.addresses) {
      try {
        return { status: 308, to: buildUrl(address, known) + withoutParams(search, address) }
      } catch {
        continue
      }
    }
    return route.fallback === undefined ? null : { status: 302, to: route.fallback }
  }
  if (pathname !== '/' && (pathname.endsWith('/') || pathname.includes('//'))) {
    return { status: 308, to: withoutDoubledSlashes(pathname) + search }
  }
  return null
}

/** A Location that begins with two slashes would name another host. (V-16) */
function withoutDoubledSlashes(pathname: string): string {
  return `/${pathname.split('/').filter(Boolean).join('/')}`
}

/** The one spelling of a path: letters, digits and -._~ as they are, other escapes in capitals. Only it may become a cache key. (V-16) */
function plainPath(pathname: string): string {
  return pathname.replace(/%([0-9a-f]{2})/gi, (escape, code: string) => {
    const sign = String.fromCharCode(Number.parseInt(code, 16))
    return /[\w.~-]/.test(sign) ? sign : escape.toUpperCase()
  })
}

function withoutParams(search: string, pattern: string): string {
  const rest = new URLSearchParams(search)
  for (const [, name = ''] of pattern.matchAll(/\{(\w+)/g)) rest.delete(name)
  const text = rest.toString()
  return text && `?${text}`
}
