/** Ways to pay besides cards: wallets, which are confirmed, and credits, which may be refused. */
export const wallets = ['apple-pay', 'google-pay', 'paypal'] as const
export const credits = ['klarna', 'three-parts'] as const
export const ways = [...wallets, ...credits] as const
export type Way = (typeof ways)[number]

export function isCredit(way: Way): boolean {
  return (credits as readonly Way[]).includes(way)
}

/** The code with which a buyer sees their credit refused, in the demo. */
export const refusedCode = '000000'

/** Three parts of an amount in minor units; the first has what is left over. */
export function threeParts(amount: number): [number, number, number] {
  const part = Math.floor(amount / 3)
  return [amount - 2 * part, part, part]
}
