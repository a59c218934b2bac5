import { ask } from '@purlin/e2e/support/ask.ts'
import { addKey } from '@purlin/server/after-sale/integrations/testing.ts'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { createPool, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { countStatements } from '@purlin/server/foundation/platform/test-statements.ts'
import { testDatabase } from '@purlin/server/foundation/platform/testing.ts'
import { addCustomer, signIn } from '@purlin/server/people/accounts/testing.ts'
import { figure, type Figure } from './figures.ts'
import { quantile } from './order-cost.ts'
import { asked } from './questions.ts'

const ordersOfCustomer = 5_000
/** Rows written by one statement. */
const batch = 20_000
const rounds = 15
/** No seller of the demo has this id. */
const sellerId = 900_001

const myOrders = `query ($page: Int!, $filter: OrderFilter!) { myOrders(page: $page, filter: $filter) {
  total page pages orders { id stateLabel placedAt total { formatted } sellerNames lineCount lines { title imageUrl quantity } deliveryPromise } } }`

/**
 * Long lists of orders: a customer's with 5,000 and a seller's with as many as asked for, read through the API of a gateway in this
 * process and a database of its own. What counts is the last page compared with the first, which a slow machine does not change.
 */
export async function benchLists(sales: number): Promise<Figure[]> {
  const { connectionString } = await testDatabase()
  // Without limits of time: on a busy machine a page is late, not missing.
  const pool = createPool({ connectionString, limits: false, name: 'purlin bench' })
  const gateway = await testGateway(pool)
  try {
    return [...(await customersList(pool, gateway.url)), ...(await sellersList(pool, gateway.url, sales))]
  } finally {
    await gateway.close()
    await pool.end()
  }
}

async function customersList(pool: Pool, origin: string): Promise<Figure[]> {
  const { id } = await addCustomer(pool.db)
  const { token } = await signIn(pool.db, { customerId: id })
  await addOrders(pool, { owner: `c:${id}`, prefix: 'BC', seller: 1, count: ordersOfCustomer })
  await analyze(pool)
  const headers = { host: 'localhost', cookie: `__Host-purlin=${token}`, 'sec-fetch-site': 'same-origin' }
  let statements = 0
  const read = async (page: number, filter: string) => {
    const answer = await ask(origin, asked(myOrders, { page, filter }, headers))
    const { data } = JSON.parse(answer.body.toString()) as { data: { myOrders: { pages: number; orders: object[] } } | null }
    if (!data || data.myOrders.orders.length !== 10) throw new Error(`Page ${page} is not full: ${answer.body.toString().slice(0, 300)}`)
    statements = Math.max(statements, Number(answer.headers['x-sql-statements']))
    return data.myOrders.pages
  }
  const figures: Figure[] = []
  for (const filter of ['all', 'open']) {
    const pages = await read(1, filter)
    const [first, middle, last] = await mediansOf([1, Math.ceil(pages / 2), pages].map((page) => () => read(page, filter)))
    const name = `a customer's ${filter === 'all' ? '' : `${filter} `}orders, ${pages} pages`
    figures.push(
      figure(`${name}: first page`, first, 'ms'),
      figure(`${name}: middle page of the first`, (100 * middle) / first, '%', '<= 125'),
      figure(`${name}: last page of the first`, (100 * last) / first, '%', '<= 125'),
    )
  }
  return [...figures, figure('a page of a customer’s orders: statements', statements, '', '<= 3')]
}

async function sellersList(pool: Pool, origin: string, sales: number): Promise<Figure[]> {
  for (let done = 0; done < sales; done += batch)
    await addOrders(pool, { owner: 's:bench', prefix: 'BS', seller: sellerId, count: Math.min(batch, sales - done), offset: done })
  await analyze(pool)
  const { key } = await addKey(pool.db, sellerId)
  const read = async (after: string) => {
    const query = after === '' ? '' : `?after=${after}`
    const { status, body } = await ask(origin, {
      path: `/api/seller/v1/orders${query}`,
      headers: { host: 'localhost', authorization: `Bearer ${key}` },
    })
    const { orders } = JSON.parse(body.toString()) as { orders?: object[] }
    if (status !== 200 || orders?.length !== 50) throw new Error(`The list answered ${status}: ${body.toString().slice(0, 300)}`)
  }
  const idOf = (n: number) => `${orderId('BS', n)}-${sellerId}`
  const pages = ['', idOf(Math.floor(sales / 2)), idOf(sales - 50)]
  // The first request of a minute also notes that the key was used.
  await read('')
  let statements = 0
  for (const after of pages) statements = Math.max(statements, (await countStatements(() => read(after))).statements)
  const [first, middle, last] = await mediansOf(pages.map((after) => () => read(after)))
  const name = `a seller's ${sales.toLocaleString('en')} orders`
  return [
    figure(`${name}: first page`, first, 'ms'),
    figure(`${name}: page from the middle of the first`, (100 * middle) / first, '%', '<= 125'),
    figure(`${name}: last page of the first`, (100 * last) / first, '%', '<= 125'),
    figure('a page of a seller’s orders: statements', statements, '', '<= 3'),
  ]
}

/** Median milliseconds of requests in turn: a machine that changes its pace changes all of them. */
async function mediansOf(acts: readonly (() => Promise<unknown>)[]): Promise<[number, number, number]> {
  const took: number[][] = acts.map(() => [])
  for (let round = -3; round < rounds; round++)
    for (const [at, act] of acts.entries()) {
      const started = performance.now()
      await act()
      if (round >= 0) took[at]?.push(performance.now() - started)
    }
  const [first = Number.NaN, middle = Number.NaN, last = Number.NaN] = took.map((each) => quantile(each, 0.5))
  return [first, middle, last]
}

const tables = 'orders.customer_order, orders.seller_order, orders.order_line, orders.line_move'
/** As the database does by itself after a while. */
const analyze = ({ db }: Pool) => db.run({ name: 'bench.analyze', text: `analyze ${tables}` }, [])

const orderId = (prefix: string, n: number) => `${prefix}${String(n).padStart(12, '0')}`

/** Paid orders of one line, half of them delivered and one in ten cancelled, a minute apart, in one statement per table. */
async function addOrders(
  { db }: Pool,
  { owner, prefix, seller, count, offset = 0 }: { owner: string; prefix: string; seller: number; count: number; offset?: number },
): Promise<void> {
  const id = `'${prefix}' || lpad(n::text, 12, '0')`
  const part = `${id} || '-${seller}'`
  const from = `from generate_series(${offset + 1}::int, ${offset + count}::int) n`
  const run = (name: string, text: string) =>
    db.run({ name: `bench.${name}.${prefix}.${offset}`, text: `${text} on conflict do nothing` }, [])
  const address = `'{"firstName": "Ann", "lastName": "Lee", "line1": "1 Mill Lane", "postcode": "LS1 1AA", "city": "Leeds", "country": "GB"}'`
  await run(
    'orders',
    `insert into orders.customer_order (id, owner, cart_id, market, mode, currency, tax_key, email, state, address, billing_address, total, created_at, placed_at, paid_at)
      select ${id}, '${owner}', gen_random_uuid(), 'gb', 'b2c', 'GBP', 'with_vat', 'ann@example.com', 'paid', ${address}, ${address}, 12000, t, t, t
      ${from}, lateral (select now() - n * interval '1 minute' as t) times`,
  )
  await run(
    'parts',
    `insert into orders.seller_order (id, customer_order_id, seller_id, state, seller, delivery_kind, delivery_options, goods, delivery, discount, total,
        seller_discount, commission, commission_vat, outcome)
      select ${part}, ${id}, ${seller}, 'pending', '{"name": "Bench"}', 'standard', '[{"kind": "standard", "promise": "2 days", "daysMin": 1, "daysMax": 2}]',
        12000, 0, 0, 12000, 0, 1200, 240, case when n % 10 < 5 then 'arrived' when n % 10 = 9 then 'dropped' else 'open' end ${from}`,
  )
  await run(
    'lines',
    `insert into orders.order_line (customer_order_id, offer_id, seller_order_id, product_id, position, quantity, unit_price, total, discount, net, vat,
        vat_rate_bp, tax_key, snapshot)
      select ${id}, 1, ${part}, 1, 0, 1, 12000, 12000, 0, 10000, 2000, 2000, 'with_vat', '{"title": "Drill", "imageUrl": "/p/1.svg"}' ${from}`,
  )
  const move = (was: string, next: string, which: string) =>
    `insert into orders.line_move (id, seller_order_id, offer_id, quantity, from_state, to_state, actor, reason)
      select gen_random_uuid(), ${part}, 1, 1, '${was}', '${next}', 'seller', 'bench' ${from} where ${which}`
  const isDelivered = 'n % 10 < 5'
  await run('accepted', move('pending', 'accepted', isDelivered))
  await run('shipped', move('accepted', 'shipped', isDelivered))
  await run('delivered', move('shipped', 'delivered', isDelivered))
  await run('cancelled', move('pending', 'cancelled', 'n % 10 = 9'))
}
