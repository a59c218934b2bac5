import { maxOrderRows } from '@purlin/contract/order-limits.ts'
import type { OrderRow } from '@purlin/contract/order-rows.ts'
import type { RequestOptions } from '@purlin/e2e/support/ask.ts'
import { asked } from './questions.ts'

const check = `query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) {
  ready rows { code title url price { formatted } total { formatted } problem { message } } } }`
const addAll = 'mutation ($rows: [OrderRowInput!]!) { addQuickOrder(rows: $rows) { added } }'

type Send = (request: RequestOptions) => Promise<string>

/** A row that can be ordered as it is. */
export interface ReadyRow extends OrderRow {
  productId: string
}

/**
 * So many rows with one product each, all of which can be ordered: a check of others, or a cart without them, would cost less.
 * @param codesOf the EANs or part numbers of products, in their order
 * @throws if the shop has fewer
 */
export async function readyRows(
  products: readonly string[],
  count: number,
  codesOf: (products: readonly string[]) => Promise<readonly (string | null)[]>,
  send: Send,
): Promise<ReadyRow[]> {
  const found: ReadyRow[] = []
  for (let from = 0; from < products.length && found.length < count; from += maxOrderRows) {
    const group = products.slice(from, from + maxOrderRows)
    const codes = await codesOf(group)
    const rows = group.flatMap((productId, at) => (codes[at] ? [{ productId, code: codes[at], quantity: '1' }] : []))
    const { data } = JSON.parse(await send(asked(check, { rows: inputOf(rows) }))) as {
      data: { quickOrder: { rows: { problem: object | null }[] } }
    }
    found.push(...rows.filter((_row, at) => data.quickOrder.rows[at]?.problem === null))
  }
  if (found.length < count) throw new Error(`Of ${products.length} products only ${found.length} can be ordered, not ${count}`)
  return found.slice(0, count)
}

/** Checks rows. @throws unless exactly so many of them can be ordered */
export async function checkRows(send: Send, rows: readonly OrderRow[], ready: number): Promise<void> {
  const body = await send(asked(check, { rows: inputOf(rows) }))
  if (!body.includes(`"ready":${ready},`)) throw new Error(`Not ${ready} of ${rows.length} rows are ready: ${body.slice(0, 300)}`)
}

/** Adds rows to an empty cart. @throws unless each becomes a line */
export async function addRows(send: Send, rows: readonly OrderRow[]): Promise<void> {
  const body = await send(asked(addAll, { rows: inputOf(rows) }))
  if (!body.includes(`"added":${rows.length}}`)) throw new Error(`Not all of ${rows.length} rows were added: ${body.slice(0, 300)}`)
}

const inputOf = (rows: readonly OrderRow[]): OrderRow[] => rows.map(({ code, quantity }) => ({ code, quantity }))
