import { log } from './log.ts'

const maxPerMinute = 120

/** Whether another line may be written this minute: for lines that anybody can cause. (A44) */
export function lineQuota(): () => boolean {
  let minute = 0
  let count = 0
  return () => {
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute) [minute, count] = [now, 0]
    return ++count <= maxPerMinute
  }
}
const quotas = new Map<string, () => boolean>()

/** Logs a message that claims to come from a provider and is not signed by it; `text` is one of few, and each has a quota of lines. */
export function logForged(text: string, { address, reason }: { address: string; reason?: string }): void {
  const mayLog = quotas.get(text) ?? lineQuota()
  quotas.set(text, mayLog)
  if (mayLog()) log.warn({ address, ...(reason !== undefined && { reason: reason.slice(0, 200) }) }, text)
}
