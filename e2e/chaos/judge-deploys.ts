import type { Violation } from '../violation.ts'
import type { Deployed } from './buy-during-deploys.ts'

interface Judged extends Deployed {
  /** How many processes had to be replaced: those of one restart times the restarts. */
  wanted: number
  /** Orders that were confirmed to a buyer and are not in the tables as they were confirmed. */
  lost: readonly string[]
  violations: readonly Violation[]
}

/** The reasons for which rolling restarts did not hold; none if every request was served, every process replaced and no order lost. */
export function judgeDeploys({ requests, failed, placed, paid, replaced, wanted, lost, violations }: Judged): string[] {
  return [
    ...[...Map.groupBy(failed, (what) => what.replace(/[\da-f]{8,}[\da-f-]*/g, '…'))].map(
      ([what, all]) => `failed: ${all.length} × ${what}`,
    ),
    ...(requests === 0 ? ['nothing was requested'] : []),
    ...(placed.length === 0 ? ['no order was placed'] : []),
    ...(paid.length < placed.length ? [`${placed.length - paid.length} of ${placed.length} orders were not paid`] : []),
    ...lost.map((what) => `lost: ${what}`),
    ...(wanted === 0 || replaced < wanted ? [`${replaced} of ${wanted} processes were replaced`] : []),
    ...violations.map(({ id, what }) => `${id}: ${what}`),
  ]
}

/** Confirmed orders that are missing in the tables, still open, or not paid although their buyer saw them paid. */
export function lostOrders({ placed, paid }: Pick<Deployed, 'placed' | 'paid'>, rows: readonly { id: string; state: string }[]): string[] {
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  const isPaid = new Set(paid)
  return placed.flatMap((id) => {
    const state = states.get(id)
    if (state === undefined) return [`${id} is not in the tables`]
    const unpaid = ['draft', 'awaiting-payment', 'authorised', 'cancelled']
    return state === 'draft' || (isPaid.has(id) && unpaid.includes(state)) ? [`${id} is ${state}`] : []
  })
}
