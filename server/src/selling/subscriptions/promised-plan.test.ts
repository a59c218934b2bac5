import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { inventVatNumber } from '../../people/tax/testing.ts'
import { fillShop } from '../checkout/testing.ts'
import { changeCard } from './change-subscription.ts'
import { renewDue } from './charge.ts'
import { addChooser } from './testing.ts'

/** Card fields stay open on one page while a plan is chosen on another: a card begins what the page next to its fields promised, or nothing. */

const database = await testDatabase()
await fillShop(database)

type Chooser = Awaited<ReturnType<typeof addChooser>>
const ok = { ok: true }

/** What is charged at once: period and gross price. */
async function charges({ companyId }: Chooser): Promise<string[]> {
  await database.command({}, renewDue)
  const { rows } = await database.pool.query<{ period: string; gross: number; currency: string }>(
    'select c.period, c.gross, c.currency from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id where s.company_id = $1',
    [companyId],
  )
  return rows.map(({ period, gross, currency }) => `${period} ${gross} ${currency}`)
}

/** The state, and whether the page shows card fields or asks for the plan. */
async function shown(who: Chooser) {
  const { state, period, hasTrial, setup } = (await who.see()) ?? {}
  return { state, period, hasTrial, fields: setup?.id ?? null }
}

test('a card entered in fields that were shown for a month buys no year, though a colleague has chosen that meanwhile', async () => {
  const who = await addChooser(database, null)
  assert.deepEqual(await who.choose('monthly'), ok)
  const monthly = (await shown(who)).fields ?? ''
  assert.deepEqual(await who.choose('yearly'), ok)
  const [, yearly] = await who.forms()
  assert.deepEqual(await shown(who), { state: 'incomplete', period: 'yearly', hasTrial: false, fields: yearly })
  await who.enterCard({ form: monthly })
  assert.deepEqual(await charges(who), [])
  assert.deepEqual(await shown(who), { state: 'incomplete', period: 'yearly', hasTrial: false, fields: yearly }, 'the colleague goes on')

  assert.deepEqual(await who.choose('monthly'), ok)
  await who.enterCard()
  assert.deepEqual(await charges(who), ['monthly 1068 GBP'])
})

test('a card entered in fields that promised a trial is not charged at once, though the trial was used and the plan chosen again', async () => {
  const vatNumber = inventVatNumber(4871)
  const [who, other] = [await addChooser(database, vatNumber), await addChooser(database, vatNumber)]
  assert.deepEqual(await who.choose('monthly'), ok)
  const { hasTrial, fields } = await shown(who)
  assert.equal(hasTrial, true)
  await other.choose('monthly')
  await other.enterCard()
  assert.deepEqual(await who.choose('monthly'), ok)
  const [, atOnce] = await who.forms()
  await who.enterCard({ form: fields ?? '' })
  assert.deepEqual(await charges(who), [])
  assert.deepEqual(await shown(who), { state: 'incomplete', period: 'monthly', hasTrial: false, fields: atOnce })
  await who.enterCard()
  assert.deepEqual(await charges(who), ['monthly 1068 GBP'], 'with the fields that said so')
})

test('a card entered in fields that were shown for pounds is not charged in euros', async () => {
  const who = await addChooser(database, null)
  assert.deepEqual(await who.choose('monthly', 'gb'), ok)
  const pounds = (await shown(who)).fields ?? ''
  assert.deepEqual(await who.choose('monthly', 'de'), ok)
  await who.enterCard({ form: pounds })
  assert.deepEqual(await charges(who), [])
  await who.enterCard()
  assert.equal((await who.see())?.state, 'active')
  assert.match((await charges(who)).join(), /^monthly \d+ EUR$/)
})

test('a company that is confirmed after its choice begins the trial also with the fields that promised none', async () => {
  const who = await addChooser(database, null)
  assert.deepEqual(await who.choose('monthly'), ok)
  const { fields } = await shown(who)
  await database.pool.query('update accounts.company set vat_number = $2 where id = $1', [who.companyId, inventVatNumber(4874)])
  assert.deepEqual(await who.choose('monthly'), ok)
  assert.equal((await who.forms()).length, 2)
  await who.enterCard({ form: fields ?? '' })
  assert.deepEqual(await shown(who), { state: 'trialing', period: 'monthly', hasTrial: true, fields: null })
  assert.deepEqual(await charges(who), [])
})

test('a plan that is chosen again has the form it had, however often another is chosen between', async () => {
  const who = await addChooser(database, inventVatNumber(4872))
  for (const period of ['monthly', 'monthly', 'yearly', 'monthly', 'yearly', 'monthly'] as const)
    assert.deepEqual(await who.choose(period), ok)
  const [monthly, yearly, ...more] = await who.forms()
  assert.ok(monthly && yearly && more.length === 0)
  assert.equal((await shown(who)).fields, monthly)
  await who.enterCard({ form: monthly })
  assert.deepEqual(
    await shown(who),
    { state: 'trialing', period: 'monthly', hasTrial: true, fields: null },
    'no fields are left to fill in',
  )
})

test('fields of a plan that are filled in once another has begun replace no card, and a new card has fields of its own', async () => {
  const who = await addChooser(database, inventVatNumber(4873))
  assert.deepEqual(await who.choose('yearly'), ok)
  assert.deepEqual(await who.choose('monthly'), ok)
  const [yearly, monthly] = await who.forms()
  assert.ok(yearly && monthly)
  await who.enterCard({ form: monthly, last4: '1111' })
  await who.enterCard({ form: yearly, last4: '2222' })
  const kept = await who.see()
  assert.deepEqual([kept?.state, kept?.period, kept?.card?.last4, kept?.setup], ['trialing', 'monthly', '1111', null])

  const { member, forms } = who
  assert.deepEqual(await database.command(member, changeCard), ok)
  assert.deepEqual(await database.command(member, changeCard), ok)
  const [, , card, ...more] = await forms()
  assert.ok(card && more.length === 0)
  assert.equal((await shown(who)).fields, card)
  await who.enterCard({ form: card, last4: '3333' })
  assert.equal((await who.see())?.card?.last4, '3333')
})

test('a card in fields from before plans were stored with them begins what the subscription says', async () => {
  const who = await addChooser(database, null)
  assert.deepEqual(await who.choose('monthly'), ok)
  const [form = ''] = await who.forms()
  await database.pool.query('update subscriptions.setup set market = null, period = null, has_trial = null where id = $1', [form])
  assert.equal((await shown(who)).fields, form)
  await who.enterCard({ form })
  assert.deepEqual(await charges(who), ['monthly 1068 GBP'])
})

/** A subscription whose latest charge was declined and is tried again in three days; `pay` is what the retry does. */
async function overdue(who: Chooser) {
  const pool = database.pool
  const set = (columns: string) => pool.query(`update subscriptions.subscription set ${columns} where company_id = $1`, [who.companyId])
  await set(`due_at = now() - interval '1 minute'`)
  await database.command({}, renewDue)
  await set(`state = 'past-due'`)
  const ofCompany = 'subscription_id in (select id from subscriptions.subscription where company_id = $1)'
  const retry = `update subscriptions.charge set attempts = 1, next_attempt_at = now() + interval '3 days' where ${ofCompany}`
  await pool.query(retry, [who.companyId])
  const daysToRetry = async () => {
    const { rows } = await pool.query<{ days: number }>(
      `select round(extract(epoch from next_attempt_at - now()) / 86400)::int as days from subscriptions.charge where ${ofCompany}`,
      [who.companyId],
    )
    return rows.map(({ days }) => days)
  }
  return { daysToRetry, pay: () => set(`state = 'active'`) }
}

test('a card entered in fields whose button only saves it pays no charge that has become overdue since; the page shows others, which do', async () => {
  const who = await addChooser(database, inventVatNumber(4875))
  assert.deepEqual(await who.choose('monthly'), ok)
  await who.enterCard()
  assert.deepEqual(await database.command(who.member, changeCard), ok)
  const saves = (await shown(who)).fields ?? ''
  const { daysToRetry, pay } = await overdue(who)
  assert.equal((await shown(who)).fields, null, 'those that only save it are not shown any more')
  assert.deepEqual(await database.command(who.member, changeCard), ok)
  const pays = (await shown(who)).fields ?? ''
  assert.deepEqual(await database.command(who.member, changeCard), ok)
  assert.deepEqual((await who.forms()).slice(-2), [saves, pays], 'shown again, not made again')

  await who.enterCard({ form: saves, last4: '0028' })
  assert.deepEqual([(await who.see())?.card?.last4, await daysToRetry()], ['0028', [3]])
  await who.enterCard({ form: pays, last4: '0036' })
  assert.deepEqual([(await who.see())?.card?.last4, await daysToRetry()], ['0036', [0]])

  assert.deepEqual(await database.command(who.member, changeCard), ok)
  const late = (await shown(who)).fields
  await pay()
  assert.equal((await shown(who)).fields, null, 'nothing is overdue any more')
  assert.deepEqual(await database.command(who.member, changeCard), ok)
  assert.notEqual((await shown(who)).fields, late)
})
