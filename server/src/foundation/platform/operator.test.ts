import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demoOperator, operatorSettings } from './operator.ts'
import { productionProblems } from './production-profile.ts'
import { readSettings } from './settings.ts'
import { productionSettings } from './testing.ts'

test('V-21 without settings the operator is an obvious placeholder; set in full it is the company they name', () => {
  assert.equal(readSettings({}, []).operator.isDemo, true)
  const { name, address, isDemo, phoneFrom, phoneTo } = readSettings({ ...productionSettings, OPERATOR_HOURS: '08:30-16:00' }, []).operator
  assert.deepEqual([name, address, isDemo], ['Purlin France SAS', ['12 rue du Marché', '69002 Lyon'], false])
  assert.deepEqual([phoneFrom, phoneTo], ['08:30', '16:00'])
})

test('V-21 real domains refuse a placeholder operator, setting by setting', () => {
  for (const setting of operatorSettings) {
    for (const value of ['', demoOperator[setting]]) {
      const problems = productionProblems({ ...productionSettings, [setting]: value })
      assert.deepEqual(
        problems.map((problem) => problem.split(' ')[0]),
        [setting],
      )
    }
  }
})

test('real domains refuse an operator of a country in which the shop does not sell: the VAT of its services is not known', () => {
  const problemsWith = (number: string) => productionProblems({ ...productionSettings, OPERATOR_VAT_NUMBER: number })
  assert.match(problemsWith('IE1234567FA').join(), /^OPERATOR_VAT_NUMBER must begin with one of ES, FR, GB, DE, IT/)
  for (const number of ['FR12123456789', 'gb 123 4567 81']) assert.deepEqual(problemsWith(number), [])
})

test('a phone without country code, an invalid address and malformed hours are each reported in a sentence', () => {
  for (const wrong of [{ OPERATOR_PHONE: '0341 1' }, { OPERATOR_EMAIL: 'nobody' }, { OPERATOR_HOURS: 'nine to five' }])
    assert.throws(() => readSettings(wrong, []), new RegExp(Object.keys(wrong)[0]!))
})
