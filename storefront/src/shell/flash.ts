import type { Flash } from '@purlin/web/outcomes.ts'

/** Cookie a redirect leaves a message in, for the next page; where that is made for everybody, a small script reads it. */
export const flashCookie = 'purlin_flash'

const severities = ['info', 'success', 'warning', 'danger']

/** The message of a cookie; null when it is none of ours. Only its key is taken: a forged cookie can say nothing of its own. */
export function readFlash(cookie: string | undefined): Flash | null {
  if (!cookie) return null
  try {
    const { severity, key } = JSON.parse(cookie.startsWith('%') ? decodeURIComponent(cookie) : cookie) as Flash
    return typeof key === 'string' && /^flash\.[\w-]+$/.test(key) && severities.includes(severity) ? { severity, key } : null
  } catch {
    return null
  }
}
