import type { SiteSettings } from '@purlin/contract/site-settings.ts'

/** Cookies of one host. `__Host-` binds them to it; browsers accept such cookies over https and from localhost. */

type SiteOrigin = Pick<SiteSettings, 'origin'>

/** Cookie of a session in the offices of sellers and of the marketplace; besides it a browser may have one of the shop. */
export const staffCookie = 'purlin-staff'

export function hostCookieName({ origin }: SiteOrigin, name: string): string {
  return isSecure(origin) ? `__Host-${name}` : name
}

/** A Set-Cookie line for an HttpOnly cookie; `seconds: 0` deletes it. */
export function hostCookie(site: SiteOrigin, name: string, value: string, seconds: number): string {
  const secure = isSecure(site.origin) ? '; Secure' : ''
  return `${hostCookieName(site, name)}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`
}

const sessionSeconds = 60 * 24 * 60 * 60

export function sessionCookieName(site: SiteOrigin): string {
  return hostCookieName(site, 'purlin')
}

export function sessionCookie(site: SiteOrigin, token: string): string {
  return hostCookie(site, 'purlin', token, sessionSeconds)
}

export function isSecure(origin: string): boolean {
  return /^https:|^http:\/\/(?:[a-z0-9-]+\.)*localhost(?::\d+)?$/.test(origin)
}

export function cookieValue(header: string | undefined, name: string): string {
  if (!header) return ''
  for (const pair of header.split(';', 100)) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return ''
}
