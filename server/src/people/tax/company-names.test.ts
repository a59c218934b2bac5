import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesAgree } from './company-names.ts'

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
