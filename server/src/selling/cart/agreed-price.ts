import type { PriceStep } from '#pricing'

/** Steps as a parameter of the statements below. */
export const stepsJson = (steps: readonly PriceStep[]): string => JSON.stringify(steps.map(({ from, price }) => [from, price]))

/** SQL: the price per piece that a quantity reaches. */
export const priceAt = (steps: string, quantity: string): string =>
  `(select (step ->> 1)::integer from jsonb_array_elements(${steps}) step where (step ->> 0)::integer <= ${quantity}
      order by (step ->> 0)::integer desc limit 1)`

/**
 * SQL: the price agreed to after the buyer has changed the quantity of a line `l`. Reaching another step is their own doing; a
 * price that had changed before remains to be confirmed.
 */
export const priceAfter = (steps: string, quantity: string): string =>
  `case when l.seen_price = ${priceAt(steps, 'l.quantity')} then ${priceAt(steps, quantity)} else l.seen_price end`
