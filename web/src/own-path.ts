/**
 * A path on this site, or the fallback: for `callbackUrl` and similar parameters (A33). Accepts only paths that no browser
 * can read as another origin: one leading slash, no backslash, no control character, nothing that decodes to them.
 */
export function ownPath(target: unknown, fallback = '/'): string {
  if (typeof target !== 'string' || target.length === 0 || target.length > 2048) return fallback
  if (!target.startsWith('/') || target.startsWith('//')) return fallback
  if (hasForbidden(target, 33)) return fallback
  const pathname = target.split(/[?#]/, 1)[0] ?? ''
  try {
    const plain = decodeURIComponent(pathname)
    if (plain.startsWith('//') || hasForbidden(plain, 32)) return fallback
  } catch {
    return fallback
  }
  const url = new URL(target, 'http://own.invalid')
  return url.origin === 'http://own.invalid' && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : fallback
}

function hasForbidden(text: string, lowest: number): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < lowest || code === 127 || code === 92) return true
  }
  return false
}
