/** Somebody with a company of their own joins another by the link of a mail, and comes back: pages without scripts, real sessions. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testDatabase, useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { testOffer, testProduct, testReference } from '@purlin/server/goods/listing/test-shop.ts'
import { addCompany, addCustomer, addMembership, signIn } from '@purlin/server/people/accounts/testing.ts'
import { fakeProvider, somebody } from '@purlin/server/people/auth/test-provider.ts'
import { pro, testBrowser, type TestBrowser } from '@purlin/server/people/auth/testing.ts'
import { serveShop } from './serve-shop.ts'

const provider = await fakeProvider()
useSettings(provider.settings)
const database = await testDatabase()
await testReference(database.db)
await testProduct(database.db, { id: 1, title: 'Drill', categoryId: 11 })
await testOffer(database.db, { id: 10, productId: 1, price: 10_000 })
const shop = await serveShop(database)
after(async () => {
  await shop.close()
  provider.close()
})
const page = '/my-account/company'

async function firmWithAdmin(): Promise<TestBrowser> {
  const company = await addCompany(database.db)
  await database.pool.query(`update accounts.company set name = 'Hartley Roofing' where id = $1`, [company.id])
  const admin = await addCustomer(database.db)
  await addMembership(database.db, admin.id, company.id, 'admin')
  const { token } = await signIn(database.db, { customerId: admin.id, companyId: company.id, family: 'b2b' })
  const one = testBrowser(shop.gateway)
  one.cookies.set(pro, new Map([['__Host-purlin', token]]))
  return one
}

/** Sends a form of a page and follows its redirect. */
async function send(one: TestBrowser, path: string, fields: Record<string, string>): Promise<string> {
  const sent = await one.post(path, fields, { host: pro, headers: { origin: `http://${pro}` } })
  assert.equal(sent.status, 303, sent.body.slice(0, 400))
  return (await one.ask(sent.location, { host: pro })).body
}
const titleOf = (body: string) => /<h1[^>]*>([^<]*)/.exec(body)?.[1]
const titleAt = async (one: TestBrowser) => titleOf((await one.ask(page, { host: pro })).body)
const signInAgain = async (one: TestBrowser) => {
  await one.post('/api/v1/logout', { no_redirect: 'true' }, { host: pro })
  assert.deepEqual(await one.session(pro), {})
  await one.signIn(pro, { provider: 'keycloak-b2b' })
}

test('a colleague who registered earlier joins a company, acts for it after the next sign-in too, and goes back to their own by a form', async () => {
  const person = somebody({ company_name: 'Ben Archer Joinery' })
  provider.person = person
  const ben = testBrowser(shop.gateway)
  await ben.signIn(pro, { provider: 'keycloak-b2b' })
  assert.equal(await titleAt(ben), 'Ben Archer Joinery')

  await send(await firmWithAdmin(), page, { do: 'invite', email: String(person['email']), role: 'BUYER' })
  const { rows } = await database.pool.query('select body_text from mail.mail where recipient = $1', [person['email']])
  const [link = ''] = /\/company-invitation\/[\w-]{43}/.exec(rows[0]?.body_text ?? '') ?? []
  assert.ok((await ben.ask(link, { host: pro })).body.includes('Join Hartley Roofing'))
  assert.equal(titleOf(await send(ben, link, {})), 'Hartley Roofing')

  await signInAgain(ben)
  const { body } = await ben.ask(page, { host: pro })
  assert.equal(titleOf(body), 'Hartley Roofing')
  const own = /name="id" value="([^"]+)"[^]*?Switch to Ben Archer Joinery/.exec(body.slice(body.indexOf('id="companies"')))?.[1] ?? ''
  assert.equal(titleOf(await send(ben, page, { do: 'switch', id: own })), 'Ben Archer Joinery')
  await signInAgain(ben)
  assert.equal(await titleAt(ben), 'Ben Archer Joinery')
})
