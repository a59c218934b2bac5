import { lineQuota } from '@purlin/contract/line-quota.ts'
import type { PageLog } from './pages-options.ts'

/** A log for lines that any request can cause: of each message, one of few, there is a quota by level. (A44) */
export function boundedLog(log: PageLog): PageLog {
  const quotas = new Map<string, () => boolean>()
  const bounded = (level: keyof PageLog) => (fields: object, message: string) => {
    const line = `${level} ${message}`
    const mayLog = quotas.get(line) ?? lineQuota()
    quotas.set(line, mayLog)
    if (mayLog()) log[level](fields, message)
  }
  return { info: bounded('info'), warn: bounded('warn'), error: bounded('error') }
}
