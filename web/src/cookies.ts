/** Cookies of a request by name; the first of a name wins. Never throws. */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null)
  if (!header) return cookies
  for (const pair of header.slice(0, 16_384).split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 1) continue
    const name = pair.slice(0, equals).trim()
    if (name === '' || name in cookies) continue
    const value = pair.slice(equals + 1).trim()
    cookies[name] = value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
  }
  return cookies
}

export interface CookieOptions {
  maxAgeSeconds?: number
  httpOnly?: boolean
  secure?: boolean
}

/** A Set-Cookie line for the whole site, SameSite=Lax. The value is escaped. */
export function cookieLine(name: string, value: string, { maxAgeSeconds, httpOnly = true, secure = false }: CookieOptions = {}): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, 'Path=/', 'SameSite=Lax']
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`)
  if (httpOnly) parts.push('HttpOnly')
  if (secure) parts.push('Secure')
  return parts.join('; ')
}
