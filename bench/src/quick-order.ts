import { ask, type RequestOptions } from '@purlin/e2e/support/ask.ts'
import { figure, type Figure } from './figures.ts'
import { codesOf, goodsOf } from './goods.ts'
import { addRows, checkRows, readyRows } from './order-rows.ts'
import { asked } from './questions.ts'

const rounds = 15
const change =
  'mutation ($offerId: ID!, $quantity: Int!) { setCartQuantity(offerId: $offerId, quantity: $quantity) { refusal { message } } }'

/** A quick order of 200 rows checked, eleven of which are wrong, and a line of a cart of 300 changed; medians, one request after another. */
export async function benchQuickOrder(origin: string): Promise<Figure[]> {
  let headers: Record<string, string> = { origin }
  const send = async ({ headers: own, ...request }: RequestOptions) => {
    const answer = await ask(origin, { ...request, headers: { ...own, ...headers } })
    const given = answer.headers['set-cookie']
    if (given) headers = { ...headers, cookie: String(given).split(';', 1)[0] ?? '' }
    return answer.body.toString()
  }
  const many = await readyRows((await goodsOf(origin)).products, 300, (ids) => codesOf(origin, ids), send)
  const rows = many.slice(0, 200).map((row, at) => (at % 17 === 16 ? { code: `no such part ${at}`, quantity: '1' } : row))
  const checkMs = await medianOf(() => checkRows(send, rows, 189))

  await addRows(send, many)
  interface Line {
    offerId: string
    step: number
    maxQuantity: number
  }
  const cart = await send(asked('{ cart { sellers { lines { offerId step maxQuantity } } } }', {}))
  const { sellers } = (JSON.parse(cart) as { data: { cart: { sellers: { lines: Line[] }[] } } }).data.cart
  const lines = sellers.flatMap((seller) => seller.lines)
  const line = lines.find(({ step, maxQuantity }) => maxQuantity >= 2 * step)
  if (!line) throw new Error('No line of the cart can be changed')
  let times = 0
  const changeMs = await medianOf(async () => {
    const body = await send(asked(change, { offerId: line.offerId, quantity: line.step * (1 + (times++ % 2)) }))
    if (!body.includes('"refusal":null')) throw new Error(`The shop refused: ${body.slice(0, 300)}`)
  })
  return [
    figure('quick order: 200 rows checked', checkMs, 'ms', '<= 300'),
    figure('quick order: lines in the cart', lines.length, 'lines', '>= 300'),
    figure('a line of that cart changed', changeMs, 'ms', '<= 50'),
  ]
}

async function medianOf(act: () => Promise<void>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await act()
    took.push(performance.now() - started)
  }
  return took.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN
}
