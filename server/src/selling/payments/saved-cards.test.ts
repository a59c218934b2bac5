import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startPaymentProvider, type PaymentProviderServer } from '../../../../services/src/payment-provider/index.ts'
import { readOrder } from '#orders'
import { enqueue } from '#platform'
import { testDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'
import { loadJobs } from '../../edges/worker/load-jobs.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../../people/accounts/testing.ts'
import { addresses } from '../../people/addresses/testing.ts'
import { erase } from '../../after-sale/privacy/erase-account.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'
import { embeddedProvider } from './embedded-provider.ts'
import { cardState } from './saved-card.ts'
import { paymentProvider, usePaymentProvider } from './settings.ts'
import { readPaymentOfOrder } from './store.ts'

const database = await testDatabase()
const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
let gateway: TestGateway
let provider: PaymentProviderServer
const { handlers, jobs } = await loadJobs()
before(async () => {
  await fillShop(database)
  await addOffer(database, { id: '1', stock: 1000 })
  gateway = await testGateway(database.pool)
  provider = await startPaymentProvider({ port: 0, file: ':memory:', webhookUrl: `${gateway.url}/webhooks/payment`, ...secrets })
  usePaymentProvider(embeddedProvider({ url: `http://127.0.0.1:${provider.port}`, ...secrets }))
})
after(() => provider.close())
const work = () => runWork(database, handlers, jobs)

interface Person {
  id: string
  cookie: string
}
async function customer(): Promise<Person> {
  const { id } = await addCustomer(database.db)
  const { token } = await signIn(database.db, { customerId: id })
  return { id, cookie: `__Host-purlin=${token}` }
}
async function ask<Value>({ cookie }: { cookie: string }, document: string, variables: object = {}): Promise<Value> {
  const { body } = await gateway.post(document, variables, { cookie })
  const { data } = body as { data: { answer: Value } | null }
  assert.ok(data, JSON.stringify(body))
  return data.answer
}
interface Card {
  id: string
  brand: string
  last4: string
  expires: string
  state: string
  isDefault: boolean
}
const cardsOf = (person: Person) => ask<Card[]>(person, '{ answer: mySavedCards { id brand last4 expires state isDefault } }')
const changed = (person: Person, what: 'prefer' | 'drop', id: string) =>
  ask<{ refusal: { reason: string; message: string } | null }>(
    person,
    `mutation ($id: ID!) { answer: ${what}SavedCard(id: $id) { refusal { reason message } } }`,
    { id },
  )

/** An order that awaits its payment: its id, and the address of the provider's fields. */
async function order(person: Person): Promise<{ id: string; frame: string }> {
  await ask(person, 'mutation { answer: addToCart(offerId: "1", quantity: 1) { refusal { reason } } }')
  const saved = await ask<{ order: { id: string } }>(
    person,
    'mutation ($input: AddressInput!) { answer: saveAddress(input: $input) { order { id } } }',
    { input: addresses.gb },
  )
  const { id } = saved.order
  const placed = await ask<{ refusal: object | null }>(
    person,
    'mutation ($id: ID!, $key: String!) { answer: placeOrder(customerOrderId: $id, idempotencyKey: $key, choices: [{ sellerId: 1, kind: "standard" }]) { refusal { reason } } }',
    { id, key: randomUUID() },
  )
  assert.equal(placed.refusal, null)
  await work()
  const frame = String((await readPaymentOfOrder(database.db, id))?.frameUrl).replace('pay.localhost', '127.0.0.1')
  return { id, frame }
}
const send = async (frame: string, fields: Record<string, string>) =>
  (await fetch(frame, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })).text()
const typed = { expiry: '04 / 39', code: '123', name: 'Robin Field' }

/** Until the provider's message about the authorisation has come, and its consequences are done. */
async function settled(id: string): Promise<void> {
  for (const end = Date.now() + 5000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 20))) {
    await work()
    if ((await readOrder(database.db, id))?.state === 'paid') return void (await work())
  }
  assert.fail('The order was not paid in time')
}
async function saveCard(person: Person, number = '4000000000000002'): Promise<void> {
  const { id, frame } = await order(person)
  await send(frame, { ...typed, number, save: 'yes' })
  await settled(id)
}

test('R-015 R-130 a card saved at a payment is in the account, and pays the next order with nothing typed', async () => {
  const ann = await customer()
  assert.deepEqual(await cardsOf(ann), [])
  await saveCard(ann)
  const [card, ...more] = await cardsOf(ann)
  assert.ok(card)
  assert.deepEqual(
    [card.brand, card.last4, card.expires, card.state, card.isDefault, more.length],
    ['Visa', '0002', '04/39', 'valid', true, 0],
  )
  const { id, frame } = await order(ann)
  const fields = await (await fetch(frame)).text()
  const token = /name="saved" value="([\w-]+)"/.exec(fields)?.[1] ?? ''
  await send(frame, { saved: token })
  await settled(id)
  const payment = await readPaymentOfOrder(database.db, id)
  assert.deepEqual([payment?.state, payment?.cardLast4, payment?.customerId], ['captured', '0002', ann.id])
})

test('R-015 the owner of a card is told once by mail, in the month before it expires; a deleted card and a closed account are left alone', async (t) => {
  // On the first of a month its end may be more than the thirty days ahead.
  const today = new Date()
  const now = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 15))
  t.mock.timers.enable({ apis: ['Date'], now })
  const card = async (who: Person, last4: string, inMonths: number, removed = false) => {
    const expiry = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + inMonths, 1))
    await database.pool.query(
      `insert into payments.saved_card (id, customer_id, provider, reference, brand, last4, expiry_year, expiry_month, saved_at, removed_at)
       values (gen_random_uuid(), $1, $2, gen_random_uuid()::text, 'visa', $3, $4, $5, now(), case when $6 then now() end)`,
      [who.id, paymentProvider().name, last4, expiry.getUTCFullYear(), expiry.getUTCMonth() + 1, removed],
    )
  }
  const [hal, ida] = [await customer(), await customer()]
  await card(hal, '1111', 0)
  await card(hal, '2222', 3)
  await card(hal, '3333', -1)
  await card(hal, '4444', 0, true)
  await card(ida, '5555', 0)
  await database.pool.query(`update accounts.customer set email = 'erased', closed_at = now() where id = $1`, [ida.id])
  for (let night = 0; night < 2; night++) {
    await database.command({}, ({ db }) => enqueue(db, { name: 'payments.remind-of-expiry', key: 'all', payload: {} }))
    await work()
  }
  const { rows } = await database.pool.query<{ recipient: string; subject: string; text: string }>(
    `select recipient, subject, body_text as text from mail.mail where template = 'card-expires'`,
  )
  assert.deepEqual(
    rows.map(({ recipient, subject }) => [recipient, subject]),
    [[`${hal.id}@example.com`, 'Your Visa card ending in 1111 expires soon']],
  )
  assert.match(rows[0]?.text ?? '', /http:\/\/gb\.localhost:3000\/my-wallet/)
})

test('a card used without saving is not stored; no card number is anywhere in the database', async () => {
  const ben = await customer()
  const { id, frame } = await order(ben)
  await send(frame, { ...typed, number: '4000000000000010' })
  await settled(id)
  assert.deepEqual(await cardsOf(ben), [])
  const { rows } = await database.pool.query<{ table: string }>(
    `select format('%I.%I', table_schema, table_name) as table from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`,
  )
  for (const { table } of rows) {
    const found = await database.pool.query(`select 1 from ${table} t where t::text ~ '40000000000000(02|10)' limit 1`)
    assert.equal(found.rowCount, 0, table)
  }
})

test('R-416 another card becomes the default here and at the provider; a deleted one is gone in both, and the next one takes over', async () => {
  const cleo = await customer()
  await saveCard(cleo)
  await saveCard(cleo, '5200000000000007')
  const [first, second] = await cardsOf(cleo)
  assert.ok(first && second)
  assert.deepEqual([first.last4, first.isDefault, second.last4, second.isDefault], ['0002', true, '0007', false])
  assert.deepEqual(await changed(cleo, 'prefer', second.id), { refusal: null })
  await work()
  assert.deepEqual(
    (await cardsOf(cleo)).map(({ last4, isDefault }) => [last4, isDefault]),
    [
      ['0007', true],
      ['0002', false],
    ],
  )
  const offered = async () =>
    [...(await (await fetch((await order(cleo)).frame)).text()).matchAll(/ending in (\d{4})/g)].map(([, last4]) => last4)
  assert.deepEqual(await offered(), ['0007', '0002'])
  assert.deepEqual(await changed(cleo, 'prefer', first.id), { refusal: null })
  await work()
  assert.deepEqual(await offered(), ['0002', '0007'], 'preferred once more, it is told once more')
  await changed(cleo, 'prefer', second.id)
  assert.deepEqual(await changed(cleo, 'drop', second.id), { refusal: null })
  assert.deepEqual(
    (await cardsOf(cleo)).map(({ last4, isDefault }) => [last4, isDefault]),
    [['0002', true]],
  )
  await work()
  assert.deepEqual(await offered(), ['0002'])
  assert.equal((await changed(cleo, 'drop', second.id)).refusal?.reason, 'unknown-card')
})

test('a provider list from before a card was deleted does not restore it; a card deleted there is deleted here too', async () => {
  const dora = await customer()
  await saveCard(dora)
  const [card] = await cardsOf(dora)
  assert.ok(card)
  const refresh = jobs.find(({ name }) => name === 'payments.refresh-cards') as unknown as {
    work: {
      call: (context: object, payload: object) => Promise<object>
      commit: (scope: object, payload: object, answer: object) => Promise<void>
    }
  }
  const payload = { customerId: dora.id }
  const signal = AbortSignal.timeout(5000)
  const listed = await refresh.work.call({ db: database.db, signal }, payload)
  await changed(dora, 'drop', card.id)
  await database.command({}, (scope) => refresh.work.commit(scope, payload, listed))
  assert.deepEqual(await cardsOf(dora), [])
  await work()

  await saveCard(dora, '5200000000000007')
  await database.command({}, (scope) => refresh.work.commit(scope, payload, { cards: [] }))
  assert.deepEqual(await cardsOf(dora), [])
})

test('A9 a card of somebody else can be neither seen, preferred nor deleted, and appears not to exist', async () => {
  const [emma, mallory] = [await customer(), await customer()]
  await saveCard(emma)
  const [card] = await cardsOf(emma)
  assert.ok(card)
  assert.deepEqual(await cardsOf(mallory), [])
  for (const what of ['prefer', 'drop'] as const) {
    const refused = await changed(mallory, what, card.id)
    assert.equal(refused.refusal?.reason, 'unknown-card')
    for (const id of [randomUUID(), 'x', "'"]) assert.deepEqual(await changed(mallory, what, id), refused)
  }
  assert.deepEqual((await cardsOf(emma)).length, 1)
})

test('A2 A9 a colleague who sees an order does not get the card fields in which its buyer’s cards are offered', async () => {
  const company = await addCompany(database.db)
  const member = async (role: string) => {
    const { id } = await addCustomer(database.db)
    await addMembership(database.db, id, company.id, role)
    const { token } = await signIn(database.db, { customerId: id, companyId: company.id })
    return { id, cookie: `__Host-purlin=${token}` }
  }
  const [buyer, admin] = [await member('buyer'), await member('admin')]
  const { id } = await order(buyer)
  const look = 'query ($id: ID!) { answer: customerOrder(id: $id) { id payment { frameUrl } } }'
  type Seen = { id: string; payment: { frameUrl: string } | null }
  assert.ok((await ask<Seen>(buyer, look, { id })).payment?.frameUrl)
  assert.deepEqual(await ask<Seen>(admin, look, { id }), { id, payment: null })
})

test('with the account go the cards, here and at the provider', async () => {
  const fay = await customer()
  await saveCard(fay)
  await database.pool.query('update accounts.customer set closed_at = now() where id = $1', [fay.id])
  const known = await database.pool.query<{ reference: string }>(
    'select reference from payments.provider_customer where customer_id = $1',
    [fay.id],
  )
  const reference = known.rows[0]?.reference ?? ''
  await database.command({}, (scope) => erase(scope, { customerId: fay.id }))
  await work()
  for (const table of ['saved_card', 'provider_customer'])
    assert.equal((await database.pool.query(`select 1 from payments.${table} where customer_id = $1`, [fay.id])).rowCount, 0, table)
  const list = await fetch(`http://127.0.0.1:${provider.port}/v1/customers/${reference}/cards`, {
    headers: { authorization: `Bearer ${secrets.secret}` },
  })
  assert.equal(list.status, 404)
})

test('an expired card is distinguished from one about to expire, and cannot be made the default', async () => {
  const card = { expiryYear: 2027, expiryMonth: 1 }
  const states = ['2026-11-01', '2026-12-03T11:00Z', '2026-12-04', '2027-01-31T23:59Z', '2027-02-01T11:59Z', '2027-02-01T12:00Z']
  assert.deepEqual(
    states.map((at) => cardState(card, new Date(at))),
    ['valid', 'valid', 'expiring', 'expiring', 'expiring', 'expired'],
  )
  const gail = await customer()
  await saveCard(gail)
  await saveCard(gail, '5200000000000007')
  await database.pool.query(`update payments.saved_card set expiry_year = 2020 where customer_id = $1 and last4 = '0007'`, [gail.id])
  const late = (await cardsOf(gail)).find(({ state }) => state === 'expired')
  const { refusal } = await changed(gail, 'prefer', late?.id ?? '')
  assert.deepEqual(refusal, { reason: 'card-expired', message: 'This card has expired and cannot be your default.' })
})
