import { lineQuota } from '@purlin/contract/line-quota.ts'
import { log } from './log.ts'

const quotas = new Map<string, () => boolean>()

/** Logs a message that claims to come from a provider and is not signed by it; `text` is one of few, and each has a quota of lines. */
export function logForged(text: string, { address, reason }: { address: string; reason?: string }): void {
  const mayLog = quotas.get(text) ?? lineQuota()
  quotas.set(text, mayLog)
  if (mayLog()) log.warn({ address, ...(reason !== undefined && { reason: reason.slice(0, 200) }) }, text)
}
