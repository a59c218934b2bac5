import type { JobScope } from '#platform'
import type { VatAnswer, VatState } from './vat-state.ts'

/** A register has answered, or failed to. */
export interface VatNews {
  /** Whose number it is; null for a company's. */
  customerId: string | null
  vatNumber: string
  state: VatState
  answer: VatAnswer
}

/** Runs in the transaction that keeps the answer. */
export type FollowVat = (scope: JobScope, news: VatNews) => Promise<void>

let followers: readonly FollowVat[] = []

/** Connected once per process, where all modules meet (edges/connect-modules.ts). */
export function connectVat(...all: readonly FollowVat[]): void {
  followers = all
}

export function vatFollowers(): readonly FollowVat[] {
  return followers
}
