import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase, useSettings } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCompany, addCustomer, addMembership, signIn } from '../accounts/testing.ts'
import { maxAnswersPerDay } from './change-tax-information.ts'
import { jobs } from './jobs.ts'
import { takeInCompany, useVatServices } from './index.ts'
import type { VatAnswer } from './vat-state.ts'

const operatorKey = 'an-operator-key-of-the-tests-with-32-bytes'
useSettings({ OPERATOR_VAT_NUMBER: 'FR15000041129', OPERATOR_API_KEY: operatorKey })
const database = await testDatabase()
const { db, pool } = database
const gateway = await testGateway(pool)

const valid = {
  outcome: 'valid',
  name: 'HARTLEY ROOFING LTD',
  address: '4 Slate Yard',
  consultationNumber: 'ABC-123',
  body: { ok: true },
} as const
const unavailable = { outcome: 'unanswered', fault: 'MS_UNAVAILABLE', body: null } as const
const notValid = { outcome: 'not-valid', consultationNumber: null, body: null } as const
let answers: VatAnswer[] = []
const asked: { number: string; requester: string | null }[] = []
const service = {
  check: async (number: string, { requester }: { requester: string | null }) => {
    asked.push({ number, requester })
    return answers.shift() ?? unavailable
  },
}
useVatServices({ vies: service, hmrc: service })

interface Tax {
  canChange: boolean
  isCompany: boolean
  legalName: string | null
  fiscalNumber: string | null
  vat: {
    number: string
    state: string
    isUnanswered: boolean
    isInReview: boolean
    name: string | null
    consultationNumber: string | null
  } | null
}
interface Reply {
  data: {
    tax?: Tax | null
    result?: { isAsked: boolean; refusal: { reason: string; fields: { field: string; message: string }[] } | null }
  }
  errors?: { extensions: { code: string } }[]
}

async function person(more: { companyId?: string; host?: string } = {}) {
  const customer = await addCustomer(db)
  if (more.companyId) await addMembership(db, customer.id, more.companyId, 'admin')
  return acting(customer.id, more)
}
async function acting(customerId: string, { companyId, host = 'gb.localhost:3000' }: { companyId?: string; host?: string } = {}) {
  const { token } = await signIn(db, { customerId, family: host.startsWith('pro') ? 'b2b' : 'b2c', ...(companyId && { companyId }) })
  const post = async (query: string, variables?: object): Promise<Reply> =>
    (await gateway.post(query, variables, { cookie: `__Host-purlin=${token}`, host })).body
  return {
    id: customerId,
    answered: (...next: VatAnswer[]) => answer(companyId ? `company:${companyId}` : `customer:${customerId}`, ...next),
    see: async () =>
      (
        await post(
          '{ tax: myTaxInformation { canChange isCompany legalName fiscalNumber vat { number state isUnanswered isInReview name consultationNumber } } }',
        )
      ).data.tax,
    change: (input: object) =>
      post(
        'mutation ($input: TaxInformationInput!) { result: changeTaxInformation(input: $input) { isAsked refusal { reason fields { field message } } } }',
        { input },
      ),
    again: () => post('mutation { result: checkVatNumberAgain { isAsked refusal { reason fields { field message } } } }'),
  }
}

const firm = { legalName: 'Hartley Roofing Ltd', line1: '4 Slate Yard', postcode: 'S1 2AB', city: 'Sheffield', country: 'GB' }
/** The register answers this owner's checks the given number of times; other owners' checks wait. */
async function answer(owner: string, ...next: VatAnswer[]) {
  for (const one of next) {
    answers = [one]
    await pool.query(
      `update platform.job set run_at = now() + case when key = $1 then interval '0' else interval '1 hour' end where name = 'tax.check-vat'`,
      [owner],
    )
    await runWork(database, [], jobs)
  }
}
const proofOf = async (owner: string) =>
  (
    await pool.query(
      'select outcome, fault, consultation_number, requester, name, body from tax.answer where owner = $1 order by asked_at, id',
      [owner],
    )
  ).rows

test('R-463 R-465 a new VAT number is pending until the register has answered; the response is stored as evidence', async () => {
  const ann = await person()
  assert.equal((await ann.see())?.vat, null)
  const saved = await ann.change({ ...firm, vatNumber: 'gb 000 4101 71' })
  assert.deepEqual(saved.data.result, { isAsked: true, refusal: null })
  const pending = { number: 'GB000410171', state: 'PENDING', isUnanswered: false, isInReview: false, name: null, consultationNumber: null }
  assert.deepEqual((await ann.see())?.vat, pending)
  await ann.answered(valid)
  assert.deepEqual((await ann.see())?.vat, { ...pending, state: 'VALID', name: valid.name, consultationNumber: 'ABC-123' })
  const [proof] = await proofOf(`customer:${ann.id}`)
  assert.deepEqual(proof, {
    outcome: 'valid',
    fault: null,
    consultation_number: 'ABC-123',
    requester: null,
    name: valid.name,
    body: { ok: true },
  })
})

test('R-464 a number the register does not know is not valid; one with a wrong check digit is never sent there', async () => {
  const ann = await person()
  const before = asked.length
  const refused = await ann.change({ ...firm, vatNumber: 'GB000410172' })
  assert.deepEqual(
    refused.data.result?.refusal?.fields.map(({ field }) => field),
    ['vatNumber'],
  )
  await runWork(database, [], jobs)
  assert.equal(asked.length, before)
  await ann.change({ ...firm, vatNumber: 'DE900040400' })
  await ann.answered(notValid)
  assert.deepEqual(asked.at(-1), { number: 'DE900040400', requester: 'FR15000041129' }, 'VIES gives its receipt to a requester')
  assert.equal((await ann.see())?.vat?.state, 'NOT_VALID')
})

test('R-487 while a register is down the number stays pending, each attempt is recorded, and the worker retries automatically', async () => {
  const ann = await person()
  await ann.change({ ...firm, vatNumber: 'FR83000050302' })
  await ann.answered(unavailable, unavailable)
  assert.deepEqual([(await ann.see())?.vat?.state, (await ann.see())?.vat?.isUnanswered], ['PENDING', true])
  const { rows } = await pool.query(
    `select run_at > now() + interval '90 seconds' as later from platform.job where name = 'tax.check-vat' and key = $1`,
    [`customer:${ann.id}`],
  )
  assert.deepEqual(rows, [{ later: true }], 'the second pause is two minutes')
  await ann.answered(valid)
  assert.deepEqual([(await ann.see())?.vat?.state, (await ann.see())?.vat?.isUnanswered], ['VALID', false])
  assert.deepEqual(
    (await proofOf(`customer:${ann.id}`)).map(({ outcome }) => outcome),
    ['unanswered', 'unanswered', 'valid'],
  )
})

test('R-487 a contradiction takes nothing away; a second one does', async () => {
  const ann = await person()
  await ann.change({ ...firm, vatNumber: 'FR28000040907' })
  await ann.answered(valid, notValid)
  assert.equal((await ann.see())?.vat?.state, 'VALID')
  await ann.answered(notValid)
  assert.equal((await ann.see())?.vat?.state, 'NOT_VALID')
})

test('an answer about the number before is not written to the one that took its place', async () => {
  const ann = await person()
  await ann.change({ ...firm, vatNumber: 'FR76000041020' })
  answers = []
  useVatServices({
    vies: {
      check: async () => {
        await ann.change({ ...firm, vatNumber: 'DE900041134' })
        useVatServices({ vies: service, hmrc: service })
        return valid
      },
    },
    hmrc: service,
  })
  await answer(`customer:${ann.id}`, unavailable)
  assert.deepEqual([(await ann.see())?.vat?.number, (await ann.see())?.vat?.state], ['DE900041134', 'PENDING'])
  await ann.answered(valid)
  assert.equal((await ann.see())?.vat?.state, 'VALID')
})

test('saving the same number again sends no query; an explicit check does, up to the daily limit', async () => {
  const ann = await person()
  await ann.change({ ...firm, vatNumber: 'GB000410171' })
  await ann.answered(valid)
  assert.equal((await ann.change({ ...firm, legalName: 'Hartley', vatNumber: 'GB000410171' })).data.result?.isAsked, false)
  assert.equal((await ann.see())?.vat?.state, 'VALID')
  for (let time = 1; time < maxAnswersPerDay; time++) {
    assert.equal((await ann.again()).data.result?.isAsked, true)
    await ann.answered(valid)
  }
  assert.equal((await ann.again()).data.result?.refusal?.reason, 'too-many-checks')
  assert.equal((await ann.change({ ...firm, vatNumber: 'GB000411168' })).data.result?.refusal?.reason, 'too-many-checks')
  const other = await person()
  assert.equal((await other.again()).data.result?.refusal?.reason, 'no-vat-number')
})

test('V-51 a company’s tax information is the company’s: all members see it, admins change it, others have their own', async () => {
  const company = await addCompany(db)
  const host = 'pro.gb.localhost:3000'
  const admin = await person({ companyId: company.id, host })
  await admin.change({ ...firm, vatNumber: 'GB000410171' })
  const { id } = await addCustomer(db)
  await addMembership(db, id, company.id, 'buyer')
  const buyer = await acting(id, { companyId: company.id, host })
  assert.deepEqual([(await buyer.see())?.vat?.number, (await buyer.see())?.canChange], ['GB000410171', false])
  assert.deepEqual(
    (await buyer.change({ ...firm, vatNumber: '' })).errors?.map(({ extensions }) => extensions.code),
    ['FORBIDDEN'],
  )
  assert.deepEqual(
    (await buyer.again()).errors?.map(({ extensions }) => extensions.code),
    ['FORBIDDEN'],
  )
  // On the consumers' shop the same person acts for themselves.
  assert.deepEqual([(await (await acting(id)).see())?.isCompany, (await (await acting(id)).see())?.vat], [false, null])
  const rival = await person({ companyId: (await addCompany(db)).id, host })
  assert.equal((await rival.see())?.vat, null)
})

test('A23 no company takes on the VAT number of another one here', async () => {
  const host = 'pro.gb.localhost:3000'
  const [owner, rival] = [
    await person({ companyId: (await addCompany(db)).id, host }),
    await person({ companyId: (await addCompany(db)).id, host }),
  ]
  assert.equal((await owner.change({ ...firm, vatNumber: 'GB000419046' })).data.result?.refusal, null)
  await owner.answered(valid)
  const { isAsked, refusal } = (await rival.change({ ...firm, vatNumber: 'GB 000 4190 46' })).data.result ?? {}
  assert.deepEqual([isAsked, refusal?.reason, refusal?.fields.map(({ field }) => field)], [false, 'tax-invalid', ['vatNumber']])
  assert.equal((await rival.see())?.vat, null)
  const stranger = await person()
  assert.equal((await stranger.change({ ...firm, vatNumber: 'GB000419046' })).data.result?.refusal?.reason, 'tax-invalid')
  assert.equal((await (await acting(owner.id)).change({ ...firm, vatNumber: 'GB000419046' })).data.result?.refusal, null, 'a member’s own')
  assert.equal((await owner.change({ ...firm, city: 'Leeds', vatNumber: 'GB000419046' })).data.result?.refusal, null, 'it stays one’s own')
})

test('a person’s fiscal number is the profile’s, where the settings show it too', async () => {
  const luca = await person({ host: 'it.localhost:3000' })
  assert.deepEqual((await luca.change({ fiscalNumber: 'rssmra85t10a562s' })).data.result, { isAsked: false, refusal: null })
  assert.equal((await luca.see())?.fiscalNumber, 'RSSMRA85T10A562S')
  const { rows } = await pool.query('select fiscal_number from profile.profile where customer_id = $1', [luca.id])
  assert.deepEqual(rows, [{ fiscal_number: 'RSSMRA85T10A562S' }])
})

test('R-487 the number a company registers with is checked without anybody asking, once', async () => {
  const confirmed = await addCompany(db, { vatNumber: 'GB000411168' })
  const company = { companyId: confirmed.id, name: 'Lee Building Ltd', country: 'GB', vatNumber: 'GB 000 4111 68' }
  await takeInCompany({ db }, company)
  await answer(`company:${company.companyId}`, valid)
  await takeInCompany({ db }, company)
  const admin = await person({ companyId: company.companyId, host: 'pro.gb.localhost:3000' })
  assert.deepEqual([(await admin.see())?.vat?.number, (await admin.see())?.vat?.state], ['GB000411168', 'VALID'])
  await takeInCompany({ db }, { ...company, companyId: (await addCompany(db)).id, vatNumber: 'GB1' })
  const { rows } = await pool.query(`select count(*)::int as n from tax.record where vat_number = 'GB1'`)
  assert.deepEqual(rows, [{ n: 0 }])
})

const host = 'pro.gb.localhost:3000'
const companyAdmin = async () => person({ companyId: (await addCompany(db)).id, host })
const stateOf = async ({ see }: Awaited<ReturnType<typeof person>>) => {
  const vat = (await see())?.vat
  return [vat?.state, vat?.isInReview]
}
const operatorCall = (path: string, body?: object) =>
  fetch(`${gateway.url}/api/v1/operator/vat-numbers${path}`, {
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

test('A23 a number that its register knows under another name, or without one, is not valid for companies nor consumers until an operator confirms it', async () => {
  const vatNumber = 'FR15000041129'
  const mercier = { ...valid, name: 'ELECTRICITE MERCIER SARL' }
  for (const mallory of [await companyAdmin(), await person({ host: 'de.localhost:3000' })]) {
    await mallory.change({ ...firm, legalName: 'Mallory Sham GmbH', vatNumber })
    await mallory.answered(mercier)
    assert.deepEqual(await stateOf(mallory), ['PENDING', true])
    await mallory.answered({ ...valid, name: null }, mercier)
    assert.deepEqual(await stateOf(mallory), ['PENDING', true], 'however often it is queried')
  }
  const untold = await companyAdmin()
  await untold.change({ ...firm, vatNumber: 'DE900041134' })
  await untold.answered({ ...valid, name: null })
  assert.deepEqual(await stateOf(untold), ['PENDING', true])

  const { vatNumbers } = (await (await operatorCall('')).json()) as { vatNumbers: Record<string, unknown>[] }
  const listed = vatNumbers.find((one) => one['vatNumber'] === 'DE900041134')
  assert.deepEqual([listed?.['legalName'], listed?.['registeredName']], [firm.legalName, null])
  assert.deepEqual(
    vatNumbers.filter((one) => one['vatNumber'] === vatNumber).map((one) => one['registeredName']),
    [mercier.name, mercier.name],
  )
  assert.equal((await operatorCall('/confirm', { owner: listed?.['owner'] })).status, 400)
  assert.equal((await operatorCall('/confirm', { owner: listed?.['owner'], vatNumber })).status, 404)
  assert.equal((await operatorCall('/confirm', { owner: listed?.['owner'], vatNumber: 'DE900041134' })).status, 200)
  assert.deepEqual(await stateOf(untold), ['VALID', false])
  await untold.answered({ ...valid, name: null })
  assert.deepEqual(await stateOf(untold), ['VALID', false], 'later checks leave it so')
})

test('A23 a number in review keeps nobody from having it, and of two companies of its name the first has it', async () => {
  const vatNumber = 'FR83000050302'
  const [squatter, first, second] = [await companyAdmin(), await companyAdmin(), await companyAdmin()]
  await squatter.change({ ...firm, legalName: 'Mallory Sham GmbH', vatNumber })
  await squatter.answered(valid)
  for (const one of [first, second]) assert.equal((await one.change({ ...firm, vatNumber })).data.result?.refusal, null)
  await first.answered(valid)
  await second.answered(valid)
  assert.deepEqual(
    [await stateOf(first), await stateOf(second)],
    [
      ['VALID', false],
      ['PENDING', true],
    ],
  )
})

test('A23 a valid number is checked anew under another name; one in review becomes valid under the registered name', async () => {
  const admin = await companyAdmin()
  const vatNumber = 'FR28000040907'
  await admin.change({ ...firm, vatNumber })
  await admin.answered(valid)
  assert.equal((await admin.change({ ...firm, legalName: 'Mallory Sham GmbH', vatNumber })).data.result?.isAsked, true)
  assert.deepEqual(await stateOf(admin), ['PENDING', false])
  await admin.answered(valid)
  assert.deepEqual(await stateOf(admin), ['PENDING', true])
  assert.equal((await admin.change({ ...firm, vatNumber })).data.result?.isAsked, true)
  await admin.answered(valid)
  assert.deepEqual(await stateOf(admin), ['VALID', false])
})

test('a number that was valid before its register’s name was compared stays so until name or number change', async () => {
  const admin = await companyAdmin()
  await admin.change({ ...firm, legalName: 'Trading Name', vatNumber: 'FR76000041020' })
  await pool.query(`update tax.record set vat_state = 'valid', vat_checked_at = now() where vat_number = 'FR76000041020'`)
  await admin.answered(valid)
  assert.deepEqual(await stateOf(admin), ['VALID', false])
  await admin.change({ ...firm, legalName: 'Trading Name', city: 'Leeds', vatNumber: 'FR76000041020' })
  assert.deepEqual(await stateOf(admin), ['VALID', false])
  await admin.change({ ...firm, legalName: 'Other Name', vatNumber: 'FR76000041020' })
  assert.deepEqual(await stateOf(admin), ['PENDING', false])
})
