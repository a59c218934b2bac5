import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { suspectedProLevels } from './segments.ts'
import { isCompanyEmail, suspectedProLevel, suspectedProType, type ProSignals } from './suspected-pro.ts'

const signals = (more: Partial<ProSignals> = {}): ProSignals => ({
  email: 'ann.lee@gmail.com',
  isMember: false,
  gaveVatNumber: false,
  gaveCompany: false,
  ordersInYear: 0,
  tradeOrdersInYear: 0,
  ...more,
})

test('R-321 addresses that belong to companies in five languages, and those that do not', () => {
  for (const email of [
    'info@meyer.de',
    'Compta@dupont.fr',
    'facturacion@obras-garcia.es',
    'ann@meyer-bau.de',
    'joe@lee-builders.co.uk',
    'joe@leeltd.co.uk',
    'luc@plomberie-martin.fr',
    'eva@reformasperez.es',
    'ugo@rossi-impianti.it',
  ])
    assert.ok(isCompanyEmail(email), email)
  for (const email of [
    'ann.lee@gmail.com',
    'info@gmail.com',
    'plumber.joe@hotmail.co.uk',
    'jean@orange.fr',
    'eva@lee-family.org',
    'tim@baumann.de',
    'nobody',
    '@bau.de',
    'a@b',
  ])
    assert.ok(!isCompanyEmail(email), email)
})

test('R-321 R-322 level and type of suspicion by signal', () => {
  const cases: [given: Partial<ProSignals>, level: string, type: string][] = [
    [{}, 'not-suspected-pro', 'unknown'],
    [{ tradeOrdersInYear: 1 }, 'not-suspected-pro', 'unknown'],
    [{ tradeOrdersInYear: 1, ordersInYear: 12 }, 'medium-suspected-pro', 'construction'],
    [{ tradeOrdersInYear: 3 }, 'medium-suspected-pro', 'construction'],
    [{ email: 'info@meyer.de' }, 'medium-suspected-pro', 'corporate'],
    [{ gaveCompany: true }, 'medium-suspected-pro', 'corporate'],
    [{ gaveVatNumber: true }, 'high-suspected-pro', 'corporate'],
    [{ email: 'info@meyer.de', gaveCompany: true }, 'high-suspected-pro', 'corporate'],
    [{ gaveVatNumber: true, gaveCompany: true }, 'very-high-suspected-pro', 'corporate'],
    [{ gaveVatNumber: true, tradeOrdersInYear: 3 }, 'very-high-suspected-pro', 'construction'],
    [{ gaveVatNumber: true, gaveCompany: true, isMember: true }, 'not-suspected-pro', 'unknown'],
  ]
  for (const [given, level, type] of cases)
    assert.deepEqual([suspectedProLevel(signals(given)), suspectedProType(signals(given))], [level, type], JSON.stringify(given))
})

test('R-321 one more signal never lowers the suspicion, and members are never suspected', () => {
  const any = fc.record({
    email: fc.constantFrom('ann@gmail.com', 'info@meyer.de'),
    isMember: fc.constant(false),
    gaveVatNumber: fc.boolean(),
    gaveCompany: fc.boolean(),
    ordersInYear: fc.nat(20),
    tradeOrdersInYear: fc.nat(5),
  })
  const rank = (given: ProSignals) => suspectedProLevels.indexOf(suspectedProLevel(given))
  fc.assert(
    fc.property(any, (given) => {
      const more: ProSignals[] = [
        { ...given, email: 'info@meyer.de' },
        { ...given, gaveVatNumber: true },
        { ...given, gaveCompany: true },
        { ...given, ordersInYear: given.ordersInYear + 1 },
        { ...given, tradeOrdersInYear: given.tradeOrdersInYear + 1 },
      ]
      for (const each of more) assert.ok(rank(each) <= rank(given))
      assert.equal(suspectedProLevel({ ...given, isMember: true }), 'not-suspected-pro')
      assert.ok(suspectedProType(given) === 'unknown' || suspectedProLevel(given) !== 'not-suspected-pro')
    }),
  )
})
