/** Endpoints refuse an address that has used up its quota, and nobody else. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { addToCart } from '#cart'
import { takeQuota } from '#platform'
import { testDatabase } from '#platform/testing'
import { quotas } from '../../foundation/platform/quota-limits.ts'
import { applyCoupon } from '../../selling/cart/apply-coupon.ts'
import { addOffer, companiesIn, fillShop, must, newBuyer, type Buyer } from '../../selling/checkout/testing.ts'
import { usePointFinder } from '../../selling/pickup/finder-of-shop.ts'
import { testGateway } from './testing.ts'

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '101', stock: 100_000 })
const gateway = await testGateway(database.pool, { trustProxy: '127.0.0.1' })
after(() => gateway.close())
before(() =>
  usePointFinder({
    find: () => Promise.reject(new Error('not asked')),
    near: () => Promise.resolve({ points: [], centre: { latitude: 53.4, longitude: -2.2 } }),
  }),
)
after(() => usePointFinder())

const add = 'mutation { addToCart(offerId: "101", quantity: 1) { refusal { reason } } }'
const { cookie } = await gateway.post(add)

/** What a GraphQL call is refused with: the reason of its result, or the code of an error. */
async function refusalOf(query: string, address: string): Promise<string | undefined> {
  const { body } = await gateway.post(query, {}, { cookie, headers: { 'x-forwarded-for': address } })
  const { data, errors } = body as {
    data?: { answer?: { refusal?: { reason: string } | null } | null } | null
    errors?: { extensions: { code: string } }[]
  }
  return errors?.[0]?.extensions.code ?? data?.answer?.refusal?.reason
}

/** Status of a POST of a form or file. */
function statusOf(path: string, type: string, address: string): Promise<string> {
  const host = 'pro.gb.localhost:3000'
  const headers = {
    host,
    cookie,
    origin: `http://${host}`,
    'sec-fetch-site': 'same-origin',
    'content-type': type,
    'x-forwarded-for': address,
  }
  return new Promise((resolve, reject) => {
    request(`${gateway.url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      response.resume()
      resolve(String(response.statusCode))
    })
      .on('error', reject)
      .end('x=1')
  })
}

const form = 'application/x-www-form-urlencoded'
const question = '{ productId: "101", text: "Does it come with a battery and a charger?", author: "Robin" }'
let postcode = 10
const calls: Partial<Record<keyof typeof quotas, { refusal: string; call(address: string): Promise<string | undefined> }>> = {
  vote: {
    refusal: 'too-many-votes',
    call: (address) =>
      refusalOf(`mutation { answer: voteOnReview(id: "${randomUUID()}", isHelpful: true) { refusal { reason } } }`, address),
  },
  question: {
    refusal: 'too-many-questions',
    call: (address) => refusalOf(`mutation { answer: askQuestion(input: ${question}) { refusal { reason } } }`, address),
  },
  'pick-up-points': {
    refusal: 'TOO_MANY_REQUESTS',
    // Places found before are known.
    call: (address) => refusalOf(`{ answer: pickUpPoints(near: "M${++postcode} 1AE") { __typename } }`, address),
  },
  sheet: { refusal: '429', call: (address) => statusOf('/api/v1/quick-order/sheet', 'multipart/form-data; boundary=x', address) },
  'punch-out': { refusal: '429', call: (address) => statusOf('/api/v1/punch-out/oci', form, address) },
}
for (const [name, { refusal, call }] of Object.entries(calls))
  test(`V-11 an address with no quota of ${name} left is refused, and another one is not`, async () => {
    const [greedy, other] = ['198.51.100.1', '198.51.100.2']
    assert.notEqual(await call(greedy), refusal)
    const quota = name as 'vote' | 'question' | 'pick-up-points' | 'sheet' | 'punch-out'
    await takeQuota(quota, { address: greedy }, quotas[quota].address.units)
    assert.equal(await call(greedy), refusal)
    assert.notEqual(await call(other), refusal)
  })

const withCart = async (buyer: Buyer) => {
  must(await buyer.does((scope) => addToCart(scope, { offerId: '101', quantity: 1 })))
  return buyer
}
const guess = async (buyer: Buyer, n: number) => {
  const outcome = await buyer.does((scope) => applyCoupon(scope, `WRONG${n}`))
  return outcome.ok ? 'ok' : outcome.reason
}
const lookedUp = (reasons: readonly string[]) => reasons.filter((reason) => reason === 'coupon-unknown').length

test('V-09 of the guesses of one customer ten are looked up, however many sessions and networks they come from', async () => {
  const { newCompany, join } = companiesIn(database)
  const { principal } = await join(await newCompany(), 'buyer')
  const sessions = await Promise.all(
    [1, 2, 3].map((n) => withCart(newBuyer(database, { principal, session: { id: randomUUID() }, remoteAddress: `192.0.2.${n}` }))),
  )
  const reasons: string[] = []
  for (let n = 0; n < 8; n++) reasons.push(...(await Promise.all(sessions.map((buyer) => guess(buyer, n)))))
  assert.equal(lookedUp(reasons), 10)
})

test('V-09 of the guesses from one address forty are looked up, however many sessions make them', async () => {
  const reasons: string[] = []
  for (let session = 0; session < 6; session++) {
    const buyer = await withCart(newBuyer(database, { remoteAddress: '192.0.2.99' }))
    for (let n = 0; n < 8; n++) reasons.push(await guess(buyer, n))
  }
  assert.equal(lookedUp(reasons), 40)
})
