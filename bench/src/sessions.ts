import { setTimeout as sleep } from 'node:timers/promises'
import { ask, type RequestOptions } from '@purlin/e2e/support/ask.ts'
import { createPool, type Pool } from '@purlin/server/foundation/platform/index.ts'
import { addCustomer, signIn } from '@purlin/server/people/accounts/testing.ts'
import { bare } from './bare.ts'
import { figure, type Figure } from './figures.ts'
import { goodsOf } from './goods.ts'
import { inTurn } from './in-turn.ts'
import { load } from './load.ts'
import { addDocument, asked } from './questions.ts'

const visitors = 100
const seconds = 3

const noRefusal = (body: string): boolean => body.includes('"refusal":null')
const isKnown = (body: string): boolean => body.includes('"email"')

/**
 * Cost of a session: reading it as a share of bare node:http, and what a customer does beside the same done by a guest, in turn
 * and by the medians of the rounds, so that a machine that changes its pace does not judge.
 */
export async function benchSessions(origin: string, databaseUrl: string): Promise<Figure[]> {
  const pool = createPool({ connectionString: databaseUrl, sizes: { commands: 1, single: 1 } })
  try {
    const { offers, categories } = await goodsOf(origin)
    const customers = await signedIn(pool)
    const guests = await withSession(origin, offers)
    const reads = customers.map((cookie): RequestOptions => ({ path: '/api/auth/session', headers: { cookie } }))
    const adds = (cookies: readonly string[]) =>
      cookies.flatMap((cookie, visitor) =>
        Array.from({ length: 10 }, (_, at) =>
          asked(addDocument, { offerId: offers[(visitor * 17 + at * 7) % offers.length] }, { cookie, origin }),
        ),
      )
    const moved = await ask(origin, { path: `/x-${categories[0]}` })
    const path = String(moved.headers['location'])
    const pages = (cookies: readonly string[]) =>
      cookies.map((cookie): RequestOptions => ({ path, headers: { cookie, 'accept-encoding': 'br' } }))

    const [hello, read] = await inTurn([() => bare(), () => load(origin, reads, { seconds, warmSeconds: 1, isGood: isKnown })])
    const [addOfGuest, addOfCustomer] = await inTurn([
      () => load(origin, adds(guests), { seconds, warmSeconds: 2, isGood: noRefusal }),
      () => load(origin, adds(customers), { seconds, warmSeconds: 2, isGood: noRefusal }),
    ])
    const [pageOfGuest, pageOfCustomer] = await inTurn([
      () => load(origin, pages(guests), { seconds, warmSeconds: 1 }),
      () => load(origin, pages(customers), { seconds, warmSeconds: 1 }),
    ])
    return [
      figure('session read: of hello', (100 * read) / hello, '%', '>= 12'),
      figure('session read: rate', read, 'requests/s'),
      figure('SQL statements: session read', await transactionsPer(pool, () => ask(origin, reads[0]!)), 'statements', '<= 1.2'),
      figure('add to cart, signed in: of a guest’s', (100 * addOfCustomer) / addOfGuest, '%', '>= 90'),
      figure('category page, signed in: of a guest’s', (100 * pageOfCustomer) / pageOfGuest, '%', '>= 90'),
    ]
  } finally {
    await pool.end()
  }
}

/** Sessions of customers, by their cookie. */
async function signedIn({ db }: Pool): Promise<string[]> {
  const cookies: string[] = []
  for (let count = 0; count < visitors; count++) {
    const { id } = await addCustomer(db)
    cookies.push(`purlin=${(await signIn(db, { customerId: id })).token}`)
  }
  return cookies
}

/** As many guests, with a session because they have put something into a cart. */
async function withSession(origin: string, offers: readonly string[]): Promise<string[]> {
  const cookies: string[] = []
  for (let count = 0; count < visitors; count++) {
    const { headers } = await ask(origin, asked(addDocument, { offerId: offers[count % offers.length] }))
    const [line = ''] = [headers['set-cookie'] ?? []].flat()
    cookies.push(line.split(';')[0] ?? '')
  }
  return cookies
}

const repeats = 500
/** Database transactions per request; a standalone statement counts as one. The worker's are negligible. */
async function transactionsPer(pool: Pool, request: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    // Connections report their statistics a second later.
    await sleep(1500)
    const { rows } = await pool.query<{ count: number }>(
      'select xact_commit::float8 as count from pg_stat_database where datname = current_database()',
    )
    return rows[0]?.count ?? 0
  }
  const before = await count()
  for (let at = 0; at < repeats; at++) await request()
  return ((await count()) - before) / repeats
}
