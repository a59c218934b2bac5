import { ask, type Answer } from '@purlin/e2e/support/ask.ts'
import { figure, type Figure } from './figures.ts'
import { codesOf, goodsOf } from './goods.ts'
import { asked } from './questions.ts'

const rounds = 15
const check = `query ($rows: [OrderRowInput!]!) { quickOrder(rows: $rows) {
  ready rows { code title url price { formatted } total { formatted } problem { message } } } }`
const addAll = 'mutation ($rows: [OrderRowInput!]!) { addQuickOrder(rows: $rows) { added } }'
const change =
  'mutation ($offerId: ID!, $quantity: Int!) { setCartQuantity(offerId: $offerId, quantity: $quantity) { refusal { message } } }'

/** A quick order of 200 rows checked, and a line of a cart of 300 changed; medians, one request after another. */
export async function benchQuickOrder(origin: string): Promise<Figure[]> {
  const codes = await codesOf(origin, (await goodsOf(origin)).products.slice(0, 300))
  const row = (code: string, quantity: number) => ({ code, quantity: String(quantity) })
  const rows = Array.from({ length: 200 }, (_, at) => (at % 17 === 16 ? row(`no such part ${at}`, 1) : row(codes[at] ?? '', 1)))
  const checkMs = await medianOf(() => ask(origin, asked(check, { rows })), '"ready"')

  const many = Array.from({ length: 300 }, (_, at) => row(codes[at] ?? '', 1))
  const filled = await ask(origin, asked(addAll, { rows: many }))
  const { data } = JSON.parse(filled.body.toString()) as { data: { addQuickOrder: { added: number } } }
  const cookie = String(filled.headers['set-cookie']).split(';', 1)[0] ?? ''
  const headers = { cookie, origin }
  const cart = await ask(origin, asked('{ cart { sellers { lines { offerId step maxQuantity } } } }', {}, headers))
  interface Line {
    offerId: string
    step: number
    maxQuantity: number
  }
  const { sellers } = (JSON.parse(cart.body.toString()) as { data: { cart: { sellers: { lines: Line[] }[] } } }).data.cart
  const line = sellers.flatMap(({ lines }) => lines).find(({ step, maxQuantity }) => maxQuantity >= 2 * step)
  if (!line) throw new Error('No line of the cart can be changed')
  let times = 0
  const changeMs = await medianOf(
    () => ask(origin, asked(change, { offerId: line.offerId, quantity: line.step * (1 + (times++ % 2)) }, headers)),
    '"refusal":null',
  )
  return [
    figure('quick order: 200 rows checked', checkMs, 'ms', '<= 300'),
    figure('quick order: lines in the cart', data.addQuickOrder.added, 'lines'),
    figure('a line of that cart changed', changeMs, 'ms', '<= 50'),
  ]
}

async function medianOf(send: () => Promise<Answer>, mustSay: string): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const { body } = await send()
    took.push(performance.now() - started)
    if (!body.includes(mustSay)) throw new Error(`The shop refused: ${body.toString().slice(0, 300)}`)
  }
  return took.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN
}
