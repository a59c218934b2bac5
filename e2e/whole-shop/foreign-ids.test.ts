import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEqualTime, timeRatio } from '@purlin/contract/testing.ts'
import { modes, type Mode } from '@purlin/contract/markets.ts'
import { owners, visitorNames, type VisitorName } from './visitors.ts'
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
