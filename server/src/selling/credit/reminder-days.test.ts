import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { testDatabase } from '#platform/testing'
import { showStatements } from '../../after-sale/invoices/show-statements.ts'
import { runJobsAt } from '../../edges/worker/testing.ts'
import { chooseStatements } from './choose-statements.ts'
import * as creditJobs from './jobs.ts'
import { showCredit } from './show-credit.ts'
import { addBuyer, addClaim, callCredit, creditOfTests, type TestCompany } from './testing.ts'

const database = await testDatabase()
const { db } = database
const credit = creditOfTests(database)

/** The worker at an instant: these schedules, then the jobs that wait. */
async function work(at: string, ...schedules: string[]): Promise<void> {
  const now = new Date(at)
  for (const { name, run } of creditJobs.schedules) if (schedules.includes(name)) await database.command({ now }, (scope) => run(scope))
  await runJobsAt(database, creditJobs.jobs, now)
}
const reminders = ['credit.plan-reminders', 'credit.plan-statement-reminders']
const company = (market: Market) => {
  const country = market.toUpperCase()
  return addBuyer(db, `${country}100000003`, { market, country })
}
const invoiced = (to: TestCompany, issuedOn: string, amount = 10_000) =>
  addClaim(db, credit.server, to, { issuedOn, amount, hasPayment: true })
const mailsTo = async ({ principal }: TestCompany, template: string): Promise<string[]> =>
  (
    await db.rows<{ text: string }>(
      {
        name: 'test.mail-texts',
        text: 'select body_text as text from mail.mail where recipient = $1 and template = $2 order by created_at, id',
      },
      [principal.email, template],
    )
  ).map(({ text }) => text)
const countOf = async (to: TestCompany, template: string) => (await mailsTo(to, template)).length
const monthlyPayer = async (market: Market, since: string): Promise<TestCompany> => {
  const found = await company(market)
  assert.deepEqual(await database.command({ ...found, now: new Date(since) }, (scope) => chooseStatements(scope, true)), { ok: true })
  return found
}
const statementsOf = (of: TestCompany, at: string) => showStatements({ ...database.scope(of), now: new Date(at) })

const midnights: [market: Market, issuedOn: string, before: string, after: string][] = [
  // Due after thirty days, reminded of after three more: on 3 February and on 3 August.
  ['de', '2026-01-01', '2026-02-02T22:30Z', '2026-02-02T23:30Z'],
  ['gb', '2026-01-01', '2026-02-02T23:30Z', '2026-02-03T00:30Z'],
  ['fr', '2026-07-01', '2026-08-02T21:30Z', '2026-08-02T22:30Z'],
  ['gb', '2026-07-01', '2026-08-02T22:30Z', '2026-08-02T23:30Z'],
]
for (const [market, issuedOn, before, after] of midnights)
  test(`R-079 an invoice of ${issuedOn} is reminded of from midnight in ${market} on: at ${after}, not at ${before}`, async () => {
    const who = await company(market)
    await invoiced(who, issuedOn)
    await work(before, ...reminders)
    assert.equal(await countOf(who, 'credit-reminder'), 0)
    await work(after, ...reminders)
    assert.equal(await countOf(who, 'credit-reminder'), 1)
  })

const months: [market: Market, since: string, month: string, open: [string, string], issuedOn: string, late: [string, string]][] = [
  [
    'de',
    '2025-12-31T23:30Z',
    '2026-01',
    ['2026-01-31T22:30Z', '2026-01-31T23:30Z'],
    '2026-02-01',
    ['2026-03-04T22:30Z', '2026-03-04T23:30Z'],
  ],
  [
    'gb',
    '2026-01-01T00:30Z',
    '2026-01',
    ['2026-01-31T23:30Z', '2026-02-01T00:30Z'],
    '2026-02-01',
    ['2026-03-04T23:30Z', '2026-03-05T00:30Z'],
  ],
  [
    'gb',
    '2026-06-30T23:30Z',
    '2026-07',
    ['2026-07-31T22:30Z', '2026-07-31T23:30Z'],
    '2026-08-01',
    ['2026-09-01T22:30Z', '2026-09-01T23:30Z'],
  ],
]
for (const [market, since, month, [before, after], issuedOn, [early, late]] of months)
  test(`R-079 the statement of ${month} in ${market} begins, ends and is reminded of at midnight there`, async () => {
    const who = await monthlyPayer(market, since)
    // The day before the choice is paid by itself.
    const dayBefore = new Date(Date.parse(`${month}-01`) - 86_400_000).toISOString().slice(0, 10)
    await invoiced(who, dayBefore, 700)
    await invoiced(who, `${month}-01`, 2_000)
    await invoiced(who, `${month}-31`, 3_000)
    await work(before, 'credit.open-statements')
    assert.deepEqual(await statementsOf(who, before), [])
    await work(after, 'credit.open-statements')
    const [statement] = await statementsOf(who, after)
    assert.deepEqual([statement?.month, statement?.issuedOn, statement?.amount.amount], [month, issuedOn, 5_000])
    await work(early, ...reminders)
    assert.equal(await countOf(who, 'credit-statement-reminder'), 0)
    await work(late, ...reminders)
    assert.equal(await countOf(who, 'credit-statement-reminder'), 1)
  })

/** Every six hours of the given days after a due date; the provider's calls of each. */
async function callsOn(dueOn: string, days: number, schedules: readonly string[]): Promise<number[]> {
  const calls: number[] = []
  for (let day = 0; day < days; day++) {
    credit.calls.length = 0
    for (const hour of [1, 7, 13, 19]) await work(new Date(Date.parse(dueOn) + (day * 24 + hour) * 3_600_000).toISOString(), ...schedules)
    calls.push(credit.calls.length)
  }
  return calls
}
const daysWith = (calls: readonly number[]) => calls.flatMap((count, day) => (count > 0 ? [[day, count]] : []))

test('R-079 the provider is asked about a late invoice or statement when a reminder is due, not every hour', async () => {
  await db.run({ name: 'test.none-owed', text: 'update credit.claim set credited = amount' })
  const [each, monthly] = [await company('gb'), await monthlyPayer('gb', '2026-10-01T10:00Z')]
  await invoiced(each, '2026-10-31')
  await invoiced(monthly, '2026-10-05')
  await work('2026-11-01T10:00Z', 'credit.open-statements')
  // Both are due on 30 November.
  assert.deepEqual(daysWith(await callsOn('2026-11-30', 25, reminders)), [
    [3, 2],
    [10, 2],
    [20, 2],
  ])
  assert.deepEqual([await countOf(each, 'credit-reminder'), await countOf(monthly, 'credit-statement-reminder')], [3, 3])
  assert.deepEqual(daysWith(await callsOn('2027-01-01', 2, [...reminders, 'credit.plan-look-ups'])), [
    [0, 2],
    [1, 2],
  ])
})

test('R-079 about an invoice or statement that nobody can be reminded of the provider is not asked, until somebody can', async () => {
  await db.run({ name: 'test.none-owed', text: 'update credit.claim set credited = amount' })
  const [each, monthly] = [await company('gb'), await monthlyPayer('gb', '2026-10-01T10:00Z')]
  await invoiced(each, '2026-10-31')
  await invoiced(monthly, '2026-10-05')
  await work('2026-11-01T10:00Z', 'credit.open-statements')
  const roles = (role: string) =>
    database.pool.query('update accounts.membership set role = $2 where company_id = any($1)', [
      [each, monthly].map(({ principal }) => principal.company.id),
      role,
    ])
  await roles('buyer')
  assert.deepEqual(daysWith(await callsOn('2026-11-30', 12, reminders)), [])
  await roles('accountant')
  assert.deepEqual(daysWith(await callsOn('2026-12-12', 2, reminders)), [[0, 2]])
  assert.deepEqual([await countOf(each, 'credit-reminder'), await countOf(monthly, 'credit-statement-reminder')], [1, 1])
})

test('R-079 what was paid while its reminder waited for the worker is not asked about', async () => {
  await db.run({ name: 'test.none-owed', text: 'update credit.claim set credited = amount' })
  const [each, monthly] = [await company('gb'), await monthlyPayer('gb', '2026-10-01T10:00Z')]
  await invoiced(each, '2026-10-31')
  await invoiced(monthly, '2026-10-05')
  await work('2026-11-01T10:00Z', 'credit.open-statements')
  const now = new Date('2026-12-03T10:00Z')
  for (const { name, run } of creditJobs.schedules) if (reminders.includes(name)) await database.command({ now }, (scope) => run(scope))
  await db.run({ name: 'test.all-paid', text: 'update credit.claim set repaid = amount where credited = 0' })
  credit.calls.length = 0
  assert.deepEqual((await runJobsAt(database, creditJobs.jobs, now)).toSorted(), ['credit.remind', 'credit.remind-statement'])
  assert.deepEqual(credit.calls, [])
})

/** Goods come back: the order is reduced at the provider, whose messages reach nobody here. */
async function giveBack(claimId: string, amount: number): Promise<void> {
  const [found] = await db.rows<{ order: string }>(
    {
      name: 'test.order-of-claim',
      text: 'select p.provider_reference as order from credit.claim c join payments.payment p on p.id = c.payment_id where c.id = $1',
    },
    [claimId],
  )
  const reduced = await callCredit(credit.server, `/v2/orders/${found?.order}/reduce`, { amount, shipment: 'x', invoiced: true })
  assert.equal(typeof reduced['refunded'], 'number', JSON.stringify(reduced))
}
const pay = (claimId: string) => callCredit(credit.server, `/sandbox/invoices/${claimId}/pay`, {})

test('R-079 after goods came back a reminder asks for the rest, and none goes out once nothing is left', async () => {
  const who = await company('gb')
  const [returned, kept] = [await invoiced(who, '2026-10-31'), await invoiced(who, '2026-10-31', 9_900)]
  await giveBack(returned, 4_000)
  await work('2026-12-03T10:00Z', ...reminders)
  const first = await mailsTo(who, 'credit-reminder')
  assert.equal(first.filter((text) => text.includes('£60.00')).length, 1, first.join())
  assert.equal(first.filter((text) => text.includes('£99.00')).length, 1)
  await giveBack(returned, 6_000)
  await pay(kept)
  await work('2026-12-10T10:00Z', ...reminders)
  assert.equal(await countOf(who, 'credit-reminder'), 2)
  const claims = (await showCredit({ ...database.scope(who), now: new Date('2026-12-10T10:00Z') }))?.claims ?? []
  assert.deepEqual(
    new Map(claims.map(({ id, state }) => [id, state])),
    new Map([
      [returned, 'credited'],
      [kept, 'paid'],
    ]),
  )
})

test('R-079 a statement and its reminders name what is left after goods came back: what came back of a paid invoice pays no other', async () => {
  const who = await monthlyPayer('gb', '2026-10-01T10:00Z')
  const [paid, owed, other] = [
    await invoiced(who, '2026-10-05'),
    await invoiced(who, '2026-10-20', 8_000),
    await invoiced(who, '2026-10-21', 500),
  ]
  await giveBack(other, 500)
  await work('2026-11-01T10:00Z', 'credit.open-statements')
  const [sent = ''] = await mailsTo(who, 'credit-statement')
  assert.match(sent, /£180\.00/)
  await pay(paid)
  await giveBack(paid, 10_000)
  await giveBack(owed, 3_000)
  await work('2026-12-03T10:00Z', ...reminders)
  const [reminder = ''] = await mailsTo(who, 'credit-statement-reminder')
  assert.match(reminder, /£50\.00/)
  await giveBack(owed, 5_000)
  await work('2026-12-10T10:00Z', ...reminders)
  assert.equal(await countOf(who, 'credit-statement-reminder'), 1, 'nothing is left')
})

test('R-079 a statement whose goods all came back asks for nothing', async () => {
  const who = await monthlyPayer('gb', '2026-10-01T10:00Z')
  await giveBack(await invoiced(who, '2026-10-05'), 10_000)
  const owing = await monthlyPayer('gb', '2026-10-01T10:00Z')
  await invoiced(owing, '2026-10-05')
  await work('2026-11-01T10:00Z', 'credit.open-statements')
  const [[settled = ''], [open = '']] = [await mailsTo(who, 'credit-statement'), await mailsTo(owing, 'credit-statement')]
  assert.match(open, /£100\.00 to pay by/)
  assert.match(settled, /nothing left to pay/)
  await work('2026-12-03T10:00Z', ...reminders)
  assert.deepEqual([await countOf(who, 'credit-statement-reminder'), await countOf(owing, 'credit-statement-reminder')], [0, 1])
})
