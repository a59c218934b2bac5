import type { Cart } from './cart.ts'

/** A cart as it would be with more pieces of some offers, at prices that nobody has agreed to yet. */
export function withAdded(cart: Cart, added: readonly { offer: { id: string }; quantity: number }[]): Cart {
  const lines = new Map(cart.lines.map((line) => [line.offerId, line]))
  for (const { offer, quantity } of added) {
    const held = lines.get(offer.id) ?? { offerId: offer.id, quantity: 0, seenPrice: 0 }
    lines.set(offer.id, { ...held, quantity: held.quantity + quantity })
  }
  return { ...cart, lines: [...lines.values()].filter(({ quantity }) => quantity > 0) }
}
