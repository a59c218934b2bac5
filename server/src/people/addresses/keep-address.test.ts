import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { markets } from '@purlin/contract/markets.ts'
import { testGuest } from '@purlin/contract/testing.ts'
import { testDatabase } from '#platform/testing'
import { addCustomer } from '../accounts/testing.ts'
import { dropAddress } from './drop-address.ts'
import { findAddress, listAddresses } from './find-addresses.ts'
import { keepAddress, preferKeptAddress, type KeptAddressInput } from './keep-address.ts'
import { maxAddresses } from './saved-address.ts'
import { addresses } from './testing.ts'

const database = await testDatabase({ upTo: 'addresses' })

async function customer() {
  const principal = { kind: 'customer' as const, ...(await addCustomer(database.db)) }
  const overrides = { principal, session: { id: 's' } }
  return {
    keep: (input: KeptAddressInput, id: string | null = null) => database.command(overrides, (scope) => keepAddress(scope, id, input)),
    drop: (id: string) => database.command(overrides, (scope) => dropAddress(scope, id)),
    prefer: (id: string, use: 'delivery' | 'billing') => database.command(overrides, (scope) => preferKeptAddress(scope, id, use)),
    list: () => listAddresses(database.scope(overrides)),
    find: (id: string) => findAddress(database.scope(overrides), id),
  }
}
const input = (market: Market, more: Partial<KeptAddressInput> = {}): KeptAddressInput => ({
  ...addresses[market],
  country: markets[market].country,
  defaults: [],
  ...more,
})
const must = (kept: Awaited<ReturnType<Awaited<ReturnType<typeof customer>>['keep']>>) => {
  assert.ok(kept.ok, JSON.stringify(kept))
  return kept.address
}

test('R-085 an address is stored in its country’s format; the first is the default for every use', async () => {
  const ann = await customer()
  const first = must(await ann.keep(input('gb', { postcode: 'sw1a1aa' })))
  assert.deepEqual([first.postcode, first.isDeliveryDefault, first.isBillingDefault], ['SW1A 1AA', true, true])
  const second = must(await ann.keep(input('fr')))
  assert.deepEqual([second.country, second.isDeliveryDefault, second.isBillingDefault], ['FR', false, false])
  const third = must(await ann.keep(input('de', { defaults: ['billing'] })))
  const all = await ann.list()
  assert.deepEqual(
    all.map(({ id, isDeliveryDefault, isBillingDefault }) => [id, isDeliveryDefault, isBillingDefault]),
    [
      [first.id, true, false],
      [third.id, false, true],
      [second.id, false, false],
    ],
  )
})

test('R-085 each invalid field is named, including the country', async () => {
  const ann = await customer()
  const refused = await ann.keep(input('gb', { postcode: '10115', firstName: ' ', phone: 'call me' }))
  assert.deepEqual(refused, {
    ok: false,
    reason: 'address-invalid',
    fields: { postcode: 'postcode-format', phone: 'phone-format', firstName: 'missing' },
  })
  const abroad = await ann.keep(input('gb', { country: 'US' }))
  assert.equal(!abroad.ok && abroad.reason === 'address-invalid' && abroad.fields['country'], 'country-unknown')
  assert.deepEqual(await ann.list(), [])
})

test('R-085 an address can be changed, made the default and deleted; its default passes to another', async () => {
  const ann = await customer()
  const first = must(await ann.keep(input('gb')))
  const second = must(await ann.keep(input('gb', { line1: '2 Mill Lane' })))
  assert.equal(must(await ann.keep(input('gb', { line1: '3 Mill Lane' }), second.id)).line1, '3 Mill Lane')
  assert.equal(must(await ann.prefer(second.id, 'delivery')).isDeliveryDefault, true)
  assert.equal((await ann.find(first.id))?.isDeliveryDefault, false, 'there is one default')
  assert.deepEqual(await ann.drop(second.id), { ok: true })
  const [left, ...others] = await ann.list()
  assert.deepEqual([left?.id, left?.isDeliveryDefault, left?.isBillingDefault, others.length], [first.id, true, true, 0])
})

test('A1 A7 R-525 another customer’s address cannot be read, changed, made the default or deleted, and appears not to exist', async () => {
  const [ann, eve] = [await customer(), await customer()]
  const { id } = must(await ann.keep(input('gb')))
  const unknown = '00000000-0000-7000-8000-0000000000ff'
  for (const [asked, nothing] of [
    [await eve.keep(input('fr'), id), await eve.keep(input('fr'), unknown)],
    [await eve.prefer(id, 'billing'), await eve.prefer(unknown, 'billing')],
    [await eve.drop(id), await eve.drop(unknown)],
    [await eve.find(id), await eve.find(unknown)],
  ])
    assert.deepEqual(asked, nothing)
  for (const evil of ["' or 1=1 --", '', '../x', 'x'.repeat(5000)]) assert.equal(await eve.find(evil), undefined)
  assert.deepEqual(
    (await ann.list()).map((address) => [address.id, address.line1, address.isBillingDefault]),
    [[id, addresses.gb.line1, true]],
  )
})

test('guests have no addresses', async () => {
  const guest = { principal: testGuest({ id: 'g' }), session: { id: 'g' } }
  assert.deepEqual(await database.command(guest, (scope) => keepAddress(scope, null, input('gb'))), {
    ok: false,
    reason: 'unknown-address',
  })
  assert.deepEqual(await listAddresses(database.scope(guest)), [])
})

test('the same address sent twice, or twenty times at once, is stored once', async () => {
  const ann = await customer()
  await Promise.all(Array.from({ length: 20 }, () => ann.keep(input('gb'))))
  assert.equal((await ann.list()).length, 1)
})

test('an account has a maximum number of addresses, even under concurrent requests', async () => {
  const ann = await customer()
  const kept = await Promise.all(Array.from({ length: maxAddresses + 5 }, (_, at) => ann.keep(input('gb', { line1: `${at} Mill Lane` }))))
  assert.equal(kept.filter(({ ok }) => ok).length, maxAddresses)
  assert.equal((await ann.list()).length, maxAddresses)
  assert.equal((await ann.list()).filter(({ isDeliveryDefault }) => isDeliveryDefault).length, 1)
})
