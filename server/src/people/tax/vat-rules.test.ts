import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTaxDetails } from './tax-record.ts'
import { canonicalVatNumber, isVatNumber, registerOf } from './vat-number.ts'
import { pauseBefore, standingAfter, type VatAnswer, type VatState } from './vat-state.ts'

const numbers: [typed: string, country: string, number: string, isRight: boolean][] = [
  ['GB 000 4101 71', 'GB', 'GB000410171', true],
  ['000410171', 'GB', 'GB000410171', true],
  ['GB000410172', 'GB', 'GB000410172', false],
  ['xi 000 4101 71', 'GB', 'XI000410171', true],
  ['DE 900.041.134', 'DE', 'DE900041134', true],
  ['DE900041135', 'DE', 'DE900041135', false],
  ['B00041145', 'ES', 'ESB00041145', true],
  ['ES-B00041146', 'ES', 'ESB00041146', false],
  ['FR 76 000041020', 'FR', 'FR76000041020', true],
  ['FR77000041020', 'FR', 'FR77000041020', false],
  ['00041158882', 'IT', 'IT00041158882', true],
  ['IT00041158883', 'IT', 'IT00041158883', false],
  ['ATU13585627', 'DE', 'ATU13585627', true],
  ['GR094259216', 'IT', 'EL094259216', true],
  ['CHE-116.281.710 MWST', 'DE', 'DECHE116281710MWST', false],
  ['', 'GB', '', false],
]

test('R-498 a VAT number is read with its country’s letters, digits and check digit', () => {
  for (const [typed, country, number, isRight] of numbers) {
    assert.equal(canonicalVatNumber(typed, country), number, typed)
    assert.equal(isVatNumber(number), isRight, typed)
  }
  assert.deepEqual(['GB1', 'XI1', 'EL1', 'CH1'].map(registerOf), ['hmrc', 'vies', 'vies', null])
})

const said = (outcome: VatAnswer['outcome']) => ({ outcome })
const theirs = { isTheirs: true }
const standing = (state: VatState, doubts = 0, tries = 0) => ({ state, doubts, tries })

test('R-463 R-464 R-465 a pending number takes the register’s result; no response changes nothing', () => {
  assert.deepEqual(standingAfter(standing('pending', 0, 3), said('valid'), theirs), standing('valid'))
  assert.deepEqual(standingAfter(standing('pending'), said('not-valid'), theirs), standing('not-valid'))
  for (const state of ['pending', 'valid', 'not-valid'] as const)
    assert.deepEqual(standingAfter(standing(state, 0, 1), said('unanswered'), theirs), standing(state, 0, 2))
})

test('a number that its register knows, but not as its owner’s, is pending and looked at every month', () => {
  for (const state of ['pending', 'not-valid'] as const) {
    const after = standingAfter(standing(state, 1, 2), said('valid'), { isTheirs: false })
    assert.deepEqual(after, standing('pending'))
    assert.equal(pauseBefore(after), 30 * 86_400_000)
  }
})

test('R-487 a register that revokes a valid number is queried again before the state changes', () => {
  const doubted = standingAfter(standing('valid'), said('not-valid'), theirs)
  assert.deepEqual(doubted, standing('valid', 1))
  assert.equal(pauseBefore(doubted), 3_600_000)
  assert.deepEqual(standingAfter(doubted, said('valid'), theirs), standing('valid'))
  assert.deepEqual(standingAfter(doubted, said('not-valid'), theirs), standing('not-valid'))
})

test('R-487 the pause grows from a minute to six hours; valid numbers are looked at every month, others for three days', () => {
  const minutes = [1, 2, 3, 4, 9, 10, 100].map((tries) => (pauseBefore(standing('pending', 0, tries)) ?? 0) / 60_000)
  assert.deepEqual(minutes, [1, 2, 4, 8, 256, 360, 360])
  assert.equal(pauseBefore(standing('valid')), 30 * 86_400_000)
  assert.deepEqual(
    [0, 1, 2, 3].map((doubts) => pauseBefore(standing('not-valid', doubts))),
    [86_400_000, 86_400_000, 86_400_000, null],
  )
  assert.deepEqual(standingAfter(standing('not-valid', 2), said('not-valid'), theirs), standing('not-valid', 3))
})

const firm = { legalName: 'Rossi Srl', line1: 'Via Roma 9', postcode: '00184', city: 'Roma', country: 'IT' }
const fieldsOf = (input: object, country = 'IT', isCompany = true) => {
  const checked = checkTaxDetails({ ...firm, ...input }, { country, isCompany })
  return 'fields' in checked ? checked.fields : {}
}

test('R-498 fiscal numbers, SDI codes and PEC addresses are checked; required invoice details are requested', () => {
  assert.deepEqual(fieldsOf({ vatNumber: 'IT00041158882', fiscalNumber: '00041158882', sdiCode: 'abc1234', pec: 'Rossi@pec.example' }), {})
  assert.deepEqual(fieldsOf({ vatNumber: 'IT1', fiscalNumber: '123', sdiCode: 'A-1', pec: 'rossi' }), {
    vatNumber: 'vat-number',
    fiscalNumber: 'fiscal-number',
    sdiCode: 'sdi-code',
    pec: 'pec',
  })
  assert.deepEqual(fieldsOf({ fiscalNumber: 'RSSMRA85T10A562S' }, 'IT', false), {})
  assert.deepEqual(
    fieldsOf({ fiscalNumber: '00041158882' }, 'IT', false),
    { fiscalNumber: 'fiscal-number' },
    'a person has a number of their own',
  )
  assert.deepEqual(fieldsOf({ country: 'ES', postcode: '28013', fiscalNumber: 'B00041145' }, 'ES'), {})
  assert.deepEqual(fieldsOf({ postcode: 'W1', country: 'XX' }), { country: 'country' })
  assert.deepEqual(fieldsOf({ postcode: 'W1', legalName: 'a<b', line1: 'x'.repeat(101) }), {
    postcode: 'postcode',
    legalName: 'signs',
    line1: 'too-long',
  })
  const nothing = checkTaxDetails({}, { country: 'GB', isCompany: false })
  assert.ok('details' in nothing, 'a person need not give anything')
  const number = checkTaxDetails({ vatNumber: 'GB000410171' }, { country: 'GB', isCompany: false })
  assert.deepEqual(number, { fields: { legalName: 'missing', line1: 'missing', postcode: 'missing', city: 'missing' } })
})
