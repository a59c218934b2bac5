import type { SiteSettings } from '@purlin/contract/site-settings.ts'

const longest = 2048
/** In bytes, percent-encoded: the cookie of a sign-in contains it, and all cookies of a browser share one header. */
const maxPathBytes = 512

/**
 * The path on this site that a callback address leads to; `/` for everything else. Rejects whatever a browser could read
 * as another origin: backslashes, control characters, user names, two leading slashes, in any encoding. (A33)
 */
export function callbackPathOf(site: Pick<SiteSettings, 'origin' | 'host'>, host: string | undefined, given: unknown): string {
  if (typeof given !== 'string' || given === '' || given.length > longest || hasForbidden(given, 33)) return '/'
  if (given.startsWith('/')) return ownPath(given)
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || url.username || url.password) return '/'
  const isOurs = url.origin === site.origin || (host !== undefined && /^https?:$/.test(url.protocol) && url.host === host.toLowerCase())
  return isOurs ? ownPath(url.pathname + url.search + url.hash) : '/'
}

/** Condition of next-auth's INVALID_CALLBACK_URL_ERROR: the callback is not an http(s) URL. */
export function isWebAddress(given: string, origin: string): boolean {
  const base = given.startsWith('/') ? origin : undefined
  return URL.canParse(given, base) && /^https?:$/.test(new URL(given, base).protocol)
}

function ownPath(path: string): string {
  const [pathname = ''] = path.split(/[?#]/, 1)
  try {
    const plain = decodeURIComponent(pathname)
    if (plain.startsWith('//') || hasForbidden(plain, 32)) return '/'
  } catch {
    return '/'
  }
  const url = new URL(path, 'http://own.invalid')
  if (url.origin !== 'http://own.invalid' || url.pathname.startsWith('//')) return '/'
  const decoded = decodeURIComponent(url.pathname)
  if (decoded.startsWith('//')) return '/'
  // Endpoints are not pages: a sign-in must not end in a sign-out. Dot segments are resolved as a browser or a proxy would.
  const readings = [url.pathname, new URL(decoded, 'http://own.invalid').pathname]
  const encoded = url.pathname + url.search + url.hash
  return encoded.length > maxPathBytes || readings.some((each) => /^\/+api(?:\/|$)/i.test(each)) ? '/' : encoded
}

function hasForbidden(text: string, lowest: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < lowest || code === 127 || code === 92) return true
  }
  return false
}
