/** Spec §4: valid, not valid, pending. */
export type VatState = 'valid' | 'not-valid' | 'pending'

/** Results of a register for a number. */
export type VatAnswer =
  | { outcome: 'valid'; name: string | null; address: string | null; consultationNumber: string | null; body: unknown }
  | { outcome: 'not-valid'; consultationNumber: string | null; body: unknown }
  | { outcome: 'unanswered'; fault: string; body: unknown }

export interface VatStanding {
  state: VatState
  /** Consecutive responses that contradict the state. */
  doubts: number
  /** Attempts in a row without an answer. */
  tries: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Registers take a valid number away for an hour and give it back: one contradiction changes nothing, a second one does. */
const doubtsAllowed = 1
/** A number that was just given out reaches the register days later. */
const laterLooks = 3

/**
 * State of a number after a response. An unavailable register changes nothing: a valid number stays valid. A number that its register
 * knows but that is not shown to be its owner's (`isTheirs`) stays pending until an operator has looked it up.
 */
export function standingAfter(
  { state, doubts, tries }: VatStanding,
  { outcome }: Pick<VatAnswer, 'outcome'>,
  { isTheirs }: { isTheirs: boolean },
): VatStanding {
  if (outcome === 'unanswered') return { state, doubts, tries: tries + 1 }
  if (outcome === 'valid') return { state: isTheirs ? 'valid' : 'pending', doubts: 0, tries: 0 }
  if (state === 'valid' && doubts < doubtsAllowed) return { state, doubts: doubts + 1, tries: 0 }
  return { state: 'not-valid', doubts: state === 'not-valid' ? doubts + 1 : 0, tries: 0 }
}

/** Pause before the next check, in milliseconds; null when there is none. */
export function pauseBefore({ state, doubts, tries }: VatStanding): number | null {
  if (tries > 0) return Math.min(minuteMs * 2 ** (tries - 1), 6 * hourMs)
  if (state === 'not-valid') return doubts >= laterLooks ? null : dayMs
  return doubts > 0 ? hourMs : 30 * dayMs
}
