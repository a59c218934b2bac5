import type { PriceStep } from '#pricing'

/** Steps as a parameter of the statements below. */
export const stepsJson = (steps: readonly PriceStep[]): string =>
  JSON.stringify(steps.map(({ from, price, unquoted = price }) => [from, price, unquoted]))

const stepAt = (steps: string, quantity: string, price: 1 | 2): string =>
  `(select (step ->> ${price})::integer from jsonb_array_elements(${steps}) step where (step ->> 0)::integer <= ${quantity}
      order by (step ->> 0)::integer desc limit 1)`

/** SQL: the price per piece that a quantity reaches. */
export const priceAt = (steps: string, quantity: string): string => stepAt(steps, quantity, 1)

/**
 * SQL: the price agreed to after the buyer has changed the quantity of a line `l`. Reaching another step is their own doing; a
 * price that had changed before remains to be confirmed. A quote may have begun to apply since: the price without it was agreed to as well.
 */
export const priceAfter = (steps: string, quantity: string): string =>
  `case when l.seen_price in (${stepAt(steps, 'l.quantity', 1)}, ${stepAt(steps, 'l.quantity', 2)}) then ${priceAt(steps, quantity)} else l.seen_price end`
