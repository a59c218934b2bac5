import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { testDatabase } from '#platform/testing'
import { closedCompaniesWith, companyWithFormer, openCompany } from '#accounts'
import { newId } from '#platform'
import { readInvoiceUse } from '#credit'
import { addCompany, addCustomer, addMembership } from '../../people/accounts/testing.ts'
import { decideConversion, vatDecidesConversion } from '../../people/companies/decide-conversion.ts'
import { insertConversion, readConversion } from '../../people/companies/store.ts'
import { inventVatNumber } from '../../people/tax/testing.ts'
import { trialOf } from '../../selling/subscriptions/start-subscription.ts'
import { erase, eraseAccount } from './erase-account.ts'

/** A company that is closed with the account of its only member, and opened anew with the same number. */

const database = await testDatabase()
const { db, pool } = database
await pool.query(`insert into pricing.vat_rule (id, market, category_id, rate_bp, valid_from) values (1, 'gb', null, 2000, '2020-01-01')`)
const site = { market: 'gb', mode: 'b2b', origin: 'http://pro.gb.localhost' } as const

type Person = { id: string; email: string }
const leave = ({ id, email }: Person) =>
  database.command({ principal: { kind: 'customer', id, email, name: 'Ann', market: 'gb' }, session: { id: randomUUID() } }, (scope) =>
    eraseAccount(scope, email),
  )
const eraseAll = ({ id }: Person) => database.command({}, (scope) => erase(scope, { customerId: id }))

async function convert(vatNumber: string) {
  const customer = await addCustomer(db)
  const asked = { reason: null, companyName: 'Bright and Sons', country: 'GB', vatNumber, registerNumber: null }
  await insertConversion(db, { id: newId(), customerId: customer.id, ...asked, ...site })
  const answer = { outcome: 'valid', name: 'BRIGHT & SONS LTD', address: null, consultationNumber: null, body: null } as const
  const news = { owner: `customer:${customer.id}`, customerId: customer.id, vatNumber, state: 'valid', answer } as const
  await database.command(site, (scope) => vatDecidesConversion(scope, news))
  return { customer, conversion: await readConversion(db, customer.id) }
}

async function addPayment(companyId: string, customerId: string): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into payments.payment (id, customer_order_id, placement, provider, state, amount, captured, currency, market, mode, origin, method, company_id, customer_id, provider_reference)
      values ($1, $2, 1, 'credit', 'captured', 10000, 10000, 'GBP', 'gb', 'b2b', 'http://x', 'invoice', $3, $4, $2)`,
    [id, `P${id}`, companyId, customerId],
  )
  return id
}

test('the number of a closed company does not convert by itself: an operator decides, and trial and limit go on where they were', async () => {
  const vatNumber = inventVatNumber(6100)
  const first = await convert(vatNumber)
  const companyId = first.conversion?.companyId ?? ''
  assert.equal(first.conversion?.state, 'converted')
  assert.equal(await trialOf(db, companyId), 'available')
  await pool.query(
    `insert into subscriptions.subscription (id, company_id, customer_id, market, origin, state, period, has_trial, paid_until, due_at, created_at)
      values ($1, $2, $3, 'gb', 'http://pro.gb.localhost', 'trialing', 'monthly', true, now() + interval '9 days', now() + interval '9 days', now())`,
    [newId(), companyId, first.customer.id],
  )
  await addPayment(companyId, first.customer.id)
  assert.deepEqual(await leave(first.customer), { ok: true })
  await eraseAll(first.customer)
  const { rows } = await pool.query('select t::text as text from accounts.closed_number t')
  assert.equal(rows.length, 1)
  assert.ok(!rows[0].text.includes(vatNumber.slice(2)), 'a keyed hash, not the number')

  const again = await convert(vatNumber)
  assert.deepEqual([again.conversion?.state, again.conversion?.reason], ['lead', 'known-company'])
  await database.command(site, (scope) => decideConversion(scope, again.conversion?.id ?? '', 'accept'))
  const next = (await readConversion(db, again.customer.id))?.companyId ?? ''
  assert.notEqual(next, companyId)
  assert.equal(await trialOf(db, next), 'used', 'once per number, whatever the company’s id')
  assert.equal(await readInvoiceUse(db, await companyWithFormer(db, next), 'GBP'), 10_000)
  assert.equal(await readInvoiceUse(db, await companyWithFormer(db, next), 'EUR'), 0)
})

test('a company that was never closed converts by itself, and has a number of its own', async () => {
  const { conversion } = await convert(inventVatNumber(6101))
  assert.equal(conversion?.state, 'converted')
  assert.deepEqual(await companyWithFormer(db, conversion?.companyId ?? ''), [conversion?.companyId])
})

test('a confirmed number that only the tax information had is known as well, one that was merely typed is not', async () => {
  for (const [state, closed] of [
    ['valid', 1],
    ['pending', 0],
    ['not-valid', 0],
  ] as const) {
    const customer = await addCustomer(db)
    const id = newId()
    const vatNumber = inventVatNumber(6110 + closed + state.length)
    await database.command({}, (scope) => openCompany(scope.db, { id, name: 'Lee', country: 'GB', vatNumber: null }, customer.id))
    await pool.query(`insert into tax.record (owner, legal_name, country, vat_number, vat_state) values ($1, 'Lee', 'GB', $2, $3)`, [
      `company:${id}`,
      vatNumber,
      state,
    ])
    assert.deepEqual(await leave(customer), { ok: true })
    await eraseAll(customer)
    assert.equal((await closedCompaniesWith(db, vatNumber)).length, closed, state)
  }
})

test('an account is not closed while the company that would close with it owes invoices', async () => {
  const [ann, bob] = [await addCustomer(db), await addCustomer(db)]
  const company = await addCompany(db)
  for (const { id } of [ann, bob]) await addMembership(db, id, company.id, 'admin')
  const claim = newId()
  await pool.query(
    `insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, customer_id, market, mode, origin,
        currency, amount, reference, issued_on, due_on)
      values ($1, 'F-1', $2, 'P1', 'P1-1', $3, $4, 'gb', 'b2b', 'http://x', 'GBP', 10000, 'r', '2026-11-01', '2026-12-01')`,
    [claim, await addPayment(company.id, bob.id), company.id, bob.id],
  )
  const unpaid = { ok: false, reason: 'invoices-unpaid', company: { name: 'Lee Building Ltd', isCurrent: true } }
  const [one, other] = await Promise.all([leave(ann), leave(bob)])
  assert.deepEqual(
    [one, other].toSorted((a, b) => Number(b.ok) - Number(a.ok)),
    [{ ok: true }, unpaid],
    'of two last members at once, one stays',
  )
  const last = one.ok ? bob : ann
  assert.deepEqual(await leave(last), unpaid, 'also while the other’s data is being erased')
  await pool.query('update credit.claim set repaid = 9000 where id = $1', [claim])
  assert.deepEqual(await leave(last), unpaid, 'a part is not all')
  await pool.query('update credit.claim set credited = 1000 where id = $1', [claim])
  assert.deepEqual(await leave(last), { ok: true })
})
