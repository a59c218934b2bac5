import type { Flash } from '@purlin/web/outcomes.ts'

/** Cookie a redirect leaves a message in; written by the server's half of the storefront. */
export const flashCookie = 'purlin_flash'

const severities = ['info', 'success', 'warning', 'danger']

/** The message of a cookie; null when it is none of ours. Only its key is taken: a forged cookie can say nothing of its own. */
export function readFlash(cookie: string | undefined): Flash | null {
  if (!cookie) return null
  try {
    const flash = JSON.parse(cookie.startsWith('%') ? decodeURIComponent(cookie) : cookie) as Flash
    if (typeof flash.key !== 'string' || !/^[\w-]+(\.[\w-]+)+$/.test(flash.key) || !severities.includes(flash.severity)) return null
    return flash
  } catch {
    return null
  }
}
