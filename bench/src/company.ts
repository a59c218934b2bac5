import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { ask, queryData, type RequestOptions } from '@purlin/e2e/support/ask.ts'
import { asCommand, createPool, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { createCompanyGroup, givePriceList } from '@purlin/server/goods/conditions/index.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { figure, type Figure } from './figures.ts'
import { codesOf, goodsOf } from './goods.ts'
import { listsInBrowser } from './list-in-browser.ts'
import { quantile } from './order-cost.ts'
import { addRows, checkRows, readyRows } from './order-rows.ts'
import { processTreeCpuMs } from './process-cpu.ts'
import { asked, cartCountDocument, countAndPricesDocument } from './questions.ts'
import { webProcesses } from './web-processes.ts'

const rounds = 40
const change = `mutation ($offerId: ID!, $quantity: Int!) {
  setCartQuantity(offerId: $offerId, quantity: $quantity) { cart { itemCount totals { totalWithVat { formatted } } } refusal { message } } }`

/** A member of a company on Purlin Pro; `send` sends as their browser would. */
interface Member {
  /** The value of their session cookie. */
  token: string
  send(request: RequestOptions): Promise<string>
}

/**
 * The cost of agreed prices for a company: lists, quick orders and changes of a large cart, by a member whose company has a price for
 * everything and by one without any, in turn; medians, one request after another. CPU time of the web processes is believable on a
 * machine that is busy with something else, too.
 */
export async function benchCompany(origin: string, databaseUrl: string, pid: number | undefined): Promise<Figure[]> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    const { products, categories } = await goodsOf(origin)
    const without = await addMember(pool, origin, [])
    const rows = await readyRows(products, 300, (ids) => codesOf(origin, ids), without.send)
    const contract = rows.slice(0, 200).map(({ productId }) => productId)
    const having = await addMember(pool, origin, contract)
    const checked = (member: Member) => checkRows(member.send, rows.slice(0, 200), 200)
    const [checkWithout, checkHaving] = await mediansOf(
      rounds / 2,
      () => checked(without),
      () => checked(having),
    )
    // Before the carts are filled: the last piece of a product is in one of them afterwards.
    const cpuCheck = await cpuOf(pid, rounds / 2, () => checked(having))
    const changes = [await changesOf(without, rows), await changesOf(having, rows)] as const
    const [changeWithout, changeHaving] = await mediansOf(rounds, ...changes)
    const cpuChange = await cpuOf(pid, rounds, changes[1])
    const { anew, cached, personal, inBrowser } = await lists(origin, categories, without, having)
    return [
      figure('quick order: 200 rows checked, no agreed prices', checkWithout, 'ms', '<= 300'),
      figure('quick order: 200 rows checked, agreed prices', checkHaving, 'ms', '<= 300'),
      figure('cart of 300 lines: a change and its new totals, no agreed prices', changeWithout, 'ms', '<= 50'),
      figure('cart of 300 lines: a change and its new totals, agreed prices', changeHaving, 'ms', '<= 50'),
      figure('quick order: 200 rows checked, agreed prices, CPU of the web processes', cpuCheck, 'ms', '<= 300'),
      figure('cart of 300 lines: a change, agreed prices, CPU of the web processes', cpuChange, 'ms', '<= 50'),
      // A page from the cache is the same for both: what differs is the request that follows it, which has its share in the page made anew.
      figure('list page from the cache, and the number at the cart', cached[0], 'ms'),
      figure('list page from the cache, and the number at the cart with the agreed prices', cached[1], 'ms'),
      figure('number at the cart, which every page requests', personal[0], 'ms'),
      figure('number at the cart with the agreed prices of 48 offers', personal[1], 'ms'),
      figure('list page made anew, and the number at the cart', anew[0], 'ms'),
      figure('list page made anew, and the number at the cart with the agreed prices: of that without', (100 * anew[1]) / anew[0], '%'),
      figure('list page made anew in a browser, until the number at the cart is there', inBrowser[0], 'ms'),
      figure(
        'list page made anew in a browser, until the agreed prices are there as well: of that without',
        (100 * inBrowser[1]) / inBrowser[0],
        '%',
        '<= 110',
      ),
    ]
  } finally {
    await pool.end()
  }
}

/** Changes of one line of a member's cart of 300. */
async function changesOf(member: Member, rows: readonly OrderRow[]): Promise<() => Promise<string>> {
  await addRows(member.send, rows)
  const { data } = JSON.parse(await member.send(asked('{ cart { sellers { lines { offerId step maxQuantity } } } }', {}))) as {
    data: { cart: { sellers: { lines: { offerId: string; step: number; maxQuantity: number }[] }[] } }
  }
  const lines = data.cart.sellers.flatMap((seller) => seller.lines)
  const line = lines.find(({ step, maxQuantity }) => maxQuantity >= 2 * step)
  if (!line || lines.length !== rows.length) throw new Error(`The cart has ${lines.length} lines, not ${rows.length} that can be changed`)
  let times = 0
  return async () => {
    const body = await member.send(asked(change, { offerId: line.offerId, quantity: line.step * (1 + (times++ % 2)) }))
    if (!body.includes('"refusal":null')) throw new Error(`The shop refused: ${body.slice(0, 300)}`)
    return body
  }
}

interface Lists {
  /** Medians of a member without agreed prices and of one who has them. */
  anew: readonly [number, number]
  cached: readonly [number, number]
  personal: readonly [number, number]
  inBrowser: readonly [number, number]
}

/**
 * Lists of 48 made anew, each with a filter of its own, and one from the cache. After every page the browser requests the number at the
 * cart, and with it the agreed prices where the company has some: a page is complete once they are here.
 */
async function lists(origin: string, categories: readonly number[], without: Member, having: Member): Promise<Lists> {
  const document =
    'query ($id: Int!) { category(id: $id) { url } listing(input: { kind: category, id: $id, pageSize: 48 }) { cards { offerId } } }'
  const full: { url: string; offerIds: string[] }[] = []
  for (const id of categories.slice(0, 40)) {
    const { category, listing } = await queryData<{ category: { url: string }; listing: { cards: { offerId: string }[] } }>(
      origin,
      asked(document, { id }),
    )
    if (listing.cards.length === 48) full.push({ url: category.url, offerIds: listing.cards.map(({ offerId }) => offerId) })
  }
  if (full.length === 0) throw new Error('The shop is too small to measure lists')
  let filter = 0
  const next = () => full[Math.floor(filter / 2) % full.length]!
  const count = () => without.send(asked(cartCountDocument, {}))
  const countAndPrices = ({ offerIds }: (typeof full)[number]) => having.send(asked(countAndPricesDocument, { offerIds }))
  const nextPath = ({ url }: (typeof full)[number]) => `${url}?max%5Bprice%5D=${900_000 + filter++}`
  const list = (member: Member, shown: (typeof full)[number]) => member.send({ path: nextPath(shown) })
  return {
    anew: await mediansOf(
      rounds,
      async () => {
        await list(without, next())
        await count()
      },
      async () => {
        const shown = next()
        await list(having, shown)
        await countAndPrices(shown)
      },
    ),
    cached: await mediansOf(
      5 * rounds,
      async () => {
        await without.send({ path: full[0]!.url })
        await count()
      },
      async () => {
        await having.send({ path: full[0]!.url })
        await countAndPrices(full[0]!)
      },
    ),
    personal: await mediansOf(5 * rounds, count, () => countAndPrices(next())),
    inBrowser: await listsInBrowser(`http://pro.gb.localhost:${new URL(origin).port}`, [without.token, having.token], () => {
      const shown = next()
      return [nextPath(shown), nextPath(shown)]
    }),
  }
}

/** Median milliseconds of two requests that alternate: a machine that changes its pace does not judge. */
async function mediansOf(times: number, ...acts: readonly [() => Promise<unknown>, () => Promise<unknown>]): Promise<[number, number]> {
  const took: [number[], number[]] = [[], []]
  for (let round = -3; round < times; round++)
    for (const [at, act] of acts.entries()) {
      const started = performance.now()
      await act()
      if (round >= 0) took[at as 0 | 1].push(performance.now() - started)
    }
  return [quantile(took[0], 0.5), quantile(took[1], 0.5)]
}

/** CPU milliseconds of the web processes for each of so many requests. */
async function cpuOf(pid: number | undefined, times: number, act: () => Promise<unknown>): Promise<number> {
  const used = () => webProcesses(pid).reduce((sum, { id }) => sum + processTreeCpuMs(id), 0)
  const before = used()
  for (let round = 0; round < times; round++) await act()
  return (used() - before) / times
}

const sellers = {
  name: 'bench.sellers',
  text: `select id, (select array_agg(id) from catalogue.category where parent_id is null) as categories from sellers.seller`,
}

/** `agreed`: products in the contracts of the member's company, which has no prices of its own without them. */
async function addMember(pool: Pool, origin: string, agreed: readonly string[]): Promise<Member> {
  const company = await addCompany(pool.db)
  const { id } = await addCustomer(pool.db)
  await addMembership(pool.db, id, company.id, 'admin')
  if (agreed.length > 0) await agreeAll(pool, company.id, agreed)
  const { token } = await signIn(pool.db, { customerId: id, companyId: company.id, family: 'b2b' })
  const { port } = new URL(origin)
  const host = `pro.gb.localhost:${port}`
  const own = { host, cookie: `__Host-purlin=${token}`, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'accept-encoding': 'br' }
  return {
    token,
    send: async ({ headers, ...request }) => {
      const { status, body } = await ask(origin, {
        ...request,
        headers: { ...headers, ...own, ...(request.method && { 'accept-encoding': 'identity' }) },
      })
      const text = body.toString()
      if (status !== 200 || text.includes('"errors"')) throw new Error(`The shop answered ${status}: ${text.slice(0, 300)}`)
      return text
    },
  }
}

/** Every seller gives the company's group a percentage on everything, and the company a contract for these products. */
async function agreeAll(pool: Pool, companyId: string, products: readonly string[]): Promise<void> {
  const list = { market: 'gb', validFrom: null, validTo: null } as const
  for (const { id: sellerId, categories } of await pool.db.rows<{ id: number; categories: number[] }>(sellers))
    await asCommand(pool, async (work) => {
      const scope = { ...work, now: new Date() }
      const group = await createCompanyGroup(scope, sellerId, { name: `Bench ${companyId}`, companies: [{ companyId }] })
      if (!group.ok) throw new Error(group.reason)
      const rules = categories.map((categoryId) => ({ productId: null, categoryId, percentBp: 800, price: null }))
      await givePriceList(scope, sellerId, { ...list, name: 'Group', companies: [], groups: [group.id], rules })
      const goods = products.map((productId) => ({ productId, categoryId: null, percentBp: 900, price: null }))
      await givePriceList(scope, sellerId, { ...list, name: 'Contract', companies: [{ companyId }], groups: [], rules: goods })
    })
}
