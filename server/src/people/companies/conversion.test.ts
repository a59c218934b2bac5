import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { connectModules } from '../../edges/connect-modules.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { linkPerson } from '#accounts'
import { handlers as creditHandlers, jobs as creditJobs } from '../../selling/credit/jobs.ts'
import { setFlag } from '#flags'
import { testCredit } from '../../selling/credit/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../accounts/testing.ts'
import { handlers as taxHandlers, jobs as taxJobs } from '../tax/jobs.ts'
import { takeInCompany, useVatServices } from '../tax/index.ts'
import { inventVatNumber } from '../tax/testing.ts'
import type { VatAnswer } from '../tax/vat-state.ts'
import { vatDecidesConversion } from './decide-conversion.ts'
import { handlers, jobs } from './jobs.ts'
import { maxRequestsPerDay } from './request-conversion.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_API_KEY: operatorKey })
connectModules()
const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)

let answer: VatAnswer = { outcome: 'unanswered', fault: 'MS_UNAVAILABLE', body: null }
const register = { check: async () => answer }
useVatServices({ vies: register, hmrc: register })
const valid = (name: string | null): VatAnswer => ({ outcome: 'valid', name, address: null, consultationNumber: 'ABC', body: null })
const notValid: VatAnswer = { outcome: 'not-valid', consultationNumber: null, body: null }

interface Conversion {
  status: string
  reason: string | null
  isChecking: boolean
}
interface Reply {
  data: {
    conversion?: Conversion | null
    result?: { refusal: { reason: string; fields: { field: string }[] } | null }
    myTaxInformation?: { isCompany: boolean; vat: { number: string; state: string } | null }
  }
  errors?: { extensions: { code: string } }[]
}

const work = () => runWork(database, [...handlers, ...taxHandlers, ...creditHandlers], [...taxJobs, ...jobs, ...creditJobs])
/** A day later: everything that waits is due. */
async function workLater() {
  await pool.query(`update platform.job set run_at = now() where run_at < now() + interval '1 day'`)
  await work()
}
const firm = { companyName: 'Bright and Sons Joinery', line1: '7 Mill Lane', postcode: 'LS1 4DY', city: 'Leeds', country: 'GB' }
let next = 4200
const newNumber = () => inventVatNumber(next++)

async function consumer() {
  const customer = await addCustomer(db)
  const here = await signIn(db, { customerId: customer.id })
  const pro = await signIn(db, { customerId: customer.id, family: 'b2b' })
  const post = async (query: string, variables?: object, host = 'gb.localhost:3000'): Promise<Reply> => {
    const { token } = host.startsWith('pro') ? pro : here
    return (await gateway.post(query, variables, { cookie: `__Host-purlin=${token}`, host })).body
  }
  return {
    ...customer,
    post,
    see: async () => (await post('{ conversion: proConversion { status reason isChecking } }')).data.conversion,
    request: (input: object) =>
      post(
        'mutation ($input: ProConversionInput!) { result: requestProConversion(input: $input) { refusal { reason fields { field } } } }',
        { input: { ...firm, ...input } },
      ),
    mails: async () =>
      (await pool.query('select template from mail.mail where recipient = $1 order by created_at, id', [customer.email])).rows.map(
        ({ template }) => template,
      ),
  }
}

async function decide(id: string, decision: string, key = operatorKey) {
  const response = await fetch(`${gateway.url}/api/v1/operator/conversions/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ decision }),
  })
  return response.status
}
const leadOf = async (customerId: string): Promise<string> =>
  (await pool.query('select id from companies.conversion where customer_id = $1 order by requested_at desc limit 1', [customerId])).rows[0]
    .id

test('R-051 R-521 R-319 R-320 a VAT number that its register confirms converts by itself: the customer is admin of a company from the next request on', async () => {
  const ann = await consumer()
  assert.deepEqual(await ann.see(), { status: 'UNKNOWN', reason: null, isChecking: false })
  const vatNumber = newNumber()
  assert.deepEqual((await ann.request({ vatNumber })).data.result, { refusal: null })
  assert.deepEqual(await ann.see(), { status: 'LEAD', reason: null, isChecking: true })
  answer = valid('BRIGHT & SONS JOINERY LTD')
  await work()
  assert.deepEqual(await ann.see(), { status: 'CONVERTED', reason: null, isChecking: false })
  assert.deepEqual(await ann.mails(), ['conversion-accepted'])
  const asCompany = (await ann.post('{ myTaxInformation { isCompany vat { number state } } }', {}, 'pro.gb.localhost:3000')).data
    .myTaxInformation
  assert.deepEqual(asCompany, { isCompany: true, vat: { number: vatNumber, state: 'VALID' } }, 'the proof is the company’s')
  assert.equal((await ann.request({ vatNumber: newNumber() })).data.result?.refusal?.reason, 'already-converted')
})

test('R-320 a number that the register does not know is refused, with a mail; the customer may ask again', async () => {
  const ann = await consumer()
  answer = notValid
  await ann.request({ vatNumber: newNumber() })
  await work()
  assert.deepEqual(await ann.see(), { status: 'REFUSED', reason: 'VAT_NOT_VALID', isChecking: false })
  assert.deepEqual(await ann.mails(), ['conversion-refused'])
  answer = valid('Bright and Sons Joinery')
  await ann.request({ vatNumber: newNumber() })
  await work()
  assert.equal((await ann.see())?.status, 'CONVERTED')
})

test('a register that keeps the name to itself proves nothing about who asks: an operator decides', async () => {
  const ann = await consumer()
  answer = valid(null)
  await ann.request({ vatNumber: newNumber() })
  await work()
  assert.deepEqual(await ann.see(), { status: 'LEAD', reason: 'NAME_UNDISCLOSED', isChecking: false })
  assert.deepEqual(await ann.mails(), ['conversion-received'])
  assert.equal(await decide(await leadOf(ann.id), 'accept'), 200)
  assert.equal((await ann.see())?.status, 'CONVERTED')
})

test('R-319 a register that is down leaves a lead, and a mail says that it takes longer', async () => {
  const ann = await consumer()
  answer = { outcome: 'unanswered', fault: 'TIMEOUT', body: null }
  await ann.request({ vatNumber: newNumber() })
  await workLater()
  assert.deepEqual(await ann.see(), { status: 'LEAD', reason: null, isChecking: true })
  assert.deepEqual(await ann.mails(), ['conversion-received'])
  assert.equal((await ann.request({ vatNumber: newNumber() })).data.result?.refusal?.reason, 'already-requested')
  answer = valid('Bright and Sons Joinery')
  await workLater()
  assert.equal((await ann.see())?.status, 'CONVERTED')
})

test('a VAT number under another name, or of an existing customer company, proves nothing: an operator decides, and nobody joins that company', async () => {
  const thief = await consumer()
  answer = valid('HARTLEY ROOFING LTD')
  await thief.request({ vatNumber: newNumber() })
  await work()
  assert.deepEqual(await thief.see(), { status: 'LEAD', reason: 'NAME_DIFFERS', isChecking: false })
  assert.deepEqual(await thief.mails(), ['conversion-received'])

  const company = await addCompany(db)
  const vatNumber = newNumber()
  await takeInCompany({ db }, { companyId: company.id, name: firm.companyName, country: 'GB', vatNumber })
  answer = valid('BRIGHT & SONS JOINERY LTD')
  await work()
  const second = await consumer()
  await second.request({ vatNumber })
  await work()
  assert.deepEqual(await second.see(), { status: 'LEAD', reason: 'KNOWN_COMPANY', isChecking: false })
  const { rows } = await pool.query('select 1 from accounts.membership where company_id = $1', [company.id])
  assert.equal(rows.length, 0)
})

test('A23 a company that states the number in its tax information under another name does not keep the company itself from converting', async () => {
  const vatNumber = newNumber()
  answer = valid('BRIGHT & SONS JOINERY LTD')
  await takeInCompany({ db }, { companyId: (await addCompany(db)).id, name: 'Mallory Sham GmbH', country: 'GB', vatNumber })
  await work()
  const ann = await consumer()
  await ann.request({ vatNumber })
  await work()
  assert.equal((await ann.see())?.status, 'CONVERTED')
  assert.equal(
    (await ann.post('{ myTaxInformation { isCompany vat { number state } } }', {}, 'pro.gb.localhost:3000')).data.myTaxInformation?.vat
      ?.state,
    'VALID',
  )
})

test('of six conversions with one VAT number at the same moment, one becomes a company; the others wait for an operator', async () => {
  const vatNumber = newNumber()
  const six = await Promise.all(Array.from({ length: 6 }, () => consumer()))
  for (const each of six) await each.request({ vatNumber })
  const news = { vatNumber, state: 'valid', answer: valid('BRIGHT & SONS JOINERY LTD') } as const
  await Promise.all(six.map(({ id: customerId }) => database.command({}, (scope) => vatDecidesConversion(scope, { ...news, customerId }))))
  const { rows } = await pool.query('select 1 from accounts.company where vat_number = $1', [vatNumber])
  assert.equal(rows.length, 1)
  const seen = await Promise.all(six.map((each) => each.see()))
  assert.equal(seen.filter((each) => each?.status === 'CONVERTED').length, 1)
  assert.equal(seen.filter((each) => each?.reason === 'KNOWN_COMPANY').length, 5)
})

test('R-521 a company register number is looked up by an operator, who accepts or refuses by REST, once', async () => {
  const ann = await consumer()
  await ann.request({ registerNumber: 'SC123456' })
  assert.deepEqual(await ann.see(), { status: 'LEAD', reason: 'REGISTER_NUMBER', isChecking: false })
  assert.deepEqual(await ann.mails(), ['conversion-received'])
  const id = await leadOf(ann.id)
  const listed = await fetch(`${gateway.url}/api/v1/operator/conversions?state=lead`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  const { conversions } = (await listed.json()) as { conversions: { id: string; registerNumber: string }[] }
  assert.equal(conversions.find((one) => one.id === id)?.registerNumber, 'SC123456')
  assert.equal(await decide(id, 'accept', 'wrong'), 401)
  assert.equal(await decide(id, 'perhaps'), 400)
  assert.equal(await decide('00000000-0000-7000-8000-000000000000', 'accept'), 404)
  assert.equal(await decide('x', 'accept'), 404)
  assert.deepEqual([await decide(id, 'accept'), await decide(id, 'accept'), await decide(id, 'refuse')], [200, 200, 409])
  assert.equal((await ann.see())?.status, 'CONVERTED')
  assert.deepEqual(await ann.mails(), ['conversion-received', 'conversion-accepted'])
  const other = await consumer()
  await other.request({ registerNumber: '12345678' })
  assert.equal(await decide(await leadOf(other.id), 'refuse'), 200)
  assert.deepEqual(await other.see(), { status: 'REFUSED', reason: 'NOT_A_COMPANY', isChecking: false })
})

test('a request without a number, with a malformed one, or after too many is refused and leaves nothing behind', async () => {
  const ann = await consumer()
  const fields = async (input: object) => (await ann.request(input)).data.result?.refusal?.fields.map(({ field }) => field)
  assert.deepEqual(await fields({}), ['vatNumber'])
  assert.deepEqual(await fields({ vatNumber: 'GB1' }), ['vatNumber'])
  assert.deepEqual(await fields({ registerNumber: '1', companyName: '' }), ['companyName', 'registerNumber'])
  assert.equal((await ann.see())?.status, 'UNKNOWN')
  for (let time = 0; time < maxRequestsPerDay; time++) {
    assert.equal((await ann.request({ registerNumber: '12345678' })).data.result?.refusal, null)
    await decide(await leadOf(ann.id), 'refuse')
  }
  assert.equal((await ann.request({ registerNumber: '12345678' })).data.result?.refusal?.reason, 'too-many-requests')
})

test('guests and members do not ask; two requests at once are one', async () => {
  const guest = await gateway.post('{ conversion: proConversion { status } }', {})
  assert.equal((guest.body as Reply).errors?.[0]?.extensions.code, 'UNAUTHENTICATED')
  const ann = await consumer()
  await addMembership(db, ann.id, (await addCompany(db)).id, 'buyer')
  assert.equal((await ann.see())?.status, 'CONVERTED')
  const ben = await consumer()
  const replies = await Promise.all([1, 2, 3].map(() => ben.request({ registerNumber: '12345678' })))
  assert.deepEqual(replies.map(({ data }) => data.result?.refusal?.reason ?? 'ok').toSorted(), [
    'already-requested',
    'already-requested',
    'ok',
  ])
})

/** A person who has registered as a professional, with the company and VAT number they entered. */
async function professional(companyName: string, vatNumber: string | null, registerNumber: string | null = null) {
  const subject = randomUUID()
  const identity = {
    realm: 'b2b',
    issuer: 'http://id.example',
    subject,
    email: `${subject}@example.com`,
    name: 'Mal',
    market: 'gb',
  } as const
  const linked = await database.command({}, async (scope) => ({
    ok: true,
    person: await linkPerson(scope, { ...identity, company: { name: companyName, country: 'GB', vatNumber, registerNumber } }),
  }))
  const { person } = linked
  assert.ok(person?.kind === 'customer' && person.companyId !== null)
  const { id: customerId, companyId } = person
  const { token } = await signIn(db, { customerId, companyId, family: 'b2b' })
  await work()
  const ask = async (query: string, variables = {}) =>
    (await gateway.post(query, variables, { cookie: `__Host-purlin=${token}`, host: 'pro.gb.localhost:3000' })).body as Reply & Credit
  return {
    id: customerId,
    companyId,
    status: async () => {
      const { data } = await ask('{ conversion: proConversion { status reason isChecking } }')
      return [data.conversion?.status, data.conversion?.reason]
    },
    request: async (input: object) => {
      const { data, errors } = await ask(
        'mutation ($input: ProConversionInput!) { result: requestProConversion(input: $input) { refusal { reason fields { field } } } }',
        { input: { ...firm, ...input } },
      )
      return errors ? { reason: errors[0]?.extensions.code } : (data.result?.refusal ?? null)
    },
    invite: async () => {
      const { data } = await ask('mutation ($email: String!) { result: inviteMember(email: $email, role: BUYER) { refusal { reason } } }', {
        email: `${randomUUID()}@stranger.example`,
      })
      return data.result?.refusal?.reason ?? null
    },
    review: async () => (await ask('{ company: myCompany { review { state isOwn } } }')).data.company?.review,
    vat: async () => (await ask('{ myTaxInformation { isCompany vat { number state } } }')).data.myTaxInformation,
    credit: async () => (await ask('{ credit: myCredit { reason limit { amount } } }')).data.credit,
    members: async () =>
      (await pool.query('select customer_id as id, role from accounts.membership where company_id = $1', [companyId])).rows,
    mails: async () =>
      (await pool.query('select template from mail.mail where recipient = $1 order by created_at, id', [identity.email])).rows.map(
        ({ template }) => template as string,
      ),
  }
}
interface Credit {
  data: {
    credit?: { reason: string | null; limit: { amount: number } | null } | null
    company?: { review: { state: string; isOwn: boolean } | null } | null
  }
}

test('A23 registering with the name and VAT number of a customer company proves nothing: no valid number and no credit until an operator decides', async (t) => {
  const credit = await testCredit(gateway.url)
  t.after(() => credit.close())
  await database.command({}, (scope) => setFlag(scope, { market: 'gb', mode: 'b2b' }, 'pepePdpB2bBnpl', true))
  const vatNumber = newNumber()
  answer = valid('HARTLEY ROOFING LTD')
  const owner = await professional('Hartley Roofing Ltd', vatNumber)
  assert.deepEqual(await owner.status(), ['CONVERTED', null], 'the ordinary registration of a new company')
  assert.deepEqual(await owner.vat(), { isCompany: true, vat: { number: vatNumber, state: 'VALID' } })
  assert.equal((await owner.credit())?.reason, null)
  assert.ok(((await owner.credit())?.limit?.amount ?? 0) > 0)
  assert.deepEqual(await owner.mails(), [])

  const mallory = await professional('Hartley Roofing Ltd', vatNumber)
  assert.deepEqual(await mallory.status(), ['LEAD', 'KNOWN_COMPANY'])
  assert.deepEqual(await mallory.vat(), { isCompany: true, vat: null })
  assert.deepEqual(await mallory.credit(), { reason: 'NUMBER_MISSING', limit: null })
  assert.deepEqual(await mallory.mails(), ['conversion-received'])
  assert.deepEqual(await owner.members(), [{ id: owner.id, role: 'admin' }], 'a company of their own, not hers')

  assert.equal(await decide(await leadOf(mallory.id), 'refuse'), 200)
  await work()
  assert.deepEqual(
    [await mallory.vat(), await mallory.credit()],
    [
      { isCompany: true, vat: null },
      { reason: 'NUMBER_MISSING', limit: null },
    ],
  )
})

test('A23 a registration under another name than the register’s waits for an operator, and does not keep the company itself from converting', async () => {
  const vatNumber = newNumber()
  answer = valid('BRIGHT & SONS JOINERY LTD')
  const squatter = await professional('Hartley Roofing Ltd', vatNumber)
  assert.deepEqual(await squatter.status(), ['LEAD', 'NAME_DIFFERS'])
  assert.equal((await squatter.vat())?.vat, null)
  const ann = await consumer()
  await ann.request({ vatNumber })
  await work()
  assert.equal((await ann.see())?.status, 'CONVERTED')

  const renamed = await professional('Hartley Roofing Ltd', newNumber())
  assert.equal(await decide(await leadOf(renamed.id), 'accept'), 200)
  await work()
  assert.deepEqual(await renamed.status(), ['CONVERTED', null])
  assert.equal((await renamed.vat())?.vat?.state, 'VALID')
  assert.deepEqual(await renamed.mails(), ['conversion-received', 'conversion-accepted'])
  assert.equal((await renamed.members()).length, 1, 'no second company')
})

test('A23 a company registered without a number, or with one its register does not know, has none', async () => {
  answer = notValid
  for (const typed of [null, 'GB1', newNumber()]) {
    const one = await professional('Bright and Sons Joinery', typed)
    assert.equal((await one.vat())?.vat, null, String(typed))
    assert.equal((await one.members()).length, 1)
  }
})

test('a business without a VAT number registers with its register number and waits for an operator; a malformed number is none', async () => {
  const one = await professional('Bright and Sons Joinery', null, '1234567')
  assert.deepEqual(await one.status(), ['LEAD', 'REGISTER_NUMBER'])
  assert.deepEqual(await one.mails(), ['conversion-received'])
  const { rows } = await pool.query('select register_number, company_id from companies.conversion where customer_id = $1', [one.id])
  assert.deepEqual(rows, [{ register_number: '01234567', company_id: null }])
  assert.equal(await decide(await leadOf(one.id), 'accept'), 200)
  await work()
  assert.deepEqual(await one.status(), ['CONVERTED', null])
  assert.equal((await one.members()).length, 1, 'no second company')
  const other = await professional('Bright and Sons Joinery', null, 'HRB 12')
  const requests = await pool.query('select 1 from companies.conversion where customer_id = $1', [other.id])
  assert.equal(requests.rows.length, 0)
})

test('a professional whose registration was refused asks again with a register number, for the same company, and an operator sees why it waits', async () => {
  answer = notValid
  const one = await professional('Bright and Sons Joinery', newNumber())
  assert.deepEqual(await one.status(), ['REFUSED', 'VAT_NOT_VALID'])
  const again = { companyName: 'Bright and Sons Joinery Ltd', registerNumber: '1234567' }
  assert.equal(await one.request(again), null)
  assert.deepEqual(await one.status(), ['LEAD', 'REGISTER_NUMBER'])
  assert.equal((await one.request(again))?.reason, 'already-requested')
  const listed = await fetch(`${gateway.url}/api/v1/operator/conversions`, { headers: { authorization: `Bearer ${operatorKey}` } })
  const { conversions } = (await listed.json()) as { conversions: Record<string, unknown>[] }
  const waiting = conversions.find(({ customerId }) => customerId === one.id)
  assert.deepEqual([waiting?.['reason'], waiting?.['registerNumber'], waiting?.['vatNumber']], ['register-number', '01234567', null])

  assert.equal(await decide(await leadOf(one.id), 'accept'), 200)
  await work()
  assert.deepEqual(await one.status(), ['CONVERTED', null])
  assert.equal((await one.members()).length, 1, 'no second company')
  assert.equal((await one.request(again))?.reason, 'already-converted')
})

test('a company whose check is pending invites colleagues; once refused, it does so only after it is confirmed, however often it asks again', async () => {
  answer = { outcome: 'unanswered', fault: 'MS_UNAVAILABLE', body: null }
  const one = await professional('Bright and Sons Joinery', newNumber())
  assert.deepEqual([await one.status(), await one.invite()], [['LEAD', null], null])
  answer = notValid
  await workLater()
  assert.deepEqual([await one.status(), await one.invite()], [['REFUSED', 'VAT_NOT_VALID'], 'registration-refused'])
  assert.equal(await one.request({ registerNumber: '1234567' }), null)
  assert.deepEqual([await one.status(), await one.invite()], [['LEAD', 'REGISTER_NUMBER'], 'registration-refused'])
  assert.equal(await decide(await leadOf(one.id), 'accept'), 200)
  assert.equal(await one.invite(), null)
})

test('a registered company sees how far its check has come until it is confirmed; a colleague sees that somebody else may ask again', async () => {
  answer = { outcome: 'unanswered', fault: 'MS_UNAVAILABLE', body: null }
  const one = await professional('Bright and Sons Joinery', newNumber())
  assert.deepEqual(await one.review(), { state: 'CHECKING', isOwn: true })
  answer = notValid
  await workLater()
  assert.deepEqual(await one.review(), { state: 'REFUSED', isOwn: true })
  const colleague = await addCustomer(db)
  await addMembership(db, colleague.id, one.companyId, 'buyer')
  const { token } = await signIn(db, { customerId: colleague.id, companyId: one.companyId, family: 'b2b' })
  const query = '{ company: myCompany { review { state isOwn } } }'
  const { body } = await gateway.post(query, {}, { cookie: `__Host-purlin=${token}`, host: 'pro.gb.localhost:3000' })
  assert.deepEqual((body as Credit).data.company?.review, { state: 'REFUSED', isOwn: false })
  assert.equal(await one.request({ registerNumber: '1234567' }), null)
  assert.deepEqual(await one.review(), { state: 'IN_REVIEW', isOwn: true })
  assert.equal(await decide(await leadOf(one.id), 'accept'), 200)
  assert.equal(await one.review(), null)

  answer = valid(null)
  const untold = await professional('Bright and Sons Joinery', newNumber())
  assert.deepEqual([await untold.status(), await untold.review()], [['LEAD', 'NAME_UNDISCLOSED'], { state: 'IN_REVIEW', isOwn: true }])
  assert.equal(await decide(await leadOf(untold.id), 'accept'), 200)
  assert.deepEqual([await untold.review(), (await untold.vat())?.vat?.state], [null, 'VALID'])

  const ann = await consumer()
  await ann.request({ registerNumber: 'SC123456' })
  await decide(await leadOf(ann.id), 'accept')
  assert.equal((await ann.see())?.status, 'CONVERTED')
})

test('A23 only the administrator asks again, and nobody for a company that is proven', async () => {
  answer = valid('HARTLEY ROOFING LTD')
  const proven = await professional('Hartley Roofing Ltd', newNumber())
  assert.equal((await proven.request({ registerNumber: '1234567' }))?.reason, 'already-converted')
  answer = notValid
  const refused = await professional('Bright and Sons Joinery', newNumber())
  await pool.query(`update accounts.membership set role = 'buyer' where customer_id = $1`, [refused.id])
  assert.equal((await refused.request({ registerNumber: '1234567' }))?.reason, 'FORBIDDEN')
})

test('A23 a company that asks again after a refusal gets the name and the country that were checked, not those it first gave itself', async () => {
  const numbers = [newNumber(), newNumber()]
  for (const proof of [{ vatNumber: numbers[1] ?? '' }, { registerNumber: '1234567' }]) {
    answer = notValid
    const one = await professional('Screwfix Direct Limited', numbers[0] ?? '')
    await pool.query(`update accounts.company set country = 'FR' where id = $1`, [one.companyId])
    assert.deepEqual(await one.status(), ['REFUSED', 'VAT_NOT_VALID'])
    answer = valid('BRIGHT & SONS JOINERY LTD')
    assert.equal(await one.request({ ...proof, companyName: 'Bright and Sons Joinery' }), null)
    await work()
    if ('registerNumber' in proof) assert.equal(await decide(await leadOf(one.id), 'accept'), 200)
    await work()
    assert.deepEqual(await one.status(), ['CONVERTED', null])
    const { rows } = await pool.query('select name, country, vat_number from accounts.company where id = $1', [one.companyId])
    assert.deepEqual(rows, [{ name: 'Bright and Sons Joinery', country: 'GB', vat_number: 'vatNumber' in proof ? proof.vatNumber : null }])
  }
})
