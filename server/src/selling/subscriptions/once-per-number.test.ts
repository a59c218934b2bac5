import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
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
import { fillShop } from '../checkout/testing.ts'
import { changeCard } from './change-subscription.ts'
import { showSubscription } from './show-subscription.ts'
import { trialOf } from './start-subscription.ts'
import { addChooser } from './testing.ts'

/** Trials and withdrawals are counted by VAT number, whatever the tax information of the company states today. */

connectModules()
const database = await testDatabase()
await fillShop(database)
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

/** A company whose admin has chosen the monthly plan and sees the card fields; without a number it is not confirmed. */
async function chosen(vatNumber: string | null) {
  const chooser = await addChooser(database, vatNumber)
  const choose = () => chooser.choose('monthly')
  assert.deepEqual(await choose(), { ok: true })
  return { ...chooser, choose }
}

async function setNumber(companyId: string, vatNumber: string): Promise<void> {
  await database.pool.query('update accounts.company set vat_number = $2 where id = $1', [companyId, vatNumber])
}

test('two companies of one number that have chosen a trial begin one between them, also at the same moment; the other is asked anew', async () => {
  const vatNumber = inventVatNumber(4998)
  const [one, other] = [await chosen(vatNumber), await chosen(vatNumber)]
  for (const { member } of [one, other])
    assert.deepEqual(await database.command(member, changeCard), { ok: false, reason: 'not-subscribed' }, 'no card before the plan')
  const [begun, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = one.enterCard({ isDone: () => (begun.resolve(), commit.promise) })
  await begun.promise
  let hasEnded = false
  const second = other.enterCard().finally(() => (hasEnded = true))
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while (!hasEnded && (await database.pool.query(waiting)).rows.length === 0) await setTimeout(10)
  commit.resolve()
  await Promise.all([first, second])
  const seen = await Promise.all([one.see(), other.see()])
  assert.deepEqual(
    seen.map((each) => [each?.state, each?.hasTrial, each?.setup, each?.card?.last4 ?? null]),
    [
      ['trialing', true, null, '0002'],
      ['incomplete', false, null, null],
    ],
  )
  assert.deepEqual(await other.choose(), { ok: true })
  const again = await other.see()
  assert.deepEqual([again?.hasTrial, again?.setup?.isFailed], [false, false])
})

test('a company that is confirmed after it has chosen a plan is asked once more, with its trial, and a card that it enters before that begins the trial', async () => {
  const [patient, quick] = [await chosen(null), await chosen(null)]
  const before = await patient.see()
  assert.deepEqual([before?.hasTrial, before?.awaitsConfirmation, before?.setup?.isFailed], [false, true, false])
  await setNumber(patient.companyId, inventVatNumber(4997))
  await setNumber(quick.companyId, inventVatNumber(4996))

  const confirmed = await patient.see()
  assert.deepEqual(
    [confirmed?.hasTrial, confirmed?.awaitsConfirmation, confirmed?.setup],
    [true, false, null],
    'not with the fields of a charge',
  )
  assert.deepEqual(await patient.choose(), { ok: true })
  assert.equal((await patient.see())?.setup?.isFailed, false)
  await patient.enterCard()
  await quick.enterCard()
  for (const { see } of [patient, quick]) {
    const begun = await see()
    assert.deepEqual([begun?.state, begun?.hasTrial, begun?.isEntitled], ['trialing', true, true])
  }
})

test('a company whose trial another one of its number has used is promised none when it chooses again, and its next card is charged at once', async () => {
  const vatNumber = inventVatNumber(4995)
  const [one, other] = [await chosen(vatNumber), await chosen(vatNumber)]
  await one.enterCard()
  const used = await other.see()
  assert.deepEqual([used?.state, used?.hasTrial, used?.setup], ['incomplete', false, null], 'also without a card that was refused')
  assert.deepEqual(await other.choose(), { ok: true })
  assert.equal((await other.see())?.setup?.isFailed, false)
  await other.enterCard()
  const begun = await other.see()
  assert.deepEqual([begun?.state, begun?.hasTrial, begun?.isEntitled], ['active', false, false])
})

test('a page that is loaded while the card is applied waits for it, or shows the subscription: it does not ask for the plan again', async () => {
  const { member, enterCard } = await chosen(inventVatNumber(4990))
  const scope = database.scope(member)
  let applied: Promise<void> | undefined
  // The card is applied as soon as the subscription has been read; whatever is read after that knows it.
  const row: typeof scope.db.row = async (statement, values) => {
    if (statement.name !== 'subscriptions.latest') await applied
    const read = await scope.db.row<object>(statement, values)
    if (statement.name === 'subscriptions.latest') await (applied ??= enterCard())
    return read as never
  }
  const shown = await showSubscription({ ...scope, db: { ...scope.db, row } })
  assert.ok(applied)
  assert.deepEqual([shown?.state, shown?.setup !== null], ['incomplete', true])
})
