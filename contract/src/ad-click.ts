import { clickCookie } from './consent.ts'

/** The ad click that led to the shop, in a cookie of its own. Source: spec §3, R-495, R-496, R-695. */

const clickId = /^[\w-]{1,200}$/
const cookieText = new RegExp(`(?:^|;\\s*)${clickCookie}=([^;]*)`)

export const isClickId = (id: unknown): id is string => typeof id === 'string' && clickId.test(id)

/** The click of a cookie header, while it has an id and an expiry in the future. */
export function readClick(cookies: string | undefined, now: number): string | null {
  const text = cookieText.exec(cookies ?? '')?.[1]
  if (text === undefined) return null
  try {
    const { id, expires } = JSON.parse(decodeURIComponent(text)) as { id?: unknown; expires?: unknown }
    return isClickId(id) && typeof expires === 'number' && expires > now ? id : null
  } catch {
    return null
  }
}
