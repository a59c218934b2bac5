/** A34: whatever changes something with a session's cookie, requested by a page that is not ours. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accessOf, isForStaff, type Action } from '@purlin/contract/actions.ts'
import type { Mode } from '@purlin/contract/markets.ts'
import { operatorRoles } from '@purlin/contract/principal.ts'
import { addStaff, signIn } from '@purlin/server/people/accounts/testing.ts'
import { hosts, shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
after(() => shop.close())
const { db, pool } = shop.database

/** An operator with every role. */
const operator = await addStaff(db, { roles: operatorRoles.map((role) => ({ role, market: null })) })
const office = `__Host-purlin-staff=${(await signIn(db, { staffId: operator.id, family: 'staff' })).token}`

const own = (host: string) => ({ origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })
const foreign: Record<string, Record<string, string>> = {
  'another site': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  'another site, as plain text': { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  'another site, as a form': {
    origin: 'https://evil.example',
    'sec-fetch-site': 'cross-site',
    'content-type': 'application/x-www-form-urlencoded',
  },
  'a page of unknown origin': { origin: 'null' },
  'a sandboxed page of ours': { origin: 'null', 'sec-fetch-site': 'same-origin' },
  'a sibling domain': { origin: 'http://evil.localhost:3000', 'sec-fetch-site': 'same-site' },
  'an old browser on a sibling domain': { origin: 'http://evil.localhost:3000' },
  'a client that names no page': {},
}

/** Routes whose permission is not the cookie, so that another page gains nothing by them. */
const withoutCookies: Record<string, string> = {
  '/webhooks/identity': 'a signed token',
  '/webhooks/sms': 'a signed message',
  '/webhooks/payment': 'a signed message',
  '/webhooks/credit': 'a signed message',
  '/webhooks/carrier': 'a signed message',
  '/search-engine/*': 'a key',
  '/api/v1/offers/unsubscribe/:token': 'the token of a mail, sent by the mail program',
  '/api/v1/basket-reminders/unsubscribe/:token': 'the token of a mail, sent by the mail program',
  '/api/v1/newsletter/unsubscribe/:token': 'the token of a mail, sent by the mail program',
  '/api/v1/unsubscribe/:token': 'the token of a mail, sent by the mail program',
  '/api/v1/unsubscribe-reviews/:token': 'the token of a mail, sent by the mail program',
  '/api/v1/punch-out/oci': 'the credential in the form, which comes from the purchasing system',
  '/api/v1/punch-out/cxml': 'the credential in the document',
  '/ab-test/api/v1/user/flags': 'reads only, for whoever is named in the body',
}

const mutating = shop.gateway.routes.flatMap(({ url, method, config }) =>
  [method]
    .flat()
    .filter((each) => !['GET', 'HEAD', 'OPTIONS'].includes(each) && config?.keyScope === undefined)
    .map((each) => ({ url, method: each, action: config?.action })),
)

/** All rows of all tables, as one hash per table. */
async function everything(): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ table: string }>(
    `select format('%I.%I', table_schema, table_name) as table from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const hashed = rows.map(
    ({ table }) => `select '${table}' as table, md5(coalesce(string_agg(t::text, e'\n' order by t::text), '')) as hash from ${table} t`,
  )
  const all = await pool.query<{ table: string; hash: string }>(hashed.join(' union all '))
  return Object.fromEntries(all.rows.map(({ table, hash }) => [table, hash]))
}

const { rows: people } = await pool.query<{ customerId: string; companyId: string | null }>(
  `select c.id as "customerId", m.company_id as "companyId" from accounts.customer c left join accounts.membership m on m.customer_id = c.id
   where c.email = any($1) order by m.company_id is not null`,
  [['customer@visitors.example', 'member@visitors.example']],
)
/** A new session that opens the route: some of them end it. */
async function opener(url: string, action: Action | undefined): Promise<{ mode: Mode; cookies: string }> {
  if (action !== undefined && isForStaff(action)) return { mode: 'b2c', cookies: office }
  const mode = action !== undefined && (accessOf(action) === 'b2b' || url.includes('/punch-out/')) ? 'b2b' : 'b2c'
  const [customer, member] = people
  const who = mode === 'b2b' ? member : customer
  const { token } = await signIn(db, {
    customerId: who?.customerId ?? '',
    family: mode,
    ...(who?.companyId && { companyId: who.companyId }),
  })
  return { mode, cookies: `__Host-purlin=${token}` }
}

test('A34 every route that is open to other pages is declared with its reason', () => {
  const urls = new Set(mutating.map(({ url }) => url))
  assert.deepEqual(
    Object.keys(withoutCookies).filter((url) => !urls.has(url)),
    [],
    'these are gone',
  )
})

for (const { url, method, action } of mutating.filter((route) => withoutCookies[route.url] === undefined))
  test(`A34 ${method} ${url} is refused to other sites, siblings, pages of unknown origin and clients without one, and changes nothing`, async () => {
    const { mode, cookies } = await opener(url, action)
    const body = url.includes('/punch-out/') ? { form: {} } : { json: {} }
    const send = (from: Record<string, string>) => shop.ask('anonymous', mode, path, { method, ...body, from, cookies })
    const path = url.replace(':market', 'gb').replace(':mode', 'b2c').replace(/:\w+/g, '41').replace('*', 'signout')
    const before = await everything()
    for (const [page, from] of Object.entries(foreign)) {
      const { status } = await send(from)
      assert.ok(status === 403 || (status === 415 && from['content-type'] !== undefined), `${page}: ${status}`)
    }
    assert.deepEqual(await everything(), before)
    // From a page of ours the same request gets further.
    const { status } = await send(own(hosts[mode]))
    assert.ok(![401, 403].includes(status), `${status} from a page of ours`)
  })
