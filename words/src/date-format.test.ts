import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateFormat } from './date-format.ts'

const at = (day: number) => new Date(Date.UTC(2026, 10, day, 1, 1))

test('French writes the first of a month as an ordinal wherever the month is a word', () => {
  for (const [options, first, second] of [
    [{ dateStyle: 'long' }, '1er novembre 2026', '2 novembre 2026'],
    [{ dateStyle: 'full' }, 'dimanche 1er novembre 2026', 'lundi 2 novembre 2026'],
    [{ dateStyle: 'medium' }, '1er nov. 2026', '2 nov. 2026'],
    [{ day: 'numeric', month: 'long' }, '1er novembre', '2 novembre'],
    [{ dateStyle: 'long', timeStyle: 'short' }, '1er novembre 2026 à 01:01', '2 novembre 2026 à 01:01'],
    [{ dateStyle: 'short' }, '01/11/2026', '02/11/2026'],
    [{ day: 'numeric' }, '1', '2'],
  ] as const)
    assert.deepEqual(
      [1, 2].map((day) => dateFormat('fr-FR', { ...options, timeZone: 'UTC' }).format(at(day))),
      [first, second],
    )
  assert.equal(dateFormat('fr-FR', { dateStyle: 'long', timeZone: 'UTC' }).format(at(11)), '11 novembre 2026')
})

test('other languages follow CLDR', () => {
  for (const locale of ['en-GB', 'de-DE', 'es-ES', 'it-IT'])
    assert.equal(
      dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at(1)),
      new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(at(1)),
    )
})
