/** A trader in the register. */
export interface Trader {
  /** With its prefix: "GB123456782". */
  vatNumber: string
  name: string
  address: string
}

/** Behaviours of a register for a number. */
export type Mood = 'answers' | 'not-registered' | 'not-available' | 'slow' | 'contradicts' | 'rate-limited' | 'answers-html'

/** Digits in a number that trigger a behaviour; named after HTTP statuses. */
const moods: Readonly<Record<string, Mood>> = {
  '404': 'not-registered',
  '503': 'not-available',
  '408': 'slow',
  '409': 'contradicts',
  '429': 'rate-limited',
  '502': 'answers-html',
}

/** Number of failing queries for a number before the register recovers, as real outages do. */
const outageLength = 2

export interface Register {
  /** The behaviour for this query; each call counts. */
  moodOf(number: string): Mood
  find(number: string): Trader | null
}

/**
 * A register that knows the given traders, and accepts any other well-formed number without a name. Its outages
 * pass; it contradicts itself on every other query.
 */
export function createRegister(traders: readonly Trader[]): Register {
  const known = new Map(traders.map((trader) => [trader.vatNumber, trader]))
  const asked = new Map<string, number>()
  return {
    moodOf(number) {
      const mood = Object.entries(moods).find(([digits]) => number.includes(digits))?.[1] ?? 'answers'
      if (known.has(number) || mood === 'answers' || mood === 'not-registered') return known.has(number) ? 'answers' : mood
      const times = (asked.get(number) ?? 0) + 1
      // A demo register is queried for few numbers; its memory must not grow with user input.
      if (asked.size > 10_000) asked.clear()
      asked.set(number, times)
      if (mood === 'contradicts') return times % 2 === 1 ? 'answers' : 'not-registered'
      return times > outageLength ? 'answers' : mood
    },
    find: (number) => known.get(number) ?? null,
  }
}
