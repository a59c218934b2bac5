import { log } from '#platform'

const maxPerMinute = 120
let minute = 0
let count = 0

/** Client error report. Untrusted input: fields are truncated and the number of log lines is bounded. (R-543, A44) */
export function logClientError(fields: Readonly<Record<string, unknown>>): void {
  const now = Math.floor(Date.now() / 60_000)
  if (now !== minute) [minute, count] = [now, 0]
  if (++count > maxPerMinute) return
  const told = Object.fromEntries(['code', 'error', 'message', 'url'].map((name) => [name, short(fields[name])]))
  const say = fields['level'] === 'warn' || fields['level'] === 'debug' ? log.warn : log.error
  say({ client: told }, 'client session error')
}

function short(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
}
