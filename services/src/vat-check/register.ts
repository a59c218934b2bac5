/** A trader in the register. */
export interface Trader {
  /** With its prefix: "GB123456782". */
  vatNumber: string
  name: string
  address: string
}

/** How a register behaves about one number. */
export type Mood = 'answers' | 'not-registered' | 'not-available' | 'slow' | 'contradicts' | 'rate-limited' | 'answers-html'

/** Digits in a number that make the register behave; named as HTTP would. */
const moods: Readonly<Record<string, Mood>> = {
  '404': 'not-registered',
  '503': 'not-available',
  '408': 'slow',
  '409': 'contradicts',
  '429': 'rate-limited',
  '502': 'answers-html',
}

/** Questions about a number that go wrong before the register comes round, as real outages end. */
const outageLength = 2

export interface Register {
  /** Behaviour for this question; each counts. */
  moodOf(number: string): Mood
  find(number: string): Trader | null
}

/**
 * A register that knows the traders given, and everybody else whose number is well-formed, without a name. Its outages
 * pass; it contradicts itself at every other question.
 */
export function createRegister(traders: readonly Trader[]): Register {
  const known = new Map(traders.map((trader) => [trader.vatNumber, trader]))
  const asked = new Map<string, number>()
  return {
    moodOf(number) {
      const mood = Object.entries(moods).find(([digits]) => number.includes(digits))?.[1] ?? 'answers'
      if (known.has(number) || mood === 'answers' || mood === 'not-registered') return known.has(number) ? 'answers' : mood
      const times = (asked.get(number) ?? 0) + 1
      // A register of the demo is asked about few numbers; it must not grow with what strangers type.
      if (asked.size > 10_000) asked.clear()
      asked.set(number, times)
      if (mood === 'contradicts') return times % 2 === 1 ? 'answers' : 'not-registered'
      return times > outageLength ? 'answers' : mood
    },
    find: (number) => known.get(number) ?? null,
  }
}
