import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { forgetSwitches, setFlag } from '#flags'
import { pick, testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { addOffer, fillShop } from '../checkout/testing.ts'
import { requestFinancing } from './request-financing.ts'
import { addBuyer, testCredit } from './testing.ts'

const database = await testDatabase()
const { db } = database
await fillShop(database)
await addOffer(database, { id: '7001', price: 100_00, proPrice: 100_00, stock: 10_000 })
const gateway = await testGateway(database.pool)
let credit: Awaited<ReturnType<typeof testCredit>>
before(async () => {
  credit = await testCredit(gateway.url)
})
after(() => credit.close())

async function switchTo(isOn: boolean): Promise<void> {
  await database.command({}, (scope) => setFlag(scope, { market: '*', mode: 'b2b' }, 'pepePdpB2bBnpl', isOn))
  forgetSwitches()
}

test('R-702 the flag switches the note on product pages of professionals, where companies can pay by invoice', async () => {
  const { rows } = await database.pool.query<{ id: string }>('select product_id::text as id from catalogue.offer where id = 7001')
  const least = async (host: string) => {
    const { body } = await gateway.post(
      'query ($id: ID!) { product(id: $id) { offers { payByInvoiceFrom { amount } } } }',
      { id: rows[0]?.id ?? '' },
      { host },
    )
    return pick(body, 'data.product.offers.0.payByInvoiceFrom')
  }
  await switchTo(true)
  assert.deepEqual(await least('pro.gb.localhost'), { amount: 2_500 })
  assert.equal(await least('gb.localhost'), null)
  await switchTo(false)
  assert.equal(await least('pro.gb.localhost'), null)
})

test('R-290 the financing example has the amount and term requested, or the usual ones where those are not financed', async () => {
  const example = async (amount: number | null, months: number | null, host = 'pro.gb.localhost') => {
    const { body } = await gateway.post(
      `query ($amount: Int, $months: Int) { financingExample(amount: $amount, months: $months) {
        amount months financed { formatted } total { amount } interest { amount } instalments { payment { amount } left { amount } } } }`,
      { amount, months },
      { host },
    )
    return (body as unknown as { data: { financingExample: Example } }).data.financingExample
  }
  const { total, interest, instalments, ...facts } = await example(12_000, 36)
  assert.deepEqual(facts, { amount: 12_000, months: 36, financed: { formatted: '£12,000.00' } })
  assert.equal(instalments.length, 36)
  assert.equal(
    instalments.reduce((sum, { payment }) => sum + payment.amount, 0),
    total.amount,
  )
  assert.equal(total.amount - interest.amount, 12_000_00)
  assert.equal(instalments.at(-1)?.left.amount, 0)
  for (const [amount, months] of [
    [999, 36],
    [50_001, 36],
    [12_000, 7],
    [-1, 0],
    [null, null],
  ] as const) {
    const usual = await example(amount, months, 'pro.de.localhost')
    assert.deepEqual([usual.amount, usual.months], [10_000, 24], `${amount} over ${months}`)
  }
})
interface Example {
  amount: number
  months: number
  financed: { formatted: string }
  total: { amount: number }
  interest: { amount: number }
  instalments: { payment: { amount: number }; left: { amount: number } }[]
}

test('R-290 a request for financing is confirmed by mail and sent to the operator; one out of bounds is refused', async () => {
  const company = await addBuyer(db, 'GB100000001')
  const wish = { amount: 12_000, months: 24, purpose: 'Two heat pumps', phone: '+44 20 7946 0000' }
  const ask = (more: object) => database.command(company, (scope) => requestFinancing(scope, { ...wish, ...more }))
  const { number } = await ask({})
  assert.match(String(number), /^9\d{4}$/)
  for (const wrong of [{ amount: 999 }, { amount: 50_001 }, { months: 7 }, { purpose: ' ' }, { phone: 'call me' }, { phone: '1' }]) {
    const { refusal } = await ask(wrong)
    assert.equal(refusal?.reason, 'input-invalid', JSON.stringify(wrong))
    assert.deepEqual(
      refusal?.fields.map(({ field }) => field),
      Object.keys(wrong),
      'the field that is wrong is named',
    )
  }
  const mails = await db.rows<{ template: string; recipient: string }>(
    { name: 'test.financing', text: `select template, recipient from mail.mail where template like 'financing-%' order by template desc` },
    [],
  )
  assert.deepEqual(
    mails.map(({ template }) => template),
    ['financing-request', 'financing-notice'],
  )
  assert.equal(mails[0]?.recipient, company.principal.email)
})
