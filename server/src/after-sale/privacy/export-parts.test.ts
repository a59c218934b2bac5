import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectSearch } from '#listing'
import { addToCart } from '#cart'
import { connectObjectStore, folderStore } from '#files'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { jobs as fileJobs } from '../../foundation/files/jobs.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { jobs as authJobs } from '../../people/auth/jobs.ts'
import { fakeProvider, somebody } from '../../people/auth/test-provider.ts'
import { testBrowser } from '../../people/auth/testing.ts'
import { addOffer, fillShop, must, newBuyer } from '../../selling/checkout/testing.ts'
import { jobs } from './jobs.ts'

/** Carts, viewed products, experiments, uploads, sessions and the account at the identity provider: in the file of one's data, and gone with the account. */

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
const { pool } = database
await fillShop(database)
await addOffer(database, { id: '9001' })
connectSearch({ version: () => 1, multiSearch: () => Promise.reject(new Error('no engine')) } as never)
const folder = mkdtempSync(join(tmpdir(), 'export-parts-'))
connectObjectStore(folderStore(folder))
process.once('beforeExit', () => rmSync(folder, { recursive: true, force: true }))
const gateway = await testGateway(pool)
const work = [...jobs, ...fileJobs, ...authJobs]

const unit = '0d9cdd1e-3a5b-8f6e-9f3c-2f2f1a6a7b8c'
const since = '2026-11-01T10:00:00.000Z'
const viewedAt = new Date(Date.now() - 86_400_000).toISOString()

/** A customer who has signed in, with something of each kind. */
async function customer() {
  provider.person = somebody()
  const one = testBrowser(gateway)
  await one.signIn()
  const { user } = await one.session()
  assert.ok(user)
  const principal = { kind: 'customer', id: user.id, email: user.email, name: user.name, market: 'gb' } as const
  for (const mode of ['b2c', 'b2b'] as const) {
    const buyer = newBuyer(database, { principal, session: { id: user.id }, mode })
    must(await buyer.does((scope) => addToCart(scope, { offerId: '9001', quantity: mode === 'b2c' ? 2 : 3 })))
  }
  await pool.query('insert into experiments.assignment (customer_id, campaign_id, variation_id) values ($1, 7, 2)', [user.id])
  await pool.query('insert into experiments.customer (customer_id, unit, since) values ($1, $2, $3)', [user.id, unit, since])
  await pool.query('insert into history.entry (customer_id, product_id, viewed_at) values ($1, 7001, $2)', [user.id, viewedAt])
  await pool.query(
    `insert into insights.pro_event (id, market, platform_id, event, visitor_id, customer_id, product_id, category_id, at)
      values ($2, 'gb', 'browser', 'view', $3, $1, 8001, 61, $4)`,
    [user.id, newId(), newId(), viewedAt],
  )
  for (const [name, key] of [
    ['plan.pdf', 'upload/a.pdf'],
    ['never arrived', null],
  ])
    await pool.query(`insert into uploads.upload (id, owner, file_key, name, bytes, used_by) values ($1, $2, $3, $4, 1234, 'message:1')`, [
      newId(),
      `c:${user.id}`,
      key,
      name,
    ])
  return { one, id: user.id }
}
async function fileOf(one: Awaited<ReturnType<typeof customer>>['one']) {
  await one.graphql('mutation { requestMyData { isReady } }')
  await runWork(database, [], work)
  const { status, body } = await one.ask('/api/v1/my-data')
  return status === 200 ? JSON.parse(body) : null
}

test('R-313 the file lists carts of both storefronts, viewed products, experiments, uploads, sessions, and the account’s passkeys and devices by name', async () => {
  await customer()
  const ann = await customer()
  const at = Date.UTC(2026, 4, 1)
  provider.credentials = [
    { id: 'x', type: 'webauthn', userLabel: 'Firefox, Mac', createdDate: at, credentialData: 'public key', secretData: 'secret' },
    { id: 'y', type: 'password' },
  ]
  provider.devices = [{ id: 'session-id', start: at, ipAddress: '203.0.113.7', device: 'Firefox, Mac' }]
  const data = await fileOf(ann.one)
  assert.deepEqual(
    data.carts.map(({ market, lines }: { market: string; lines: { offerId: string; quantity: number }[] }) => [
      market,
      ...lines.map(({ offerId, quantity }) => [offerId, quantity]),
    ]),
    [
      ['gb', ['9001', 2]],
      ['gb', ['9001', 3]],
    ],
  )
  assert.deepEqual(data.history, [{ productId: '7001', viewedAt }])
  assert.deepEqual(data.productViews, [{ productId: '8001', categoryId: '61', at: viewedAt }])
  assert.deepEqual(data.experiments, [
    { unit, since },
    { campaignId: 7, variationId: 2 },
  ])
  assert.deepEqual(
    data.uploads.map(({ name, bytes, usedBy }: Record<string, unknown>) => [name, bytes, usedBy]),
    [['plan.pdf', 1234, 'message:1']],
  )
  assert.deepEqual(
    data.sessions.map(({ storefront, provider: by }: Record<string, unknown>) => [storefront, by]),
    [['b2c', 'keycloak-b2c']],
  )
  const created = new Date(at).toISOString()
  assert.deepEqual(data.signIn, [
    {
      realm: 'b2c',
      credentials: [
        { type: 'webauthn', name: 'Firefox, Mac', createdAt: created },
        { type: 'password', name: null, createdAt: null },
      ],
      devices: [{ name: 'Firefox, Mac', networkAddress: '203.0.113.7', signedInAt: created }],
    },
  ])
  assert.doesNotMatch(JSON.stringify(data), /secret|public key|session-id/)
})

test('R-313 while the identity provider is down the file waits, rather than coming without a part', async () => {
  const ann = await customer()
  provider.mood = 'down'
  assert.equal(await fileOf(ann.one), null)
  provider.mood = 'well'
  await pool.query(`update platform.job set run_at = now() where name = 'privacy.export'`)
  await runWork(database, [], work)
  assert.equal((await ann.one.ask('/api/v1/my-data')).status, 200)
})

test('erasure: nothing of these parts is left, and another customer’s stay', async () => {
  const [ann, eve] = [await customer(), await customer()]
  const { email } = (await ann.one.session()).user ?? {}
  await ann.one.graphql(`mutation { eraseMyAccount(email: "${email}") { refusal { reason } } }`)
  await runWork(database, [], work)
  const left = async (id: string) => {
    const { rows } = await pool.query(
      `select (select count(*)::int from cart.cart where owner in ('c:' || $1, 'c:' || $1 || ':pro')) as carts,
        (select count(*)::int from experiments.assignment where customer_id = $1::uuid)
          + (select count(*)::int from experiments.customer where customer_id = $1::uuid) as assignments,
        (select count(*)::int from history.entry where customer_id = $1::uuid)
          + (select count(*)::int from insights.pro_event where customer_id = $1::uuid) as views,
        (select count(*)::int from uploads.upload where owner = 'c:' || $1) as uploads,
        (select count(*)::int from accounts.session where customer_id = $1::uuid) as sessions,
        (select count(*)::int from accounts.identity where customer_id = $1::uuid) as identities`,
      [id],
    )
    return rows[0]
  }
  assert.deepEqual(await left(ann.id), { carts: 0, assignments: 0, views: 0, uploads: 0, sessions: 0, identities: 0 })
  assert.deepEqual(await left(eve.id), { carts: 2, assignments: 2, views: 2, uploads: 2, sessions: 1, identities: 1 })
  assert.ok(provider.removed.length > 0, 'passkeys and devices go with the account at the provider')
})
