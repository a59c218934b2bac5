import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyWithFormer } from '#accounts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import { connectModules } from '../../edges/connect-modules.ts'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { addCustomer, signIn } from '../../people/accounts/testing.ts'
import { decideConversion } from '../../people/companies/decide-conversion.ts'
import { handlers as companyHandlers, jobs as companyJobs } from '../../people/companies/jobs.ts'
import { readConversion } from '../../people/companies/store.ts'
import { useVatServices } from '../../people/tax/index.ts'
import { handlers as taxHandlers, jobs as taxJobs } from '../../people/tax/jobs.ts'
import { inventVatNumber } from '../../people/tax/testing.ts'
import { trialOf } from './start-subscription.ts'

/** Trials and withdrawals are counted by VAT number, whatever the tax information of the company states today. */

connectModules()
const database = await testDatabase()
const { db } = database
const gateway = await testGateway(database.pool)
const answer = { outcome: 'valid', name: 'BRIGHT & SONS JOINERY LTD', address: null, consultationNumber: 'ABC', body: null } as const
const register = { check: async () => answer }
useVatServices({ vies: register, hmrc: register })
const work = () => runWork(database, [...companyHandlers, ...taxHandlers], [...taxJobs, ...companyJobs])
const seat = { line1: '7 Mill Lane', postcode: 'LS1 4DY', city: 'Leeds', country: 'GB' }

async function convert(vatNumber: string) {
  const { id } = await addCustomer(db)
  const { token } = await signIn(db, { customerId: id })
  const request = 'mutation ($input: ProConversionInput!) { result: requestProConversion(input: $input) { refusal { reason } } }'
  const input = { ...seat, companyName: 'Bright and Sons Joinery', vatNumber }
  const { body } = await gateway.post(request, { input }, { cookie: `__Host-purlin=${token}`, host: 'gb.localhost:3000' })
  assert.deepEqual(body, { data: { result: { refusal: null } } })
  await work()
  return { id, conversion: await readConversion(db, id) }
}

/** The admin of the company saves its tax information without a number. */
async function dropNumber(customerId: string, companyId: string): Promise<void> {
  const { token } = await signIn(db, { customerId, companyId, family: 'b2b' })
  const save = 'mutation ($input: TaxInformationInput!) { result: changeTaxInformation(input: $input) { refusal { reason } } }'
  const input = { ...seat, legalName: 'Bright and Sons Joinery', vatNumber: '' }
  const { body } = await gateway.post(save, { input }, { cookie: `__Host-purlin=${token}`, host: 'pro.gb.localhost:3000' })
  assert.deepEqual(body, { data: { result: { refusal: null } } })
}

test('a company that takes its number out of its tax information neither converts again by itself nor has a second trial', async () => {
  const vatNumber = inventVatNumber(4999)
  const first = await convert(vatNumber)
  const firstId = first.conversion?.companyId ?? ''
  assert.equal(first.conversion?.state, 'converted')
  assert.equal(await trialOf(db, firstId), 'available')
  await database.pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, due_at, created_at)
      values ($1, $2, $3, 'gb', 'http://pro.gb.localhost', 'trialing', 'monthly', true, now() + interval '9 days', now() + interval '9 days', now())`,
    [newId(), firstId, first.id],
  )
  await dropNumber(first.id, firstId)

  const second = await convert(vatNumber)
  assert.deepEqual([second.conversion?.state, second.conversion?.reason], ['lead', 'known-company'])
  const decided = await database.command({}, (scope) => decideConversion(scope, second.conversion?.id ?? '', 'accept'))
  const secondId = (decided.ok && decided.conversion.companyId) || ''
  assert.notEqual(secondId, firstId)
  assert.equal(await trialOf(db, secondId), 'used', 'once per number, whoever registers it')
  assert.deepEqual(new Set(await companyWithFormer(db, secondId)), new Set([secondId, firstId]))
})
