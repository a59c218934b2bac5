import type { Flash } from '@purlin/web/outcomes.ts'

/** Cookie in which a redirect leaves a message for the next page; if that page is shared, a small script reads it. */
export const flashCookie = 'purlin_flash'

const severities = ['info', 'success', 'warning', 'danger']

/** The message in a cookie; null when it is not one of ours. Only its key is used: a forged cookie cannot show text of its own. */
export function readFlash(cookie: string | undefined): Flash | null {
  if (!cookie) return null
  try {
    const { severity, key } = JSON.parse(cookie.startsWith('%') ? decodeURIComponent(cookie) : cookie) as Flash
    return typeof key === 'string' && /^flash\.[\w-]+$/.test(key) && severities.includes(severity) ? { severity, key } : null
  } catch {
    return null
  }
}
