import { dayMs } from './plan.ts'

/** Days between a declined attempt and the next: four attempts within two weeks, then the subscription ends. */
export const retryDays = [3, 5, 6] as const

/** When a charge is attempted again after so many declined attempts; null after the last. */
export function nextAttempt(declined: number, now: Date): Date | null {
  const days = retryDays[declined - 1]
  return days === undefined ? null : new Date(now.getTime() + days * dayMs)
}

/** A renewal that is charged this late still continues the period before it, with its benefits. */
export const graceMs = dayMs

/** The beginning of a paid period: when it was due, or when it was paid if that was later than the grace allows. */
export function periodStart(dueAt: Date, paidAt: Date): Date {
  return paidAt.getTime() - dueAt.getTime() <= graceMs ? dueAt : paidAt
}

/** Whether a company has its benefits: in its trial, and in a period it has paid for. */
export function isEntitled({ state, paidUntil }: { state: string; paidUntil: Date | null }, now: Date): boolean {
  return (state === 'trialing' || state === 'active') && paidUntil !== null && now.getTime() < paidUntil.getTime() + graceMs
}
