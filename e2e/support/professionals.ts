import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { trades } from '@purlin/contract/identity.ts'
import type { Market } from '@purlin/contract/markets.ts'
import { inventVatNumber } from '@purlin/demo/vat-number.ts'
import { createPool, type Pool } from '@purlin/server/foundation/platform/index.ts'
import type { Page } from 'playwright-core'
import { queryData } from './ask.ts'
import { queryShop } from './finding.ts'
import { linkIn } from './mailbox.ts'
import { patient } from './patience.ts'
import { people, type Visitor } from './visitor.ts'

/** Professionals on their way: registration, the goods they buy, and the shop's clock. */

export const proMarkets = ['de', 'fr', 'gb'] as const
export type ProMarket = (typeof proMarkets)[number]

/** The markets of a journey: one in every run, all with `--all`. */
export function marketsOf(always: ProMarket): readonly ProMarket[] {
  return process.env['ALL_MARKETS'] === undefined ? [always] : proMarkets
}

/** A number that the registers confirm, of a company that the credit provider accepts without a review, with the highest limit. */
export function acceptedVatNumber(market: Market): string {
  for (;;) {
    const number = inventVatNumber(market.toUpperCase(), randomInt(10_000, 99_999))
    const digits = number.replace(/\D/g, '')
    const isMoody = ['404', '503', '408', '409', '429', '502'].some((mood) => number.includes(mood))
    if (!isMoody && Number(digits.slice(-2)) % 4 === 3 && !digits.endsWith('9')) return number
  }
}

/** These journeys change many pages, write mails and PDFs: on a busy machine a step takes longer than elsewhere. */
const patience = patient(40_000)

export function newEmail(name: string): string {
  return `${name}.${randomUUID().slice(0, 8)}@mail.example`
}

/** A professional's first visits begin with notes, which have a journey of their own. */
export async function withoutNotes(page: Page): Promise<void> {
  page.setDefaultTimeout(patience)
  await page.addInitScript(() => ['b2b_welcome', 'b2b_vat_modal'].forEach((name) => sessionStorage.setItem(`purlin.${name}`, 'closed')))
}

interface Registration {
  /** The running shop, for its mailbox. */
  shop: { origin: string }
  email: string
  givenName: string
  /** The page at which the browser arrives afterwards. */
  arrivesAt: RegExp
  company?: { name: string; vatNumber: string }
}

/** Fills in the identity provider's form, which the visitor sees, and confirms the e-mail address by the link of its mail. */
export async function register({ page, market, t }: Visitor, { shop, email, givenName, arrivesAt, company }: Registration): Promise<void> {
  if (company) {
    await page.locator('[name="company"]').fill(company.name)
    await page.locator('[name="trade"]').selectOption(trades[0])
    await page.locator('[name="vat_number"]').fill(company.vatNumber)
    await page.locator('[name="role"]').selectOption('owner')
  }
  await page.locator('[name="given_name"]').fill(givenName)
  await page.locator('[name="family_name"]').fill(people[market].lastName)
  await page.locator('[name="email"]').fill(email)
  await page.locator('[name="password"]').fill('seven quiet kettles on the hob')
  await page.getByRole('button', { name: t('identity.register.submit') }).click()
  await page.getByRole('heading', { name: t('identity.mail-sent.title') }).waitFor()
  await page.goto(await linkIn(shop.origin, email, /http:\/\/id\.localhost[^"\s<]+\/link\/[\w-]+/))
  await page.getByRole('button', { name: t('identity.confirm.submit') }).click()
  await page.waitForURL(arrivesAt)
}

/** A request of the signed-in visitor, as the scripts of the pages send them. */
export async function callAs<Data>({ page, origin }: Visitor, query: string, variables: object): Promise<Data> {
  const cookies = await page.context().cookies(origin)
  const { host, port } = new URL(origin)
  return queryData<Data>(`http://localhost:${port}`, {
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      host,
    },
    body: JSON.stringify({ query, variables }),
  })
}

export interface Goods {
  url: string
  productId: string
  offerId: string
  sellerId: number
  bulk: number | null
  prices: { main: { asFloat: number } }
}

/** Goods of Purlin Pro sold singly, in the middle of their price range. */
export async function goodsOf(visitor: Visitor): Promise<Goods[]> {
  const fields = '{ cards { url productId offerId sellerId bulk prices { main { asFloat } } } }'
  const pages = ['kind: deals', 'kind: search, query: "18 v"'].map(
    (input, at) => `l${at}: listing(input: { ${input}, pageSize: 100 }) ${fields}`,
  )
  const lists = await queryShop<Record<string, { cards: Goods[] }>>(visitor, `{ ${pages.join(' ')} }`)
  const found = Object.values(lists).flatMap(({ cards }) => cards)
  const unique = [...new Map(found.map((card) => [card.productId, card])).values()]
  return unique.filter(({ bulk, prices }) => bulk === null && prices.main.asFloat > 30 && prices.main.asFloat < 400)
}

/** Adds goods to the basket from their page. */
export async function addToBasket({ page, origin, t }: Visitor, { url }: Pick<Goods, 'url'>): Promise<void> {
  await page.goto(origin + url)
  const add = page.getByRole('button', { name: t('goods.add'), exact: true }).first()
  await Promise.all([page.waitForResponse((response) => /"offerId"|do=add/.test(response.request().postData() ?? '')), add.click()])
  await page.waitForLoadState()
}

/** The content of a file that the signed-in visitor downloads. */
export async function bytesOf(page: Page, href: string): Promise<Buffer> {
  const [status, bytes] = await page.evaluate(async (url) => {
    const answer = await fetch(url)
    return [answer.status, [...new Uint8Array(await answer.arrayBuffer())]] as const
  }, href)
  assert.equal(status, 200, href)
  return Buffer.from(bytes)
}

export async function withDatabase<Value>(databaseUrl: string, act: (pool: Pool) => Promise<Value>): Promise<Value> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    return await act(pool)
  } finally {
    await pool.end()
  }
}

/** Lets the worker run a schedule now, and waits until it has. A journey moves time by moving the days of its own rows into the past. */
export async function runSchedule(pool: Pool, name: string): Promise<void> {
  await pool.query('update platform.schedule set next_run_at = now() where name = $1', [name])
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const { rows } = await pool.query('select 1 from platform.schedule where name = $1 and next_run_at > now()', [name])
    if (rows.length > 0) return
  }
  throw new Error(`The worker did not run ${name}`)
}

/** Looks at a page again until something is on it; the worker needs a moment. */
export async function lookUntil(
  page: Page,
  isThere: () => Promise<boolean>,
  open: () => Promise<unknown> = () => page.reload(),
): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; await page.waitForTimeout(300)) {
    if (await isThere()) return
    await open()
  }
  throw new Error(`What was waited for did not come at ${page.url()}`)
}
