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

/** The steps of pieces that are sent and arrive. */
export const wayToBuyer = [
  { from: 'pending', to: 'accepted', actor: 'seller' },
  { from: 'accepted', to: 'shipped', actor: 'seller' },
  { from: 'shipped', to: 'delivered', actor: 'carrier' },
] as const

/** Moves of all pieces that are in a state. */
export function movesOfAll(lines: readonly LineQuantities[], from: LineMove['from'], to: LineMove['to']): LineMove[] {
  return lines
    .map(({ offerId, quantities }) => ({ offerId, quantity: quantities[from] ?? 0, from, to }))
    .filter(({ quantity }) => quantity > 0)
}
