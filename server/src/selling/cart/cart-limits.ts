import { maxPieces } from '#catalogue'

/** Limits: lines in a cart, pieces per line, and the total of a cart (minor units with VAT). */
export const cartLimits = { lines: 300, quantity: maxPieces, total: 100_000_000 } as const
