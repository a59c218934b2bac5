import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { actions, isForStaff, type Action, type Grants } from '@purlin/contract/actions.ts'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { owners, visitorNames, type Owner, type VisitorName } from './visitors.ts'
import { documentFor } from './foreign-documents.ts'
import {
  type Root,
  type Thing,
  attacks,
  besideOf,
  forStaff,
  idsOf,
  named,
  objectOf,
  ofCompanies,
  roots,
  seesAll,
  shop,
  theirs,
  unknownIds,
} from './foreign-things.ts'

test('A1 A2 A3 every argument that identifies something is declared with its owner', () => {
  const all = roots.flatMap(({ field }) => idsOf(field.name, field.args))
  assert.deepEqual(
    all.filter((path) => !named[path]),
    [],
    'declare what these name',
  )
  assert.deepEqual(
    Object.keys(named).filter((path) => !all.includes(path)),
    [],
    'these are gone',
  )
})

for (const root of roots) {
  const { field } = root
  for (const path of idsOf(field.name, field.args)) {
    const thing = named[path]
    if (thing === undefined || thing === 'public' || thing === 'secret') continue
    for (const mode of ofCompanies.has(thing) ? (['b2b'] as const) : modes)
      test(`${attacks[thing] ?? 'A1 A2'} R-525 R-635 ${path}: another person's ${thing} is indistinguishable from an unknown one, in as many statements, on ${mode}`, () =>
        isIndistinguishable(root, path, thing, mode))
  }
}

async function isIndistinguishable(root: Root, path: string, thing: Thing, mode: Mode): Promise<void> {
  const wrong: string[] = []
  const asks = (visitor: VisitorName, id: string) => {
    // Beside another person's object stand one's own.
    const own = owners.find((each) => each === visitor)
    const { query, variables } = documentFor(root, { [path]: id, ...(own && besideOf(path, shop.belongings[own])) })
    return shop.graphql(visitor, mode, query, variables)
  }
  for (const visitor of visitorNames.filter((each) => !seesAll(each, root))) {
    if (forStaff.has(path) && (visitor === 'clerk' || visitor === 'operator')) continue
    const unknown = unknownIds[thing]()
    // Per-process caches are warmed before anything is counted.
    await asks(visitor, unknown)
    const nothing = await asks(visitor, unknown)
    for (const owner of owners.filter((each) => each !== visitor)) {
      const id = objectOf(shop.belongings[owner], path, thing)
      if (id === null) continue
      const foreign = await asks(visitor, id)
      if (foreign.body.replaceAll(id, unknown) !== nothing.body)
        wrong.push(`${visitor}, ${owner}'s: ${foreign.body.slice(0, 200)}, not ${nothing.body.slice(0, 200)}`)
      if (foreign.statements !== nothing.statements)
        wrong.push(`${visitor}, ${owner}'s: ${foreign.statements} statements, not ${nothing.statements}`)
    }
  }
  assert.equal(wrong.join('\n'), '')
}

/** Sellers' own; the rights of their staff are tested in after-sale. */
const ofSellers: readonly Thing[] = ['sellerOrder', 'parcel', 'payout']

/** A field that names an object of this kind: a query, if there is one. */
function fieldNaming(thing: Thing): { root: Root; path: string } | undefined {
  const all = roots.flatMap((root) => idsOf(root.field.name, root.field.args).map((path) => ({ root, path })))
  const naming = all.filter(({ path }) => named[path] === thing && !forStaff.has(path))
  return naming.find(({ root }) => root.kind === 'query') ?? naming[0]
}

for (const thing of Object.keys(unknownIds) as Thing[]) {
  if (ofSellers.includes(thing)) continue
  test(`${attacks[thing] ?? 'A1 A2'} R-525 another person's ${thing} is answered as fast as an unknown one, by the clock`, async () => {
    const naming = fieldNaming(thing)
    const id = theirs('member', thing)
    assert.ok(naming && id !== null, 'a field and an object to time')
    const statuses = new Set<string>()
    const ask = async (asked: string) => {
      const { query, variables } = documentFor(naming.root, { [naming.path]: asked })
      const { body } = await shop.graphql('other member', 'b2b', query, variables)
      statuses.add(body.replaceAll(asked, ''))
    }
    for (let warm = 0; warm < 3; warm++) for (const each of [id, unknownIds[thing]()]) await ask(each)
    const ratio = await timeRatio(
      () => ask(id),
      () => ask(unknownIds[thing]()),
      { samples: 15, rounds: 5 },
    )
    assert.equal(statuses.size, 1, [...statuses].join('\n').slice(0, 600))
    assert.ok(isEqualTime(ratio), `ratio ${ratio.toFixed(2)}`)
  })
}

/** Everything of companies that has an id, as one text. */
async function companies(): Promise<string> {
  const tables = ['companies.site', 'companies.cost_centre', 'companies.invitation', 'accounts.membership', 'purchasing.approval']
  const all = [
    ...tables,
    'quotes.quote',
    'credit.statement',
    'punchout.credential',
    'payments.saved_card',
    'returns.request',
    'disputes.dispute',
  ]
  const texts = all.map((table) => `select '${table}' as table, string_agg(t::text, e'\\n' order by t::text) as rows from ${table} t`)
  return JSON.stringify((await shop.database.pool.query(texts.join(' union all '))).rows)
}
const companiesBefore = await companies()

test('other people’s objects still exist after all these requests', async () => {
  const { order, address, wishlist } = {
    order: theirs('customer', 'order'),
    address: theirs('customer', 'address'),
    wishlist: theirs('customer', 'wishlist'),
  }
  const seen = await shop.graphql(
    'customer',
    'b2c',
    'query ($order: ID!, $wishlist: ID!) { customerOrder(id: $order) { id state } wishlist(id: $wishlist) { id name shareToken } myAddresses { id } }',
    { order, wishlist },
  )
  assert.deepEqual(seen.data, {
    customerOrder: { id: order, state: 'AWAITING_PAYMENT' },
    wishlist: { id: wishlist, name: 'Shed', shareToken: null },
    myAddresses: [{ id: address }],
  })
  assert.equal(await companies(), companiesBefore)
})

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
  '/api/v1/web-vitals/beacon': 'stored without a person; nothing is read',
  '/api/v1/client-page-change': 'the visitor of the cookies that come along; nothing is read',
  '/api/v1/consent': 'the choice of the browser whose cookies come along',
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

/** The object that a route names, by a part of its address; an order where no other is meant. */
const thingsOfRoutes: readonly (readonly [string, Thing])[] = [
  ['/uploads', 'upload'],
  ['/quotes/', 'quote'],
  ['/statements/', 'statement'],
  ['/returns/', 'return'],
  ['/disputes/', 'dispute'],
]
const thingOf = (url: string): Thing => thingsOfRoutes.find(([part]) => url.includes(part))?.[1] ?? 'order'

/** An object of the owner that the route may name: of orders a paid one, which alone has invoices, returns and conversations. */
function idFor(url: string, owner: Owner): string {
  const thing = thingOf(url)
  const { paid } = shop.belongings[owner]
  return thing === 'order' ? paid : (theirs(owner, thing) ?? paid)
}

for (const { url, method, action, isForKeys } of mounted) {
  if (action === undefined || isOpen(action)) continue
  test(`A16 R-525 ${method} ${url} responds to seven kinds of visitors according to the table of actions, for any id`, async () => {
    const wrong: string[] = []
    for (const visitor of visitorNames) {
      const ask = async (id: string) => {
        const path = url.replace(':market', 'gb').replace(/:\w+/g, id)
        const { status, body } = await shop.ask(visitor, 'b2c', path, { method, ...(method !== 'GET' && { json: {} }) })
        return { status, body: body.replaceAll(id, '') }
      }
      const nothing = await ask(unknownIds[thingOf(url)]())
      const rule: Grants = actions[action] as Grants
      const seesAny = visitor === 'operator' && rule.operator?.support === 'any'
      for (const owner of owners) {
        const foreign = await ask(idFor(url, owner))
        if (owner !== visitor && !seesAny && JSON.stringify(foreign) !== JSON.stringify(nothing))
          wrong.push(`${visitor}, ${owner}'s: ${foreign.status} ${foreign.body.slice(0, 200)}`)
      }
      const isStranger = ['anonymous', 'clerk', 'operator'].includes(visitor)
      // The clerk is a seller's; the operator's role is customer service.
      const staffRole = { clerk: rule.sellerMember?.seller, operator: rule.operator?.support }
      // The member is a buyer, the other company's an admin.
      const ofMembers = typeof rule.member === 'object' ? rule.member[visitor === 'other member' ? 'admin' : 'buyer'] : rule.member
      // Keys of sellers open these, no session does; what a key opens is tested in after-sale/integrations.
      const may = isForKeys
        ? false
        : isForStaff(action)
          ? (visitor === 'clerk' || visitor === 'operator') && staffRole[visitor] !== undefined
          : forPeople(action) &&
            (visitor === 'guest' || isStranger ? rule.guest : visitor === 'customer' ? rule.customer : ofMembers) !== undefined
      if ((nothing.status === 401 || nothing.status === 403) === may)
        wrong.push(`${visitor}: ${nothing.status}, ${may ? 'open' : 'closed'} to them`)
    }
    assert.equal(wrong.join('\n'), '')
  })
}
