import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMember } from '#accounts'
import { newId } from '#platform'
import { testDatabase } from '#platform/testing'
import type { MemberRole } from '@purlin/contract/principal.ts'
import { addCompany, addCustomer, addMembership } from '../../people/accounts/testing.ts'
import { removeMember } from '../../people/companies/change-members.ts'
import { remind } from './remind.ts'
import { readDueClaims } from './store.ts'

const database = await testDatabase()
const { db, pool } = database
const dueOn = '2026-10-01'
const on = (day: string) => new Date(`${day}T12:00:00Z`)

async function newCompany() {
  const { id: companyId } = await addCompany(db)
  const join = async (role: MemberRole) => {
    const customer = await addCustomer(db)
    await addMembership(db, customer.id, companyId, role)
    return customer
  }
  return { companyId, admin: await join('admin'), accountant: await join('accountant'), buyer: await join('buyer') }
}

async function addLateClaim(companyId: string, customerId: string, due = dueOn, reminders = 0): Promise<string> {
  const id = newId()
  await pool.query(
    `insert into credit.claim (id, number, payment_id, customer_order_id, seller_order_id, company_id, customer_id, market, mode, origin,
        currency, amount, reference, issued_on, due_on, reminders)
      values ($1, $5, $1, 'P1', 'P1-1', $2, $3, 'gb', 'b2b', 'http://pro.gb.localhost', 'GBP', 10000, 'r', '2026-09-01', $4, $6)`,
    [id, companyId, customerId, due, `F-${id}`, reminders],
  )
  return id
}
const remindOn = (claimId: string, day: string) => {
  const seen = { claimId, credited: 0, repaid: 0, reversed: 0, reference: 'r', dueOn }
  return database.command({ now: on(day) }, (scope) => remind(scope, seen))
}
const countedOf = async (id: string) => (await pool.query('select reminders from credit.claim where id = $1', [id])).rows[0].reminders
const sentTo = async (people: Record<string, { email: string }>) => {
  const { rows } = await pool.query<{ recipient: string }>(
    `select recipient from mail.mail where template = 'credit-reminder' and recipient = any($1)`,
    [Object.values(people).map(({ email }) => email)],
  )
  const names = new Map(Object.entries(people).map(([name, { email }]) => [email, name]))
  return rows.map(({ recipient }) => names.get(recipient)).toSorted()
}

test('R-079 administrators and accountants are reminded of an invoice, whatever became of the person who ordered', async () => {
  for (const how of ['stays', 'removed', 'closed'] as const) {
    const { companyId, ...people } = await newCompany()
    const claimId = await addLateClaim(companyId, people.buyer.id)
    const admin = await readMember(db, people.admin.id, companyId)
    if (how === 'removed' && admin)
      await database.command({ principal: admin, mode: 'b2b' }, (scope) => removeMember(scope, people.buyer.id))
    if (how === 'closed') await pool.query('update accounts.customer set closed_at = now() where id = $1', [people.buyer.id])
    await remindOn(claimId, '2026-10-04')
    assert.deepEqual(await sentTo(people), ['accountant', 'admin'], how)
    assert.equal(await countedOf(claimId), 1)
    await remindOn(claimId, '2026-10-04')
    assert.equal((await sentTo(people)).length, 2, 'once each')
  }
})

test('R-079 a reminder that reached nobody does not count, and goes out once somebody is there', async () => {
  const { companyId, ...people } = await newCompany()
  const claimId = await addLateClaim(companyId, people.buyer.id)
  await pool.query(`update accounts.membership set role = 'buyer' where company_id = $1`, [companyId])
  await remindOn(claimId, '2026-10-21')
  assert.deepEqual([await sentTo(people), await countedOf(claimId)], [[], 0])
  await pool.query(`update accounts.membership set role = 'admin' where company_id = $1 and customer_id = $2`, [companyId, people.admin.id])
  await remindOn(claimId, '2026-10-22')
  assert.deepEqual([await sentTo(people), await countedOf(claimId)], [['admin'], 3])
})

test('R-079 invoices whose next reminder is days away keep no place from one that is due today', async () => {
  const { companyId, buyer } = await newCompany()
  await pool.query('delete from credit.claim')
  for (let n = 0; n < 5; n++) await addLateClaim(companyId, buyer.id, '2026-10-20', 2)
  const fresh = await addLateClaim(companyId, buyer.id, '2026-10-25')
  assert.deepEqual(await readDueClaims(db, { gb: '2026-10-28' }, 1), [fresh])
  assert.equal((await readDueClaims(db, { gb: '2026-11-09' }, 10)).length, 6)
})
