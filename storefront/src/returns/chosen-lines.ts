import type { ShopContext } from '../shell/context.ts'

/** Lines chosen on the first step of a form: `lines[o<offer>]=<quantity>`. */
export function chosenLines(query: ShopContext['query']): { offerId: string; quantity: number }[] {
  const chosen = query['lines']
  if (typeof chosen !== 'object' || Array.isArray(chosen)) return []
  return Object.entries(chosen).flatMap(([offerId, quantity]) =>
    typeof quantity === 'string' && /^[1-9]\d{0,5}$/.test(quantity)
      ? [{ offerId: offerId.replace(/^o/, ''), quantity: Number(quantity) }]
      : [],
  )
}

/** Name of the field for the quantity of a line. A key of digits alone would be read as an index. */
export function chosenName(offerId: string): string {
  return `lines[o${offerId}]`
}
