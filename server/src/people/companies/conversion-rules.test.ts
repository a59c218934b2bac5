import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerNumberOf } from './conversion.ts'

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
