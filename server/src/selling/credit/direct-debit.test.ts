import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sign } from '../../../../services/src/credit-provider/index.ts'
import { creditProvider, ForgedMessage } from '#payments'
import { takeQuota, type JobScope, type Scope } from '#platform'
import { addDays, isWorkingDay } from '#pricing'
import { testDatabase } from '#platform/testing'
import { checkCompanies } from '../../../../e2e/company-invariants.ts'
import { runWork } from '../../edges/worker/testing.ts'
import { findStatement, showStatement, statementPdf } from '../../after-sale/invoices/show-statements.ts'
import { chooseStatements } from './choose-statements.ts'
import { collectDebit, followDebit, planDebits } from './collect-debits.ts'
import { giveMandate } from './give-mandate.ts'
import { collect, keepStatement, openStatements } from './issue-statements.ts'
import * as creditJobs from './jobs.ts'
import { collectionDay, hasDirectDebit } from './mandate.ts'
import { planStatementReminders, remindStatement } from './remind-statement.ts'
import { receiveMessage } from './receive-message.ts'
import { forgetMandatesOf, revokeMandate } from './revoke-mandate.ts'
import { showDirectDebit } from './show-direct-debit.ts'
import { addBuyer, addClaim, callCredit, creditOfTests, creditSecrets, type TestCompany } from './testing.ts'

const database = await testDatabase()
const { db, pool } = database
/** The clock of the shop's jobs and of the provider. */
let now = new Date('2026-10-02T10:00:00Z')
const go = (day: string): void => void (now = new Date(`${day}T10:00:00Z`))
const credit = creditOfTests(database, { now: () => now.getTime() })
beforeEach(() => go('2026-10-02'))

const rows = async <Row>(text: string, values: unknown[]) => (await pool.query(text, values)).rows as Row[]
/** Accounts whose last digit makes the bank do something; without one it pays. */
const accounts = {
  pays: 'DE89370400440532013000',
  refunds: 'DE51370400440532013005',
  forgot: 'DE24370400440532013006',
  unknown: 'DE94370400440532013007',
  closed: 'DE67370400440532013008',
  empty: 'DE40370400440532013009',
}
const at = (company: TestCompany): Partial<Scope> => ({ ...company, now, remoteAddress: '203.0.113.7' })
const give = (company: TestCompany, iban = accounts.pays, more: { holder?: string; isAgreed?: boolean } = {}) =>
  database.command(at(company), (scope) => giveMandate(scope, { holder: 'Lee Bau GmbH', isAgreed: true, ...more, iban }))
const command = (act: (scope: JobScope) => Promise<unknown>) => database.command({}, (scope) => act({ ...scope, now }))
const work = () => runWork(database, [], creditJobs.jobs)
const signal = new AbortController().signal
const see = (company: TestCompany) => showDirectDebit(database.scope(at(company)))
const stateOf = async (company: TestCompany) => (await see(company))?.mandate?.state
const mailsTo = async (company: TestCompany, template: string): Promise<string[]> =>
  (
    await rows<{ text: string }>('select body_text as text from mail.mail where recipient = $1 and template = $2 order by created_at, id', [
      company.principal.email,
      template,
    ])
  ).map(({ text }) => text.replaceAll(/\s+/g, ' '))

async function monthlyPayer(market: 'de' | 'fr' | 'gb' = 'de'): Promise<TestCompany> {
  const country = market.toUpperCase()
  const company = await addBuyer(db, `${country}100000003`, { market, country })
  await database.command(at(company), (scope) => chooseStatements(scope, true))
  return company
}
async function withMandate(iban = accounts.pays): Promise<TestCompany> {
  const company = await monthlyPayer()
  assert.deepEqual(await give(company, iban), { ok: true })
  await work()
  return company
}
/** The statement of the month before, issued on this day. */
async function issued(company: TestCompany, day: string): Promise<string> {
  go(day)
  await command(openStatements)
  const [statement] = await rows<{ id: string }>('select id from credit.statement where company_id = $1 and document is null', [
    company.principal.company.id,
  ])
  assert.ok(statement)
  const seen = await collect({ db, signal }, statement.id, `issue-${statement.id}`)
  await command((scope) => keepStatement(scope, statement.id, seen))
  await pool.query(`delete from platform.job where name = 'credit.issue-statement'`)
  return statement.id
}
/** One hour of the worker: debits are planned, and each is submitted or looked up. */
async function collectOn(day: string): Promise<void> {
  go(day)
  await credit.server.tick()
  await command(planDebits)
  for (const { key } of await rows<{ key: string }>(`delete from platform.job where name = 'credit.collect-debit' returning key`, [])) {
    const seen = await collectDebit({ db, signal, now }, key)
    if (seen) await command((scope) => followDebit(scope, seen))
  }
}
async function remindOn(day: string, company: TestCompany): Promise<number> {
  go(day)
  await command(planStatementReminders)
  for (const { key } of await rows<{ key: string }>(`delete from platform.job where name = 'credit.remind-statement' returning key`, [])) {
    const seen = await collect({ db, signal }, key, `seen-${key}-${day}`)
    await command((scope) => remindStatement(scope, key, seen))
  }
  return (await mailsTo(company, 'credit-statement-reminder')).length
}
const shown = async (company: TestCompany, id: string) => {
  const statement = await showStatement(database.scope(at(company)), id)
  assert.ok(statement)
  return { state: statement.state, open: statement.open.amount, debit: statement.debit }
}

test('R-079 a mandate is given with evidence, registered with the creditor, and shown by its last four characters', async () => {
  const company = await monthlyPayer()
  const offered = await see(company)
  assert.deepEqual([offered?.mandate, offered?.isOffered, offered?.canChange, offered?.noticeDays], [null, true, true, 14])
  assert.equal(offered?.creditorId, 'DE98ZZZ09999999999')
  assert.deepEqual(await give(company, ' de89 3704 0044 0532 0130 00 '), { ok: true })
  assert.deepEqual(await give(company), { ok: false, reason: 'mandate-exists' })
  const { id: companyId } = company.principal.company
  const read = async () => (await rows<Record<string, unknown>>('select * from credit.mandate where company_id = $1', [companyId]))[0] ?? {}
  const pending = await read()
  assert.deepEqual([pending['state'], pending['iban_end'], pending['text_version']], ['pending', '3000', '2026-11'])
  assert.deepEqual([pending['signed_by'], pending['signed_at']], [company.principal.id, now])
  assert.match(String(pending['sender_hash']), /^[\w-]{43}$/)
  assert.ok(!JSON.stringify(pending).includes('0532013'), 'the account is sealed')
  await work()
  const active = await read()
  assert.deepEqual([active['state'], active['bank']], ['active', null])
  const after = await see(company)
  assert.match(after?.mandate?.reference ?? '', /^PURLIN-M\d{5,}$/)
  assert.deepEqual([after?.mandate?.ibanEnd, after?.mandate?.holder, after?.mandate?.state], ['3000', 'Lee Bau GmbH', 'active'])
  const [copy = '', ...rest] = await mailsTo(company, 'credit-mandate')
  assert.deepEqual(rest, [])
  for (const part of [after?.mandate?.reference ?? '-', '3000', 'DE98ZZZ09999999999', 'Kreditinstitut', 'mindestens 14 Tage'])
    assert.ok(copy.includes(part), `${part} in ${copy}`)
  assert.ok(!copy.includes('0532013'))
})

test('a mandate is refused for faults in its account, without consent, without monthly statements, in the United Kingdom, and after ten', async () => {
  const company = await monthlyPayer('fr')
  const fault = async (iban: string, more = {}) => {
    const given = await give(company, iban, more)
    return given.ok || given.reason !== 'mandate-invalid' ? given : given.faults
  }
  assert.deepEqual(await fault('DE89370400440532013001'), { iban: 'iban-invalid' })
  assert.deepEqual(await fault('TN5910006035183598478831'), { iban: 'iban-not-sepa' })
  assert.deepEqual(await fault(accounts.pays, { holder: ' x ' }), { holder: 'holder-missing' })
  assert.deepEqual(await fault(accounts.pays, { isAgreed: false }), { isAgreed: 'not-agreed' })
  assert.deepEqual(await fault('', { isAgreed: false, holder: '' }), {
    iban: 'iban-invalid',
    holder: 'holder-missing',
    isAgreed: 'not-agreed',
  })
  const refused = { ok: false, reason: 'mandate-not-offered' }
  const british = await monthlyPayer('gb')
  assert.deepEqual([await give(british), await see(british), hasDirectDebit('gb'), hasDirectDebit('es')], [refused, null, false, false])
  await database.command(at(company), (scope) => chooseStatements(scope, false))
  assert.deepEqual([await give(company), (await see(company))?.isOffered], [refused, false])
  assert.deepEqual(await give(await addBuyer(db, null, { market: 'de', country: 'DE' })), refused)
  await database.command(at(company), (scope) => chooseStatements(scope, true))
  let last = await give(company)
  for (let attempt = 0; attempt < 11; attempt++) last = await give(company)
  assert.deepEqual(last, { ok: false, reason: 'too-many-attempts' })
})

test('an account that its bank does not know is rejected by mail, and another may be named', async () => {
  const company = await withMandate(accounts.unknown)
  const { mandate } = (await see(company)) ?? {}
  assert.deepEqual([mandate?.state, mandate?.endedBy], ['ended', 'rejected'])
  assert.match((await mailsTo(company, 'credit-mandate'))[0] ?? '', /kennt das Konto von Lee Bau GmbH nicht/)
  assert.deepEqual(await give(company), { ok: true })
  await work()
  assert.equal(await stateOf(company), 'active')
})

test('A3 readers of a company see its mandate and no account, buyers and strangers see nothing', async () => {
  const company = await withMandate()
  const as = (role: 'approver' | 'accountant' | 'viewer' | 'buyer') => ({ ...company, principal: { ...company.principal, role } })
  for (const role of ['approver', 'accountant', 'viewer'] as const) {
    const seen = await see(as(role))
    assert.deepEqual([seen?.mandate?.ibanEnd, seen?.canChange], ['3000', false], role)
  }
  assert.equal(await see(as('buyer')), null)
  assert.equal((await see(await monthlyPayer()))?.mandate, null)
  assert.equal((await see({ ...company, market: 'fr' }))?.mandate, null)
})

test('a debit is collected when its statement is due, never before fourteen days have passed, on a day on which banks settle', () => {
  const cases: [due: string, announced: string, day: string][] = [
    ['2026-11-30', '2026-11-01', '2026-11-30'],
    ['2026-11-30', '2026-11-16', '2026-11-30'],
    ['2026-11-30', '2026-11-17', '2026-12-01'],
    ['2026-10-31', '2026-10-01', '2026-11-02'],
    // Good Friday to Easter Monday, Christmas.
    ['2027-03-26', '2027-03-01', '2027-03-30'],
    ['2026-12-25', '2026-12-01', '2026-12-28'],
  ]
  for (const [due, announced, day] of cases)
    for (const market of ['de', 'fr'] as const) assert.equal(collectionDay(market, due, announced), day, `${market} ${due}`)
  assert.equal(collectionDay('fr', '2026-07-14', '2026-06-01'), '2026-07-15')
  for (let day = '2026-01-01'; day < '2028-01-01'; day = addDays(day, 1)) {
    const collected = collectionDay('fr', day, day)
    assert.ok(collected >= addDays(day, 14) && isWorkingDay('fr', collected) && isWorkingDay('de', collected))
  }
})

test('R-079 the mail of a statement announces its debit, which is collected once, days later, and pays its invoices', async () => {
  const company = await withMandate()
  await addClaim(db, credit.server, company, { issuedOn: '2026-10-05', amount: 10_000 })
  await addClaim(db, credit.server, company, { issuedOn: '2026-10-20', amount: 2_550 })
  const id = await issued(company, '2026-11-01')
  const [mail = ''] = await mailsTo(company, 'credit-statement')
  for (const part of ['125,50', '30. November 2026', 'endet', '3000', 'PURLIN-M', 'DE98ZZZ09999999999'])
    assert.ok(mail.includes(part), `${part} in ${mail}`)
  const { debit } = await shown(company, id)
  assert.deepEqual([debit?.state, debit?.collectOn, debit?.amount.amount], ['announced', '2026-11-30', 12_550])
  const found = await findStatement(database.scope(at(company)), id)
  assert.ok(found && (await statementPdf(database.scope(at(company)), found)).length > 1000)

  await collectOn('2026-11-29')
  assert.ok(!credit.calls.includes('/v2/debits'), 'not before its day')
  await Promise.all([collectOn('2026-11-30'), collectOn('2026-11-30')])
  assert.equal((await shown(company, id)).debit?.state, 'submitted')
  assert.equal(await remindOn('2026-12-04', company), 0, 'no reminder while it is under way')
  await collectOn('2026-12-04')
  const paid = await shown(company, id)
  assert.deepEqual([paid.state, paid.open, paid.debit?.state, paid.debit?.amount.amount], ['paid', 0, 'settled', 12_550])
  await collectOn('2026-12-12')
  assert.deepEqual((await shown(company, id)).open, 0)
  assert.equal(await remindOn('2027-01-20', company), 0)
  assert.deepEqual(await mailsTo(company, 'credit-debit-failed'), [])
})

for (const [account, code, reason, text] of [
  ['empty', null, 'funds', /nicht gedeckt/],
  ['closed', 'bank', 'account', /falsch, erloschen oder gesperrt/],
  ['forgot', 'bank', 'mandate', /kein Mandat/],
] as const)
  test(`a debit that is returned (${reason}) reopens its statement: a mail, a transfer, reminders a week later${code ? ', and the mandate ends' : ''}`, async () => {
    const company = await withMandate(accounts[account])
    await addClaim(db, credit.server, company, { issuedOn: '2026-10-05', amount: 10_000 })
    const id = await issued(company, '2026-11-01')
    await collectOn('2026-11-30')
    await collectOn('2026-12-02')
    const { state, open, debit } = await shown(company, id)
    assert.deepEqual([state, open, debit?.state, debit?.reason], ['late', 10_000, 'returned', reason])
    const [mail = '', ...rest] = await mailsTo(company, 'credit-debit-failed')
    assert.deepEqual(rest, [])
    assert.match(mail, text)
    assert.match(mail, /überweisen Sie 100,00.€ bis 9\. Dezember 2026/)
    const { mandate } = (await see(company)) ?? {}
    assert.deepEqual([mandate?.state, mandate?.endedBy], code ? ['ended', code] : ['active', null])
    for (const [day, reminders] of [
      ['2026-12-11', 0],
      ['2026-12-12', 1],
      ['2026-12-19', 2],
      ['2026-12-29', 3],
    ] as const)
      assert.equal(await remindOn(day, company), reminders, day)
    await collectOn('2027-01-15')
    assert.equal((await shown(company, id)).open, 10_000, 'it is not collected a second time')
    // The next statement is collected only under a mandate that still exists.
    await addClaim(db, credit.server, company, { issuedOn: '2026-12-05', amount: 4_000 })
    const next = await shown(company, await issued(company, '2027-01-20'))
    assert.equal(next.debit === null, code !== null)
  })

test('a collected debit that the bank refunds within eight weeks (MD06) is owed again, whatever the order of the reports', async () => {
  const company = await withMandate()
  await addClaim(db, credit.server, company, { issuedOn: '2026-10-05', amount: 10_000 })
  const id = await issued(company, '2026-11-01')
  await collectOn('2026-11-30')
  await collectOn('2026-12-02')
  const settled = await collectDebit({ db, signal, now }, id)
  assert.equal(settled?.state, 'settled')
  const [late, again] = [await withMandate(), await withMandate(accounts.refunds)]
  assert.equal((await callCredit(credit.server, `/sandbox/debits/${id}/refund`, {}))['state'], 'returned')
  await collectOn('2026-12-11')
  const { state, open, debit } = await shown(company, id)
  assert.deepEqual([state, open, debit?.state, debit?.reason], ['late', 10_000, 'returned', 'refunded'])
  if (settled) await command((scope) => followDebit(scope, settled))
  const same = await shown(company, id)
  assert.deepEqual([same.open, same.debit?.state, same.debit?.reason], [10_000, 'returned', 'refunded'], 'an older report changes nothing')
  assert.equal((await mailsTo(company, 'credit-debit-failed')).length, 1)
  assert.equal(await stateOf(company), 'active')
  assert.equal(await remindOn('2026-12-21', company), 1)
  // Paid by transfer, in the end.
  const [line] = (await showStatement(database.scope(at(company)), id))?.lines ?? []
  await callCredit(credit.server, `/sandbox/invoices/${line?.id}/pay`, {})
  assert.equal(await remindOn('2026-12-30', company), 1)
  assert.deepEqual((await shown(company, id)).state, 'paid')

  // After eight weeks the bank refuses; a debtor whose bank refunds by itself is noticed without a message.
  for (const other of [late, again]) await addClaim(db, credit.server, other, { issuedOn: '2026-12-03', amount: 700 })
  const [old, taken] = [await issued(late, '2027-01-01'), await issued(again, '2027-01-01')]
  for (const day of ['2027-02-01', '2027-02-04', '2027-02-12', '2027-02-20']) await collectOn(day)
  assert.deepEqual([(await shown(late, old)).open, (await shown(again, taken)).open], [0, 700])
  go('2027-04-02')
  assert.deepEqual(await callCredit(credit.server, `/sandbox/debits/${old}/refund`, {}), { error: { code: 'too_late' } })
})

test('a revoked mandate ends at once: what was announced is transferred, what the banks have is collected', async () => {
  const company = await withMandate()
  await addClaim(db, credit.server, company, { issuedOn: '2026-10-05', amount: 10_000 })
  const submitted = await issued(company, '2026-11-01')
  await collectOn('2026-11-30')
  await addClaim(db, credit.server, company, { issuedOn: '2026-11-05', amount: 3_000 })
  const announced = await issued(company, '2026-12-01')
  assert.deepEqual(await database.command(at(company), revokeMandate), { ok: true })
  assert.deepEqual(await database.command(at(company), revokeMandate), { ok: false })
  await work()
  const { mandate } = (await see(company)) ?? {}
  assert.deepEqual([mandate?.state, mandate?.endedBy], ['ended', 'revoked'])
  const dropped = await shown(company, announced)
  assert.deepEqual([dropped.debit?.state, dropped.debit?.reason, dropped.open], ['dropped', 'ended', 3_000])
  assert.match((await mailsTo(company, 'credit-debit-failed'))[0] ?? '', /nicht eingezogen.*30,00.€ bis 30\. Dezember 2026/)
  await collectOn('2026-12-02')
  await collectOn('2026-12-31')
  assert.deepEqual([(await shown(company, submitted)).open, (await shown(company, announced)).open], [0, 3_000])
  assert.equal(await remindOn('2027-01-02', company), 1)
  assert.ok(credit.calls.some((path) => path.endsWith('/revoke')))
})

test('less is collected if less is open by then, and nothing if nothing is', async () => {
  const [part, all] = [await withMandate(), await withMandate()]
  const claims = { part: '', all: '' }
  claims.part = await addClaim(db, credit.server, part, { issuedOn: '2026-10-05', amount: 10_000 })
  claims.all = await addClaim(db, credit.server, all, { issuedOn: '2026-10-05', amount: 10_000 })
  const [one, two] = [await issued(part, '2026-11-01'), await issued(all, '2026-11-01')]
  await callCredit(credit.server, `/sandbox/invoices/${claims.part}/pay`, { amount: 4_000 })
  await callCredit(credit.server, `/sandbox/invoices/${claims.all}/pay`, {})
  await collectOn('2026-11-30')
  assert.equal((await shown(part, one)).debit?.amount.amount, 6_000)
  // A transfer while the debit is under way goes back to its sender.
  assert.deepEqual(await callCredit(credit.server, `/sandbox/invoices/${claims.part}/pay`, {}), { error: { code: 'debit_under_way' } })
  await collectOn('2026-12-02')
  const collected = await shown(part, one)
  assert.deepEqual([collected.open, collected.debit?.state, collected.debit?.amount.amount], [0, 'settled', 6_000])
  const none = await shown(all, two)
  assert.deepEqual([none.open, none.debit?.state, none.debit?.reason], [0, 'dropped', 'nothing'])
  assert.deepEqual(await mailsTo(all, 'credit-debit-failed'), [])
})

test('lost responses, slow ones and a worker that is killed collect a statement once', async () => {
  const company = await withMandate()
  await addClaim(db, credit.server, company, { issuedOn: '2026-10-05', amount: 10_000 })
  const id = await issued(company, '2026-11-01')
  go('2026-11-30')
  await command(planDebits)
  for (const mood of ['answer-500', 'hang', undefined] as const) {
    credit.misbehaviour = mood
    const seen = await collectDebit({ db, signal, now }, id).catch(() => null)
    assert.equal(seen === null, mood !== undefined)
    if (seen)
      await assert.rejects(
        command((scope) => followDebit(scope, seen).then(() => Promise.reject(new Error('killed')))),
        /killed/,
      )
  }
  assert.equal(credit.calls.filter((path) => path === '/v2/debits').length, 3)
  assert.equal((await shown(company, id)).debit?.state, 'submitted')
  for (const day of ['2026-12-05', '2026-12-07']) await collectOn(day)
  assert.deepEqual([(await shown(company, id)).open, (await shown(company, id)).debit?.amount.amount], [0, 10_000])
})

test('A70 a forged message about a debit is refused, a signed one is applied once', async () => {
  const company = await withMandate()
  await addClaim(db, credit.server, company, { issuedOn: '2026-10-05', amount: 10_000 })
  const id = await issued(company, '2026-11-01')
  await collectOn('2026-11-30')
  const debit = { external_code: id, amount: 10_000, state: 'returned', reason: 'AM04', invoices: [] }
  const body = JSON.stringify({ id: `evt-${id}`, event: 'debit', type: 'debit.returned', debit })
  const send = (secret: string, text = body) =>
    command((scope) =>
      receiveMessage(scope, creditProvider(), text, { 'x-credit-signature': sign(secret, text, Math.floor(Date.now() / 1000)) }),
    )
  await assert.rejects(send('another secret'), ForgedMessage)
  assert.equal((await shown(company, id)).debit?.state, 'submitted')
  assert.deepEqual([await send(creditSecrets.webhookSecret), await send(creditSecrets.webhookSecret)], ['applied', 'known'])
  assert.equal((await shown(company, id)).debit?.state, 'returned')
  const foreign = body.replaceAll(id, '00000000-0000-4000-8000-000000000000')
  assert.equal(await send(creditSecrets.webhookSecret, foreign), 'foreign')
})

test('V-11 a customer gives ten mandates an hour, a network forty, and what is refused never reaches the provider', async () => {
  const [greedy, other] = [await monthlyPayer(), await monthlyPayer()]
  const from = (company: TestCompany, remoteAddress: string) =>
    database.command({ ...at(company), remoteAddress }, (scope) =>
      giveMandate(scope, { iban: accounts.pays, holder: 'Lee Bau GmbH', isAgreed: true }),
    )
  // A mandate that exists is refused after it was counted.
  for (let n = 1; n <= 10; n++) assert.notDeepEqual(await from(greedy, `192.0.2.${n}`), { ok: false, reason: 'too-many-attempts' })
  await work()
  const calls = credit.calls.length
  assert.deepEqual(await from(greedy, '192.0.2.11'), { ok: false, reason: 'too-many-attempts' })
  await work()
  assert.equal(credit.calls.length, calls)
  await takeQuota('mandate', { address: '192.0.2.12' }, 40)
  assert.deepEqual(await from(other, '192.0.2.12'), { ok: false, reason: 'too-many-attempts' })
  assert.deepEqual(await from(other, '192.0.2.13'), { ok: true })
})

for (const text of [
  'null',
  '[]',
  '{}',
  'nonsense',
  '{"id":"evt-1","event":"debit","type":"debit.paid"}',
  '{"id":"evt-1","event":"debit","type":"debit.paid","debit":{"external_code":7,"amount":"all"}}',
  '{"id":"evt-1","event":"order","type":"order.approved","order":null}',
])
  test(`V-06 ${text}, rightly signed, is refused as a message that makes no sense`, async () => {
    const headers = { 'x-credit-signature': sign(creditSecrets.webhookSecret, text, Math.floor(Date.now() / 1000)) }
    await assert.rejects(
      command((scope) => receiveMessage(scope, creditProvider(), text, headers)),
      { name: 'UnreadableMessage' },
    )
  })

test('a company that is closed leaves no account, holder or network behind, and its mandate ends at the provider', async () => {
  const [company, colleague] = [await withMandate(), await withMandate()]
  await command((scope) => forgetMandatesOf(scope, company.principal.id, [company.principal.company.id]))
  await command((scope) => forgetMandatesOf(scope, colleague.principal.id, []))
  await work()
  const read = (who: TestCompany) =>
    rows('select state, holder, iban_end as "end", sender_hash as sender from credit.mandate where signed_by = $1', [who.principal.id])
  assert.deepEqual(await read(company), [{ state: 'ended', holder: '', end: '', sender: null }])
  assert.deepEqual(await read(colleague), [{ state: 'active', holder: 'Lee Bau GmbH', end: '3000', sender: null }])
  assert.ok(credit.calls.some((path) => path.endsWith('/revoke')))
})

test('what these companies owe, were sent and paid breaks no invariant', async () => {
  assert.deepEqual(await checkCompanies(database.pool, { settled: false }), [])
})
