import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Scope } from '#platform'
import { addDays } from '#pricing'
import { testDatabase } from '#platform/testing'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { findStatement, showStatement, showStatements, statementPdf } from '../../after-sale/invoices/show-statements.ts'
import { chooseStatements } from './choose-statements.ts'
import { collect, openStatements } from './issue-statements.ts'
import * as creditJobs from './jobs.ts'
import { remindStatement } from './remind-statement.ts'
import { showCredit } from './show-credit.ts'
import { dueReminder } from './claim.ts'
import { dayAfter, dueDateOf, monthBefore, owedOf } from './statement.ts'
import { readLateStatements, readStatementLines } from './statement-store.ts'
import { readDueClaims } from './store.ts'
import { addBuyer, addClaim, callCredit, creditOfTests } from './testing.ts'

const database = await testDatabase()
const { db } = database
const credit = creditOfTests(database)

type Company = Awaited<ReturnType<typeof addBuyer>>
const sql = (text: string) => ({ name: `test.${text.slice(0, 50)}`, text })
const provider = (path: string, body: object) => callCredit(credit.server, path, body)
const work = () => runWork(database, [], creditJobs.jobs)
const at = (day: string) => new Date(`${day}T10:00:00Z`)
const run = (day: string, ...plans: ((scope: Scope) => Promise<void>)[]) =>
  database.command({}, async (scope) => {
    for (const plan of plans) await plan({ ...scope, now: at(day) })
  })

const invoiced = (company: Company, issuedOn: string, amount: number) => addClaim(db, credit.server, company, { issuedOn, amount })

async function monthlyPayer(since = '2026-10-01'): Promise<Company> {
  const company = await addBuyer(db, 'GB100000003')
  assert.deepEqual(await database.command(company, (scope) => chooseStatements({ ...scope, now: at(since) }, true)), { ok: true })
  return company
}
const statementsOf = (company: Company, day: string) => showStatements({ ...database.scope(company), now: at(day) })
/** Those of some claims that are planned to be reminded of without a statement. */
const remindedByItself = async (day: string, ids: readonly string[]): Promise<string[]> =>
  (await readDueClaims(db, { gb: day }, 1000)).filter((id) => ids.includes(id))
const mailsTo = async (company: Company, template: string): Promise<string[]> =>
  (
    await db.rows<{ subject: string }>(
      sql('select subject from mail.mail where recipient = $1 and template = $2 order by created_at, id'),
      [company.principal.email, template],
    )
  ).map(({ subject }) => subject)

test('a statement is due thirty days after its month: no invoice earlier than by itself, none later than sixty days', () => {
  for (let month = '2023-12'; month < '2029-01'; month = dayAfter(month).slice(0, 7)) {
    const due = dueDateOf(month)
    const lastDay = addDays(dayAfter(month), -1)
    assert.equal(due, addDays(lastDay, 30))
    assert.ok(due <= addDays(`${month}-01`, 60), month)
    assert.equal(monthBefore(dayAfter(month)), month)
  }
  assert.equal(dayAfter('2026-12'), '2027-01-01')
  assert.equal(dayAfter('2028-02'), '2028-03-01')
})

test('an invoice that waits for a statement is due with it, and one that was reported late with the next', async () => {
  const company = await monthlyPayer('2026-10-10')
  const byItself = await invoiced(company, '2026-10-09', 1_000)
  const october = await invoiced(company, '2026-10-10', 2_000)
  const seen = async (day: string) => {
    const shown = await showCredit({ ...database.scope(company), now: at(day) })
    const claims = new Map(shown?.claims.map(({ id, dueOn, statementMonth, state }) => [id, [dueOn, statementMonth, state]]))
    return { claims, toPay: shown?.toPay.amount }
  }
  const before = await seen('2026-10-31')
  assert.deepEqual(before.claims.get(byItself), ['2026-11-08', null, 'open'])
  assert.deepEqual(before.claims.get(october), ['2026-11-30', '2026-10', 'open'])
  assert.equal(before.toPay, 3_000)
  await run('2026-11-01', openStatements)
  await work()
  const late = await invoiced(company, '2026-10-31', 500)
  const after = await seen('2026-11-20')
  assert.deepEqual(after.claims.get(october), ['2026-11-30', null, 'open'], 'in a statement, with its due date')
  assert.deepEqual(after.claims.get(late), ['2026-12-30', '2026-11', 'open'])
  assert.deepEqual((await seen('2026-12-15')).claims.get(october)?.[2], 'late')
})

test('claims to pay come before newer ones that are paid, however many those are', async () => {
  const company = await addBuyer(db, 'GB100000003')
  const old = await invoiced(company, '2026-01-02', 1_000)
  await db.run(
    sql(`insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, customer_id, market, mode, origin,
        currency, amount, repaid, reference, issued_on, due_on)
      select gen_random_uuid(), 'N' || n || $1, gen_random_uuid(), 'P1', 'P1-1', $1::uuid, null, 'gb', 'b2b', 'http://x', 'GBP', 100, 100, 'r', '2026-10-01', '2026-10-31'
      from generate_series(1, 120) n`),
    [company.principal.company.id],
  )
  const shown = await showCredit({ ...database.scope(company), now: at('2026-11-20') })
  assert.deepEqual([shown?.claims[0]?.id, shown?.claims.length, shown?.toPay.amount], [old, 100, 1_000])
})

test('the invoices of a month become one statement, sent once, with one due date and the account', async () => {
  const company = await monthlyPayer()
  const ids = [await invoiced(company, '2026-10-01', 10_000), await invoiced(company, '2026-10-31', 2_550)]
  const later = await invoiced(company, '2026-11-01', 700)
  await run('2026-10-31', openStatements)
  assert.deepEqual(await statementsOf(company, '2026-10-31'), [])
  // However often and by however many workers it runs.
  await Promise.all([run('2026-11-01', openStatements), run('2026-11-01', openStatements)])
  await work()
  await run('2026-11-02', openStatements)
  await work()
  const [statement, ...rest] = await statementsOf(company, '2026-11-02')
  assert.ok(statement)
  assert.deepEqual(rest, [])
  assert.match(statement.number, /^C-2026-10-\d{5,}$/)
  const { month, issuedOn, dueOn, invoices, state } = statement
  assert.deepEqual([month, issuedOn, dueOn, invoices, state], ['2026-10', '2026-11-01', '2026-11-30', 2, 'open'])
  assert.deepEqual([statement.amount.amount, statement.open.amount], [12_550, 12_550])
  const shown = await showStatement({ ...database.scope(company), now: at('2026-11-02') }, statement.id)
  assert.deepEqual(
    shown?.lines.map((line) => [line.id, line.dueOn]),
    ids.map((id) => [id, '2026-11-30']),
  )
  assert.deepEqual([shown?.payee.sortCode, shown?.payee.account, shown?.payee.remittance], ['20-20-15', '55555555', statement.number])
  assert.deepEqual(await mailsTo(company, 'credit-statement'), [`Your statement for October 2026: ${statement.number}`])
  // The claim of November waits for the next one.
  await run('2026-12-01', openStatements)
  await work()
  const [next] = await statementsOf(company, '2026-12-01')
  assert.deepEqual([next?.month, next?.amount.amount], ['2026-11', 700])
  const claims = (await showCredit({ ...database.scope(company), now: at('2026-12-01') }))?.claims ?? []
  assert.equal(claims.find(({ id }) => id === later)?.dueOn, '2026-12-30')
})

test('a crash, a slow answer and an error of the provider leave no statement half issued, and the next attempt issues it once', async () => {
  const company = await monthlyPayer()
  await invoiced(company, '2026-10-05', 10_000)
  // The transaction that opens it is lost.
  await assert.rejects(
    database.command({}, async (scope) => {
      await openStatements({ ...scope, now: at('2026-11-01') })
      throw new Error('killed')
    }),
    /killed/,
  )
  for (const mood of ['answer-500', 'hang'] as const) {
    credit.misbehaviour = mood
    await run('2026-11-01', openStatements)
    await work()
    assert.deepEqual(await statementsOf(company, '2026-11-01'), [])
    assert.deepEqual(await mailsTo(company, 'credit-statement'), [])
  }
  // It took effect at the provider each time, and the outcome was lost.
  assert.ok(credit.calls.filter((path) => path === '/v2/collections').length > 0)
  credit.misbehaviour = undefined
  await db.run(sql(`update platform.job set run_at = now() - interval '1 second' where name = 'credit.issue-statement'`))
  await work()
  const statements = await statementsOf(company, '2026-11-01')
  assert.deepEqual([statements.length, statements[0]?.open.amount], [1, 10_000])
  assert.equal((await mailsTo(company, 'credit-statement')).length, 1)
})

test('dunning counts from the statement: one reminder for all of it, none for its invoices, and none once it is paid', async () => {
  const company = await monthlyPayer()
  const ids = [await invoiced(company, '2026-10-01', 10_000), await invoiced(company, '2026-10-20', 5_000)]
  // The first is due by itself on 31 October; while its statement is on the way nobody is reminded.
  assert.deepEqual(await remindedByItself('2026-11-05', ids), [])
  await run('2026-11-05', openStatements)
  await work()
  const [statement] = await statementsOf(company, '2026-11-05')
  assert.ok(statement)
  const late = async (day: string) => {
    assert.deepEqual(await remindedByItself(day, ids), [])
    for (const id of await readLateStatements(db, { gb: day }, 100)) {
      const seen = await collect({ db, signal: new AbortController().signal }, id, randomUUID())
      await database.command({}, (scope) => remindStatement({ ...scope, now: at(day) }, id, seen))
    }
    return mailsTo(company, 'credit-statement-reminder')
  }
  const rows: [day: string, reminders: number][] = [
    ['2026-11-30', 0],
    ['2026-12-02', 0],
    ['2026-12-03', 1],
    ['2026-12-04', 1],
    ['2026-12-10', 2],
  ]
  for (const [day, reminders] of rows) assert.equal((await late(day)).length, reminders, day)
  assert.equal((await statementsOf(company, '2026-12-03'))[0]?.state, 'late')
  for (const id of ids) await provider(`/sandbox/invoices/${id}/pay`, {})
  assert.equal((await late('2026-12-25')).length, 2, 'the payment is seen before the third reminder')
  assert.deepEqual([(await statementsOf(company, '2026-12-25'))[0]?.state], ['paid'])
})

test('goods that come back after their invoice was paid pay no other invoice of the statement', async () => {
  const company = await monthlyPayer()
  const [returned, unpaid] = [await invoiced(company, '2026-10-05', 10_000), await invoiced(company, '2026-10-20', 8_000)]
  await run('2026-11-01', openStatements)
  await work()
  await database.pool.query('update credit.claim set repaid = amount, credited = amount where id = $1', [returned])
  const [late] = await statementsOf(company, '2026-12-05')
  assert.deepEqual([late?.open.formatted, late?.state], ['£80.00', 'late'])
  assert.deepEqual(await readLateStatements(db, { gb: '2026-12-05' }, 10).then((ids) => ids.includes(late?.id ?? '')), true)
  assert.ok(!(await readLateStatements(db, { gb: '2026-12-02' }, 10)).includes(late?.id ?? ''), 'no reminder is due yet')
  const lines = await readStatementLines(db, [late?.id ?? ''])
  assert.equal(dueReminder({ ...owedOf({ dueOn: '2026-11-30' }, lines), reminders: 0 }, '2026-12-05'), 1)
  await database.pool.query('update credit.claim set repaid = amount where id = $1', [unpaid])
  const [paid] = await statementsOf(company, '2026-12-05')
  assert.deepEqual([paid?.open.formatted, paid?.state], ['£0.00', 'paid'])
})

test('an invoice whose statement never comes is reminded of by itself after forty-five days', async () => {
  const company = await monthlyPayer()
  const id = await invoiced(company, '2026-10-01', 10_000)
  assert.deepEqual(await remindedByItself('2026-11-14', [id]), [])
  assert.deepEqual(await remindedByItself('2026-11-15', [id]), [id])
})

test('invoices from before the choice, of other companies and after the choice was taken back are paid one by one', async () => {
  const company = await monthlyPayer('2026-10-15')
  const stranger = await addBuyer(db, 'GB100000003')
  await invoiced(company, '2026-10-14', 10_000)
  await invoiced(stranger, '2026-10-16', 900)
  const gathered = await invoiced(company, '2026-10-15', 300)
  await run('2026-11-01', openStatements)
  await work()
  const [statement] = await statementsOf(company, '2026-11-01')
  assert.ok(statement)
  assert.deepEqual(
    (await readStatementLines(db, [statement.id])).map(({ id }) => id),
    [gathered],
  )
  assert.deepEqual(await statementsOf(stranger, '2026-11-01'), [])
  await database.command(company, (scope) => chooseStatements(scope, false))
  await invoiced(company, '2026-11-16', 300)
  await run('2026-12-01', openStatements)
  await work()
  assert.equal((await statementsOf(company, '2026-12-01')).length, 1)
})

test('A3 a statement is seen by its company’s readers alone, and chosen where paying by invoice is offered', async () => {
  const company = await monthlyPayer()
  await invoiced(company, '2026-10-02', 10_000)
  await run('2026-11-01', openStatements)
  await work()
  const [statement] = await statementsOf(company, '2026-11-01')
  assert.ok(statement)
  const seenBy = async (who: Partial<Scope>) => (await findStatement(database.scope(who), statement.id)) !== undefined
  const as = (role: 'approver' | 'accountant' | 'viewer' | 'buyer') => ({ ...company, principal: { ...company.principal, role } })
  assert.deepEqual(
    await Promise.all([seenBy(company), seenBy(as('approver')), seenBy(as('accountant')), seenBy(as('viewer')), seenBy(as('buyer'))]),
    [true, true, true, true, false],
  )
  assert.deepEqual(await showStatements(database.scope(as('buyer'))), [])
  assert.equal(await seenBy(await addBuyer(db, 'GB100000003')), false)
  assert.equal(await seenBy({ ...company, market: 'fr' }), false)
  assert.equal(await findStatement(database.scope(company), 'no-id'), undefined)
  const numberless = await addBuyer(db, null)
  assert.deepEqual(await database.command(numberless, (scope) => chooseStatements(scope, true)), { ok: false })

  const found = await findStatement(database.scope(company), statement.id)
  assert.ok(found)
  const [first, again] = [await statementPdf(database.scope(company), found), await statementPdf(database.scope(company), found)]
  assert.equal(first.subarray(0, 5).toString(), '%PDF-')
  assert.equal(first.length, again.length)
})

test('what these companies owe, were sent and paid breaks no invariant', async () => {
  assert.deepEqual(await checkCompanies(database.pool, { settled: false }), [])
})
