import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesAgree, registerNumberOf } from './conversion.ts'

test('names of companies agree whatever the legal form, accents and case; another name, and no name, do not', () => {
  const agree: [string, string][] = [
    ['Bright and Sons Joinery', 'BRIGHT & SONS JOINERY LTD'],
    ['Électricité Mercier SARL', 'ELECTRICITE MERCIER'],
    ['Müller Bau', 'Müller Bau GmbH & Co. KG'],
    ['Reformas García, S.L.', 'REFORMAS GARCIA SL'],
    ['Hartley', 'Hartley Roofing Ltd'],
  ]
  for (const [one, other] of agree) assert.ok(namesAgree(one, other) && namesAgree(other, one), one)
  for (const [one, other] of [
    ['Bright Joinery', 'Hartley Roofing Ltd'],
    ['Ltd', 'Hartley Roofing Ltd'],
    ['Hartley Plumbing', 'Hartley Roofing Ltd'],
    ['Hartley', 'Hartley Roofing Services Ltd'],
  ] as const)
    assert.ok(!namesAgree(one, other), one)
})

test('R-498 register numbers are read as their country writes them', () => {
  const rows: [string, string, string | null][] = [
    ['GB', 'sc123456', 'SC123456'],
    ['GB', '1234567', '01234567'],
    ['GB', '123', null],
    ['FR', '732 829 320', '732829320'],
    ['FR', '732 829 321', null],
    ['FR', '732 829 320 00074', '73282932000074'],
    ['DE', 'HRB 12345 B', 'HRB12345B'],
    ['DE', '12345', null],
    ['ES', 'B-12345674', 'B12345674'],
    ['IT', 'MI-1234567', 'MI1234567'],
    ['US', '12345678', null],
  ]
  for (const [country, typed, number] of rows) assert.equal(registerNumberOf(country, typed), number, `${country} ${typed}`)
})
