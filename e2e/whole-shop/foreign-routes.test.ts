/** The REST API: each route with the objects of other people, by the table of `foreign-routes.ts`. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { actions, isForStaff, type Action, type Grants } from '@purlin/contract/actions.ts'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { addKey } from '@purlin/server/after-sale/integrations/testing.ts'
import { settings } from '@purlin/server/foundation/platform/settings.ts'
import { useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { countStatements } from '@purlin/server/foundation/platform/test-statements.ts'
import type { AskOptions } from './serve-shop.ts'
import { routeCases, type RouteCase } from './foreign-routes.ts'
import { thingsOfRoutes } from './route-things.ts'
import { owners, shopWithVisitors, visitorNames, type Asker, type VisitorName } from './visitors.ts'

const shop = await shopWithVisitors()
useSettings({ ...shop.provider.settings, OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
after(() => shop.close())
const things = await thingsOfRoutes(shop)

/** Public routes, and the reason why an id in them opens nothing personal. */
const openRoutes: Record<string, string> = {
  '/graphql': 'each field has its own action',
  '/health/live': 'for machines that watch',
  '/health/ready': 'for machines that watch',
  '/metrics': 'for machines that watch',
  '/pictures/p/:id/:file': 'goods',
  '/pictures/c/:file': 'goods',
  '/pictures/b/:file': 'goods',
  '/pictures/h/:file': 'goods',
  '/pictures/e/:file': 'pictures of written content',
  '/pictures/r/:id/:number': 'photos of published reviews',
  '/ab-test/api/v1/user/flags': 'variations of whoever sends it; a customer’s id counts with their session alone',
  '/api/v1/experiment-exposures': 'the visitor whose cookie comes along',
  '/api/v1/referer/visitor/:visitorId': 'computed from the request, nothing is read',
  '/api/v1/address-suggestions': 'towns and streets, of nobody',
  '/api/v1/newsletter/unsubscribe/:token': 'tokens of mails',
  '/api/v1/offers/unsubscribe/:token': 'tokens of mails',
  '/api/v1/basket-reminders/unsubscribe/:token': 'tokens of mails',
  '/api/v1/events': 'the visitor and consent of the cookies that come along; nothing is read',
  '/api/v1/search-events': 'the visitor and consent of the cookies that come along; nothing is read',
  '/api/v1/web-vitals/beacon': 'stored without a person; nothing is read',
  '/api/v1/client-page-change': 'the visitor of the cookies that come along; nothing is read',
  '/api/v1/consent': 'the choice of the browser whose cookies come along',
  '/api/v1/consent/visitor': 'an id for the browser whose cookies come along',
  '/api/v1/consent/dialog.css': 'whether the browser has chosen yet',
  '/api/v1/unsubscribe/:token': 'tokens of mails',
  '/api/v1/unsubscribe-reviews/:token': 'tokens of mails',
  '/api/seller/v1/openapi.json': 'the document of the sellers’ API',
  '/documents/p/:id/:file': 'goods',
  '/files/:kind/:file': 'public files, under random names',
  '/search-engine/*': 'goods, by key',
  '/uploads/:id': 'signed links',
  '/webhooks/payment': 'signed messages',
  '/webhooks/carrier': 'signed messages',
  '/webhooks/credit': 'signed messages',
  '/webhooks/sms': 'signed messages',
  '/webhooks/identity': 'signed tokens',
  '/api/auth': 'the session whose cookie comes along',
  '/api/auth/*': 'the session whose cookie comes along',
  '/api/v1/credentials': 'the session whose cookie comes along',
  '/api/v1/punch-out/oci': 'the credential in the form',
  '/api/v1/punch-out/cxml': 'the credential in the document',
  '/api/v1/punch-out/start': 'the one-time token of a start link',
  '/api/v1/logout': 'the session whose cookie comes along',
  '/api/v1/register': 'the session whose cookie comes along',
  '/api/v1/exchange-to-pro': 'the session whose cookie comes along',
  '/api/auth/webview': 'a visitor without a session, or the one-time token in the header',
  '/api/v1/exchange-to-b2c': 'the session whose cookie comes along',
  '/dev/mailbox': 'local hosts alone',
  '/dev/mailbox/style.css': 'local hosts alone',
  '/dev/mailbox/:id': 'local hosts alone',
  '/dev/mailbox/:id/html': 'local hosts alone',
  '/dev/mails': 'local hosts alone',
  '/dev/insights': 'counts, on local hosts alone',
  '/dev/insights/style.css': 'a style sheet',
  '/dev/mails/:name/:market': 'local hosts alone',
  '/dev/mails/:name/:market/:form': 'local hosts alone',
}

const forPeople = (action: Action): boolean => {
  const rule: Grants | { anonymous: true } = actions[action]
  return 'anonymous' in rule || rule.guest !== undefined || rule.customer !== undefined || rule.member !== undefined
}

const mounted = shop.gateway.routes.flatMap(({ url, method, config }) =>
  [method]
    .flat()
    .filter((each) => each !== 'HEAD' && each !== 'OPTIONS')
    .map((each) => ({ url, method: each, action: config?.action, isForKeys: config?.keyScope !== undefined })),
)
const isOpen = (action: Action | undefined) => action === undefined || 'anonymous' in actions[action] || 'provider' in actions[action]

test('A16 every public REST route is declared with its reason', () => {
  const open = new Set(mounted.filter(({ action }) => isOpen(action)).map(({ url }) => url))
  assert.deepEqual(
    [...open].filter((url) => !openRoutes[url]),
    [],
    'declare why these are open',
  )
  assert.deepEqual(
    Object.keys(openRoutes).filter((url) => !open.has(url)),
    [],
    'these are gone',
  )
})

const withParameters = mounted.filter(({ url }) => url.includes('/:')).map(({ method, url }) => `${method} ${url}`)

test('A1 A16 every route with a parameter is in the table of foreign objects, or declared as open', () => {
  assert.deepEqual(
    withParameters.filter((route) => !routeCases[route] && !openRoutes[route.split(' ')[1] ?? '']),
    [],
    'say in foreign-routes.ts whose objects these name',
  )
  assert.deepEqual(
    Object.keys(routeCases).filter((route) => !withParameters.includes(route)),
    [],
    'these are gone',
  )
})

test('A1 A16 every parameter of a route has a value in the table', () => {
  for (const [route, { values }] of Object.entries(routeCases))
    assert.deepEqual(
      Object.keys(values(things.member)).toSorted(),
      [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name).toSorted(),
      route,
    )
})

const noRow: RouteCase = { values: () => ({}), unknown: {} }
const rowOf = (method: string, url: string) => routeCases[`${method} ${url}`] ?? noRow

/** Another seller than the one from whom everybody has bought, by a key with all scopes. */
const otherSeller = 'key of another seller'
let sellers = 9000
/** Calls of a seller are counted: each test has one of its own. */
const newSeller = () => ++sellers
type Who = VisitorName | typeof otherSeller
type Values = Record<string, string>

function optionsOf(method: string, { body }: RouteCase, key?: string): AskOptions {
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
  return { method, ...(body !== undefined && { json: body }), ...(headers && { headers }) }
}

const pathOf = (url: string, values: Values) => url.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')
const allUnknown = ({ unknown }: RouteCase): Values => Object.fromEntries(Object.entries(unknown).map(([name, make]) => [name, make()]))
/** The values of a route about somebody's objects; undefined if they have none. */
function valuesOf(row: RouteCase, whose: (typeof owners)[number]): Values | undefined {
  const values = row.values(things[whose])
  return Object.values(values).includes(null) ? undefined : (values as Values)
}

/** Pairs of requests: one that names a foreign object, and the same one with a value in its place that nothing has. */
function pairsFor(who: Who, row: RouteCase): { foreign: Values; nothing: Values }[] {
  const own = owners.find((each) => each === who)
  const pairs = owners
    .filter((owner) => owner !== who)
    .flatMap((owner) => {
      const foreign = valuesOf(row, owner)
      if (!foreign) return []
      // Beside a foreign object stand others of its owner, or one's own.
      const bases = [foreign, ...(own ? [valuesOf(row, own) ?? foreign] : [])]
      const single = bases.flatMap((base) =>
        Object.entries(row.unknown).map(([name, make]) => ({
          foreign: { ...base, [name]: foreign[name] ?? '' },
          nothing: { ...base, [name]: make() },
        })),
      )
      return [...single, { foreign, nothing: { ...foreign, ...allUnknown(row) } }]
    })
  return [
    ...new Map(
      pairs.map((pair) => [
        `${JSON.stringify(pair.foreign)} ${Object.keys(pair.nothing)
          .filter((name) => pair.nothing[name] !== pair.foreign[name])
          .join()}`,
        pair,
      ]),
    ).values(),
  ]
}

/** Requests in turns, until the median of all pairs is steady on a busy machine. */
const rounds = { samples: 13, rounds: 3 }

// Before any holder uses their objects up.
for (const [route, row] of Object.entries(routeCases)) {
  const [method = '', url = ''] = route.split(' ')
  const { action, isForKeys = false } = mounted.find((each) => each.url === url && each.method === method) ?? {}
  const owner = (['member', 'customer'] as const).find((each) => valuesOf(row, each))
  const foreign = owner && valuesOf(row, owner)
  if (action === undefined || foreign === undefined || Object.keys(row.unknown).length === 0) continue
  // The caller may use the route; only the id of the object differs.
  const rule: Grants = actions[action] as Grants
  const asker: Who | undefined = isForKeys ? otherSeller : isForStaff(action) ? staffFor(rule) : 'other member'
  if (asker === undefined) continue
  test(`A1 A16 R-525 ${route}: another person's object is refused as fast as one that does not exist, by the clock`, async () => {
    const key = isForKeys ? (await addKey(shop.database.db, newSeller())).key : undefined
    const outcomes = new Set<string>()
    const ask = async (values: Values) => {
      const visitor = asker === otherSeller ? 'anonymous' : asker
      const { status, body } = await shop.ask(visitor, row.mode ?? 'b2c', pathOf(url, values), optionsOf(method, row, key))
      outcomes.add(`${status} ${Object.values(values).reduce((text, id) => text.replaceAll(id, ''), body)}`)
    }
    const unknown = () => ask({ ...foreign, ...allUnknown(row) })
    for (let warm = 0; warm < 3; warm++) await Promise.all([ask(foreign), unknown()])
    const ratio = await timeRatio(() => ask(foreign), unknown, rounds)
    assert.equal(outcomes.size, 1, [...outcomes].join('\n').slice(0, 600))
    assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
  })
}

/** Staff to whom a route is open and whose right ends at the objects of others; those who may see everybody's find them. */
function staffFor({ operator, sellerMember }: Grants): VisitorName | undefined {
  if (sellerMember?.seller !== undefined) return 'clerk'
  return operator?.support !== undefined && operator.support !== 'any' ? 'operator' : undefined
}

// In the order of the table: what is deleted is deleted last.
for (const [route, row] of Object.entries(routeCases)) {
  const [method = '', url = ''] = route.split(' ')
  const { action, isForKeys = false } = mounted.find((each) => each.url === url && each.method === method) ?? {}
  if (action === undefined || Object.keys(row.unknown).length === 0) continue
  const rule = actions[action] as Grants
  test(`A1 A16 R-525 ${route}: another person's object is indistinguishable from one that does not exist, in status, body and statements`, async () => {
    const wrong: string[] = []
    const { mode = 'b2c' } = row
    const key = isForKeys ? await addKey(shop.database.db, newSeller()) : undefined
    const ask = async (who: Who, values: Values) => {
      const visitor = who === otherSeller ? 'anonymous' : who
      const options = optionsOf(method, row, who === otherSeller ? key?.key : undefined)
      const { value, statements } = await countStatements(() => shop.ask(visitor, mode, pathOf(url, values), options))
      const body = Object.values(values).reduce((text, id) => text.replaceAll(id, ''), value.body)
      return { status: value.status, type: value.headers['content-type'], body, statements }
    }
    for (const who of [...visitorNames, ...(isForKeys ? [otherSeller] : [])] as Who[]) {
      // Operators whose role covers everybody's objects see them by right.
      if (who === 'operator' && !isForKeys && rule.operator?.support === 'any') continue
      for (const { foreign, nothing } of pairsFor(who, row)) {
        // Per-process caches are warmed before anything is counted.
        await ask(who, nothing)
        const [unknown, known] = [await ask(who, nothing), await ask(who, foreign)]
        if (JSON.stringify(known) !== JSON.stringify(unknown))
          wrong.push(`${who} ${pathOf(url, foreign)}: ${JSON.stringify(known).slice(0, 300)}, not ${JSON.stringify(unknown).slice(0, 300)}`)
        if (who === otherSeller && ![400, 404].includes(known.status))
          wrong.push(`${who}: the key is refused with ${known.status}: ${known.body}`)
      }
    }
    assert.equal(wrong.join('\n'), '')
  })

  if (row.holder)
    test(`A16 ${route}: the same request reaches the object of its ${row.holder}`, async () => {
      const { holder, mode = 'b2c' } = row
      const owner = (['customer', 'member'] as const).find((each) => valuesOf(row, each))
      const values = owner && valuesOf(row, owner)
      assert.ok(values)
      const key =
        holder === 'seller key'
          ? (await addKey(shop.database.db, 1)).key
          : holder === 'operators key'
            ? settings().keys.operator
            : undefined
      const visitor: Asker = key !== undefined ? 'anonymous' : holder === 'owner' ? owner : (holder as Asker)
      const { status, body } = await shop.ask(visitor, mode, pathOf(url, values), optionsOf(method, row, key))
      // A step that comes too late for the object has found it.
      assert.ok(status < 300 || status === 409, `${status}: ${body.slice(0, 300)}`)
    })
}

for (const { url, method, action, isForKeys } of mounted) {
  if (action === undefined || isOpen(action)) continue
  test(`A16 R-525 ${method} ${url} responds to seven kinds of visitors according to the table of actions`, async () => {
    const wrong: string[] = []
    const row = rowOf(method, url)
    for (const visitor of visitorNames) {
      const values = { ...row.values(things.guest), ...allUnknown(row) } as Values
      const { status } = await shop.ask(visitor, row.mode ?? 'b2c', pathOf(url, values), {
        method,
        ...(method !== 'GET' && { json: row.body ?? {} }),
      })
      const rule: Grants = actions[action] as Grants
      const isStranger = ['anonymous', 'clerk', 'operator'].includes(visitor)
      // The clerk is a seller's; the operator's role is customer service.
      const staffRole = { clerk: rule.sellerMember?.seller, operator: rule.operator?.support }
      // The member is a buyer, the other company's an admin.
      const ofMembers = typeof rule.member === 'object' ? rule.member[visitor === 'other member' ? 'admin' : 'buyer'] : rule.member
      // Keys of sellers open these, no session does.
      const may = isForKeys
        ? false
        : isForStaff(action)
          ? (visitor === 'clerk' || visitor === 'operator') && staffRole[visitor] !== undefined
          : forPeople(action) &&
            (visitor === 'guest' || isStranger ? rule.guest : visitor === 'customer' ? rule.customer : ofMembers) !== undefined
      if ((status === 401 || status === 403) === may) wrong.push(`${visitor}: ${status}, ${may ? 'open' : 'closed'} to them`)
    }
    assert.equal(wrong.join('\n'), '')
  })
}
