import type { EntryKind } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

/** The duration of a job in natural units: 45 minutes, 3 hours, 2 days of eight hours. */
export function timeOf(minutes: number, t: ShopContext['t']): string {
  if (minutes < 90) return t('advice.minutes', { count: minutes })
  const hours = Math.round(minutes / 30) / 2
  return hours <= 12 ? t('advice.hours', { count: hours }) : t('advice.days', { count: Math.round(hours / 4) / 2 })
}

/** 1 easy, 2 some practice, anything else demanding. */
export function levelOf(difficulty: number): '1' | '2' | 'other' {
  return difficulty === 1 ? '1' : difficulty === 2 ? '2' : 'other'
}

/** The kinds that a card names; the others are offers. */
export function kindOf(kind: EntryKind): (typeof named)[number] | 'other' {
  return named.find((one) => one === kind) ?? 'other'
}
const named = ['guide', 'comparison', 'project', 'help', 'trade', 'industry', 'family'] as const
