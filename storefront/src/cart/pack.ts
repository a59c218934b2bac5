/** Values of a card's button: the offer, and the pack size if fewer cannot be bought. */
export function packOf(offerId: string, bulk: number | null): string {
  return bulk === null ? offerId : `${offerId}x${bulk}`
}

export function splitPack(pick: string): { offerId: string; quantity: number | null } {
  const [, offerId = pick, quantity = null] = /^(\d+)x(\d{1,6})$/.exec(pick) ?? []
  return { offerId, quantity: quantity === null ? null : Number(quantity) }
}

/** Names what was just removed in the address of the cart: the offer, and how many there were. */
export const removedField = 'removed'
