import { lineQuota, log } from '#platform'

const mayReport = lineQuota()
const mayRefuse = lineQuota()

/** Client error report. Untrusted input: a warning at most, truncated, and the number of log lines is bounded. (R-543, A44) */
export function logClientError(fields: Readonly<Record<string, unknown>>): void {
  if (!mayReport()) return
  const told = Object.fromEntries(['level', 'code', 'error', 'message', 'url'].map((name) => [name, short(fields[name])]))
  log.warn({ client: told }, 'client session error')
}

/** A request that its sender got wrong. */
export function logRefused({ code, action }: { code: string; action: string }): void {
  if (mayRefuse()) log.warn({ code, action: short(action) }, 'a request to the session service was refused')
}

const mayRefuseSignIn = lineQuota()

/** A sign-in whose code the identity provider refuses: anybody can return with an invented one. */
export function logRefusedSignIn({ provider, cause, agent }: { provider: string; cause: string; agent: string | undefined }): void {
  if (mayRefuseSignIn()) log.warn({ provider, cause: short(cause), agent: short(agent) }, 'a sign-in was refused')
}

function short(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 300)
}
