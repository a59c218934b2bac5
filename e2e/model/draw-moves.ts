import type { LineMove, LineQuantities } from '@purlin/server/selling/orders/line-moves.ts'
import { sellerOrderStates, sellerOrderSteps } from '@purlin/server/selling/orders/order-states.ts'

/** One or two moves of pieces, allowed or not; `below` draws a number below another. */
export function drawMoves(below: (n: number) => number, lines: readonly LineQuantities[]): LineMove[] {
  const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value
  return Array.from({ length: 1 + below(2) }, () => {
    const { offerId, quantities } = oneOf(lines)
    const held = Object.keys(quantities) as LineMove['from'][]
    const known = sellerOrderSteps.filter(({ from }) => held.includes(from))
    // One in five is nonsense.
    const { from, to } =
      below(5) === 0 || known.length === 0 ? { from: oneOf(sellerOrderStates), to: oneOf(sellerOrderStates) } : oneOf(known)
    return { offerId: below(40) === 0 ? '404' : offerId, quantity: below(5), from, to }
  })
}

/** One or two pieces that get into an incident, or are found; any move while nothing is with a carrier. */
export function drawReport(below: (n: number) => number, lines: readonly LineQuantities[]): LineMove[] {
  const reports = lines.flatMap(({ offerId, quantities: { shipped = 0, 'incident-open': missing = 0 } }): LineMove[] => [
    ...(shipped > 0 ? [{ offerId, quantity: 1 + below(Math.min(2, shipped)), from: 'shipped', to: 'incident-open' } as const] : []),
    ...(missing > 0 ? [{ offerId, quantity: 1 + below(Math.min(2, missing)), from: 'incident-open', to: 'delivered' } as const] : []),
  ])
  const report = reports[below(reports.length)]
  return report ? [report] : drawMoves(below, lines)
}

/** The steps of pieces that are sent. */
export const wayToCarrier = [
  { from: 'pending', to: 'accepted', actor: 'seller' },
  { from: 'accepted', to: 'shipped', actor: 'seller' },
] as const

/** The steps of pieces that are sent and arrive. */
export const wayToBuyer = [...wayToCarrier, { from: 'shipped', to: 'delivered', actor: 'carrier' }] as const

/** Moves of all pieces that are in a state. */
export function movesOfAll(lines: readonly LineQuantities[], from: LineMove['from'], to: LineMove['to']): LineMove[] {
  return lines
    .map(({ offerId, quantities }) => ({ offerId, quantity: quantities[from] ?? 0, from, to }))
    .filter(({ quantity }) => quantity > 0)
}
