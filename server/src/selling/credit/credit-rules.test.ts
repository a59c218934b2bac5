import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, limitOf } from '../../../../services/src/credit-provider/rules.ts'
import { claimState, dueReminder } from './claim.ts'
import { ineligibleOrder, type Ineligible, type Situation } from './eligibility.ts'

const fits: Situation = {
  isOn: true,
  market: 'gb',
  mode: 'b2b',
  company: { name: 'Lee Building Ltd', country: 'GB', vatNumber: 'GB123456781' },
  line: { limit: 1_000_000, isAccepted: true },
  used: 0,
}
const company = { name: 'Lee Building Ltd', country: 'GB', vatNumber: 'GB123456781' }
const orders: [string, Partial<Situation>, number, Ineligible | null][] = [
  ['fits', {}, 10_000, null],
  ['flag off or no provider', { isOn: false }, 10_000, 'not-offered'],
  ['consumers', { mode: 'b2c' }, 10_000, 'not-offered'],
  ['Spain', { market: 'es' }, 10_000, 'not-offered'],
  ['Italy', { market: 'it' }, 10_000, 'not-offered'],
  ['Germany', { market: 'de', company: { ...company, country: 'DE' } }, 10_000, null],
  ['France', { market: 'fr', company: { ...company, country: 'FR' } }, 10_000, null],
  ['no company', { company: null }, 10_000, 'not-a-company'],
  ['a company from abroad', { company: { ...company, country: 'FR' } }, 10_000, 'other-country'],
  ['no VAT number', { company: { ...company, vatNumber: null } }, 10_000, 'number-missing'],
  ['not accepted', { line: { limit: 0, isAccepted: false } }, 10_000, 'not-accepted'],
  ['below the least amount', {}, 2_499, 'too-small'],
  ['the least amount', {}, 2_500, null],
  ['the most', { line: null }, 2_500_000, null],
  ['above the most', { line: null }, 2_500_001, 'too-large'],
  ['exactly the rest of the limit', { used: 990_000 }, 10_000, null],
  ['a penny above the limit', { used: 990_001 }, 10_000, 'limit'],
  ['a limit nobody has asked for yet', { line: null, used: 5_000_000 }, 10_000, null],
]
for (const [name, more, amount, expected] of orders)
  test(`an order by invoice: ${name}`, () => assert.equal(ineligibleOrder({ ...fits, ...more }, amount), expected))

test('the embedded provider says yes, no and maybe by number, limit and amount', () => {
  const rows: [number: string, amount: number, used: number, state: string, reason: string | null][] = [
    ['GB123456781', 100_000, 0, 'authorized', null],
    ['GB123456780', 100_000, 0, 'declined', 'credit-declined'],
    ['GB12', 100_000, 0, 'declined', 'credit-unknown-company'],
    ['GB123456789', 100_000, 0, 'waiting', null],
    ['GB123456781', 500_000, 0, 'authorized', null],
    ['GB123456781', 500_001, 0, 'pre_approved', null],
    ['GB123456781', 500_001, 1, 'authorized', null],
    ['GB123456781', 1_000_000, 0, 'pre_approved', null],
    ['GB123456781', 1_000_001, 0, 'declined', 'credit-limit'],
    ['GB123456781', 1, 1_000_000, 'declined', 'credit-limit'],
  ]
  for (const [registrationNumber, amount, used, state, reason] of rows)
    assert.deepEqual(decide({ registrationNumber, amount, used }), { state, reason }, `${registrationNumber} ${amount} ${used}`)
  assert.deepEqual(['GB123456780', 'GB123456781', 'GB123456782', 'GB123456783', 'GB1'].map(limitOf), [
    500_000,
    1_000_000,
    1_500_000,
    2_000_000,
    null,
  ])
})

test('an invoice is late from the day after it was due, and its reminders come after 3, 10 and 20 days, each once', () => {
  const owed = { amount: 1000, credited: 0, repaid: 0, dueOn: '2026-03-01', reminders: 0 }
  const states: [day: string, more: object, state: string][] = [
    ['2026-03-01', {}, 'open'],
    ['2026-03-02', {}, 'late'],
    ['2026-03-02', { repaid: 1000 }, 'paid'],
    ['2026-03-02', { repaid: 999 }, 'late'],
    ['2026-03-02', { credited: 1000 }, 'credited'],
    ['2026-03-02', { credited: 400, repaid: 600 }, 'paid'],
    ['2026-03-02', { dueOn: null }, 'refused'],
  ]
  for (const [day, more, state] of states) assert.equal(claimState({ ...owed, ...more }, day), state, `${day} ${JSON.stringify(more)}`)
  const reminders: [day: string, sent: number, due: number][] = [
    ['2026-03-03', 0, 0],
    ['2026-03-04', 0, 1],
    ['2026-03-04', 1, 0],
    ['2026-03-10', 1, 0],
    ['2026-03-11', 1, 2],
    ['2026-03-11', 0, 2],
    ['2026-03-21', 2, 3],
    ['2027-03-21', 3, 0],
  ]
  for (const [day, sent, due] of reminders) assert.equal(dueReminder({ ...owed, reminders: sent }, day), due, `${day} after ${sent}`)
  assert.equal(dueReminder({ ...owed, repaid: 1000 }, '2026-03-21'), 0)
})
