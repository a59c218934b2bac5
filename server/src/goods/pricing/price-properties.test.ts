import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, modes, type Market } from '@purlin/contract/markets.ts'
import { badgeTypes } from '@purlin/contract/price.ts'
import type { Principal } from '@purlin/contract/principal.ts'
import { testCustomer, testGuest, testMember } from '@purlin/contract/testing.ts'
import { badgesOf, type BadgeCase } from './badges.ts'
import { countdownLabel } from './countdown.ts'
import { deliveryDays } from './delivery-promise.ts'
import { isWorkingDay } from './holidays.ts'
import { addDays, localDay, localTime, weekday } from './local-time.ts'
import { askedPrice, percentOff, priceBlock, type PriceCase } from './price-block.ts'
import type { PricePoint } from '#catalogue'
import { retailPrice } from './retail-price.ts'
import { inSalesPeriod } from './sales-periods.ts'
import { priceDisplay } from './tax-mode.ts'
import { unitPrice } from './unit-price.ts'
import { splitGross, vatOf, type VatRule } from './vat.ts'

const dayMs = 86_400_000
const market = fc.constantFrom(...marketCodes)
const country = fc.constantFrom('ES', 'FR', 'GB', 'DE', 'IT', 'PL')
const instant = fc.date({ min: new Date('2024-01-01'), max: new Date('2034-01-01'), noInvalidDate: true })
const amount = fc.integer({ min: 1, max: 10_000_000 })
const rateBp = fc.constantFrom(0, 400, 500, 700, 1_000, 1_900, 2_000, 2_100, 2_200)
const principal: fc.Arbitrary<Principal | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constant(testGuest()),
  fc.constant(testCustomer()),
  country.map((of) => testMember({ company: { country: of } })),
)
const display = fc.record({ market, mode: fc.constantFrom(...modes), principal, prefersVat: fc.boolean() }).map(priceDisplay)
const priceCase: fc.Arbitrary<PriceCase> = fc
  .record({
    price: amount,
    pro: fc.option(fc.integer({ min: 1, max: 130 })),
    retail: fc.option(fc.integer({ min: 50, max: 300 })),
    sellerCountry: country,
    rate: rateBp,
    quantityMilli: fc.option(fc.integer({ min: 1, max: 100_000 })),
    range: fc.option(fc.tuple(amount, amount)),
  })
  .map(({ price, pro, retail, sellerCountry, rate, quantityMilli, range }) => ({
    price,
    proPrice: pro === null ? null : Math.max(1, Math.floor((price * pro) / 100)),
    retailPrice: retail === null ? null : Math.ceil((price * retail) / 100),
    sellerCountry,
    vat: { rateBp: rate, hasNoVATForDE: rate === 0 },
    unit: quantityMilli === null ? null : { measure: 'l' as const, quantityMilli },
    range: range && { min: Math.min(...range), max: Math.max(...range) },
  }))

const minor = (value: { asFloat: number }): number => Math.round(value.asFloat * 100)

test('R-373 R-374 R-375 R-376 R-377 R-384 R-386 the price block for any viewer and any offer', () => {
  fc.assert(
    fc.property(display, priceCase, (of, offer) => {
      const block = priceBlock(of, offer)
      const gross = askedPrice(of, offer)
      const { net } = splitGross(gross, offer.vat.rateBp)
      assert.equal(minor(block.main), block.taxKey === 'with_vat' ? gross : net)
      if (!of.business || of.market === 'gb') assert.equal(block.taxKey, 'with_vat')
      // The small price is the other of the two, and shown only if both differ.
      if (block.secondary) assert.equal(minor(block.main) + minor(block.secondary), gross + net)
      if (!of.business) assert.equal(block.secondary, null)
      // A genuine reduction: the struck price is higher than the current one, and the percentage is never overstated.
      assert.equal(block.retail === null, offer.retailPrice === null || offer.retailPrice <= gross)
      if (block.retail) {
        assert.ok(minor(block.retail) >= minor(block.main))
        const off = block.discount ?? 0
        assert.ok(minor(block.main) * 100 <= minor(block.retail) * (100 - off))
        assert.ok(minor(block.main) * 100 > minor(block.retail) * (99 - off))
      } else assert.equal(block.discount, null)
      // The unit price is in the mode of the main price, to the nearest minor unit.
      assert.equal(block.unit === null, offer.unit === null)
      if (block.unit && offer.unit) {
        const error = minor(block.unit.amount) * offer.unit.quantityMilli - minor(block.main) * 1_000
        assert.ok(error * 2 <= offer.unit.quantityMilli && error * 2 > -offer.unit.quantityMilli)
      }
    }),
    { numRuns: 500 },
  )
})

test('R-511 R-512 R-513 R-514 a price without VAT implies a business, no preference for VAT, a domestic seller, and not gb', () => {
  fc.assert(
    fc.property(display, priceCase, (of, offer) => {
      const { taxKey } = priceBlock(of, offer)
      const netAllowed = of.business && !of.prefersVat && offer.sellerCountry === of.customerCountry && of.market !== 'gb'
      assert.equal(taxKey, netAllowed ? 'without_vat' : 'with_vat')
    }),
  )
})

const units: [Market, Parameters<typeof unitPrice>[2], string][] = [
  ['gb', { measure: 'm2', quantityMilli: 2_500 }, '£4.00 /m²'],
  ['gb', { measure: 'piece', quantityMilli: 50_000 }, '£0.20 each'],
  ['de', { measure: 'piece', quantityMilli: 50_000 }, '0,20\u00a0€ /Stück'],
  ['fr', { measure: 'l', quantityMilli: 10_000 }, '1,00\u00a0€ /L'],
  ['es', { measure: 'kg', quantityMilli: 25_000 }, '0,40\u00a0€ /kg'],
  ['it', { measure: 'm', quantityMilli: 3_000 }, '3,33\u00a0€ /m'],
]
for (const [of, content, label] of units) {
  test(`R-377 R-386 ten of ${of} for ${content?.quantityMilli} thousandths of ${content?.measure}: ${label}`, () => {
    assert.equal(unitPrice(of, 1_000, content)?.label, label)
  })
}
test('R-377 products not sold by measure have no unit price', () => {
  assert.equal(unitPrice('gb', 1_000, null), null)
  assert.equal(unitPrice('gb', 1_000, { measure: 'l', quantityMilli: 0 }), null)
})

const now = new Date('2026-11-21T10:00:00Z')
const history = fc
  .uniqueArray(fc.record({ hours: fc.integer({ min: 0, max: 24 * 120 }), price: fc.integer({ min: 1, max: 20 }) }), {
    selector: ({ hours }) => hours,
    minLength: 1,
    maxLength: 15,
  })
  .map((points) => points.map(({ hours, price }): PricePoint => ({ price, validFrom: new Date(now.getTime() - hours * 3_600_000) })))

const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' })
const dayIn = (at: number | Date): string => calendar.format(at)

/** The price at an instant. */
function askedAt(points: readonly PricePoint[], at: number): number | null {
  const before = points
    .filter(({ validFrom }) => validFrom.getTime() <= at)
    .toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime())
  return before.at(-1)?.price ?? null
}

test('R-385 outside gb the retail price is the lowest at any hour of the 30 calendar days before the reduction', () => {
  fc.assert(
    fc.property(history, (points) => {
      const current = askedAt(points, now.getTime())!
      // Hour by hour, the slow literal form of the rule: since when has the current price applied?
      let since = now.getTime()
      const first = Math.min(...points.map(({ validFrom }) => validFrom.getTime()))
      while (since > first && askedAt(points, since - 3_600_000) === current) since -= 3_600_000
      let lowest: number | null = null
      const firstDay = dayIn(new Date(`${dayIn(new Date(since))}T12:00:00Z`).getTime() - 30 * dayMs)
      for (let hour = since - 3_600_000; dayIn(hour) >= firstDay; hour -= 3_600_000) {
        const asked = askedAt(points, hour)
        if (asked !== null && (lowest === null || asked < lowest)) lowest = asked
      }
      const expected = lowest !== null && lowest > current ? lowest : null
      for (const euro of ['es', 'fr', 'de', 'it'] as const) {
        assert.equal(retailPrice(euro, points, now, true), expected)
        // Without a promotion it is shown for 30 days.
        const isRecent = now.getTime() - since <= 30 * dayMs
        assert.equal(retailPrice(euro, points, now), isRecent ? expected : null)
      }
    }),
    { numRuns: 150 },
  )
})

test('R-385 gb: a struck-through price applied just before, for 28 days or more, and for longer than the reduction', () => {
  fc.assert(
    fc.property(history, (points) => {
      const reference = retailPrice('gb', points, now)
      if (reference === null) return
      const current = askedAt(points, now.getTime())!
      assert.ok(reference > current)
      const hours = (price: number, from: number): number => {
        let count = 0
        while (askedAt(points, from - count * 3_600_000) === price) count += 1
        return count
      }
      const reduced = hours(current, now.getTime())
      const asked = hours(reference, now.getTime() - reduced * 3_600_000)
      assert.ok(asked >= 28 * 24 && asked >= reduced - 1)
    }),
    { numRuns: 500 },
  )
})

test('R-663 R-664 R-665 R-666 a countdown never shows 0, never overstates the time left, and is hidden beyond 6 days', () => {
  fc.assert(
    fc.property(market, fc.integer({ min: -5, max: 24 * 60 * 9 }), (of, minutes) => {
      const label = countdownLabel(of, new Date(now.getTime() + minutes * 60_000), now)
      assert.equal(label === null, minutes < 60 || minutes > 6 * 24 * 60)
      if (label === null) return
      const [, said = ''] = /(\d+)/.exec(label) ?? []
      const unit = minutes <= 72 * 60 ? 60 : 24 * 60
      assert.ok(Number(said) >= 1 && Number(said) * unit <= minutes && (Number(said) + 1) * unit > minutes)
    }),
  )
})

const operation = fc.record({
  id: fc.nat(),
  type: fc.constantFrom('blackfriday', 'sales', 'productdays', 'promo' as const),
  name: fc.constant('Name'),
  startsAt: instant,
  endsAt: instant,
})
const badgeCase = fc.record({
  sponsored: fc.boolean(),
  discount: fc.option(fc.integer({ min: 1, max: 90 })),
  operations: fc.array(operation, { maxLength: 4 }),
  promotionEndsAt: fc.option(instant),
  couponCode: fc.option(fc.constant('TOOLS10')),
  proAdvantagePercentage: fc.option(fc.integer({ min: 1, max: 40 })),
  isTopSale: fc.boolean(),
  isLocal: fc.boolean(),
  isEcoResponsible: fc.boolean(),
}) as fc.Arbitrary<BadgeCase>

test('R-388 R-399 R-400 badges: each once, in the fixed order, sponsored first, sales in season, a reduction shown once', () => {
  fc.assert(
    fc.property(market, badgeCase, fc.boolean(), instant, (of, given, business, at) => {
      const shown = badgesOf(of, given, { business }, at).map(({ type }) => type)
      assert.deepEqual(
        shown,
        badgeTypes.filter((type) => shown.includes(type)),
      )
      assert.equal(shown[0] === 'sponsored', given.sponsored)
      if (shown.includes('sales')) assert.ok(inSalesPeriod(of, at))
      if (shown.includes('is_local')) assert.equal(of, 'fr')
      if (shown.includes('proPriceAdvantage')) assert.ok(business)
      assert.ok(!(shown.includes('promo') && shown.includes('loweredprice')))
      if (shown.includes('loweredprice')) assert.notEqual(given.discount, null)
    }),
    { numRuns: 500 },
  )
})

test('R-400 the legal seasons, year by year: fr opens on Wednesdays for four weeks, it for sixty days, twice a year', () => {
  for (let year = 2024; year <= 2034; year += 1) {
    const seasons = (of: Market): { from: string; days: number }[] => {
      const found: { from: string; days: number }[] = []
      for (let day = `${year}-01-01`; day <= `${year}-12-31`; day = addDays(day, 1)) {
        if (!inSalesPeriod(of, new Date(`${day}T12:00:00Z`))) continue
        const last = found.at(-1)
        if (last && addDays(last.from, last.days) === day) last.days += 1
        else found.push({ from: day, days: 1 })
      }
      return found
    }
    const fr = seasons('fr')
    assert.deepEqual(
      fr.map(({ from, days }) => [weekday(from), days]),
      [
        [3, 28],
        [3, 28],
      ],
    )
    assert.ok(fr[0]!.from >= `${year}-01-06` && fr[0]!.from <= `${year}-01-12`, fr[0]!.from)
    assert.ok(fr[1]!.from >= `${year}-06-22` && fr[1]!.from <= `${year}-06-28`, fr[1]!.from)
    const it = seasons('it')
    assert.deepEqual(
      it.map(({ days }) => days),
      [60, 60],
    )
    assert.ok(isWorkingDay('it', it[0]!.from) && it[0]!.from < `${year}-01-06`)
    assert.deepEqual([weekday(it[1]!.from), it[1]!.from <= `${year}-07-07`], [6, true])
  }
})

const rule = fc.record({
  market: fc.constantFrom('de', 'fr' as const),
  categoryId: fc.constantFrom(null, 1, 11, 111, 2),
  rateBp,
  flag: fc.constant(null),
  validFrom: fc.constantFrom('2020-01-01', '2023-01-01', '2026-01-01', '2026-11-21', '2026-11-22'),
  validTo: fc.constantFrom(null, '2025-12-31', '2026-11-20', '2026-11-21'),
}) as fc.Arbitrary<VatRule>
const standard: VatRule = { market: 'de', categoryId: null, rateBp: 1_900, flag: null, validFrom: '2000-01-01', validTo: null }

test('R-712 the VAT of a category follows from the nearest valid rule, whatever order the rules are read in', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(rule, { selector: (one) => `${one.market}${one.categoryId}${one.validFrom}`, maxLength: 12 }),
      fc.nat(),
      (rules, turn) => {
        const path = [1, 11, 111]
        const all = [...rules, standard]
        const { rateBp: rate } = vatOf(all, 'de', path, now)
        const at = turn % all.length
        assert.equal(vatOf([...all.slice(at), ...all.slice(0, at)], 'de', path, now).rateBp, rate)
        const valid = all.filter(
          ({ market: of, validFrom, validTo }) => of === 'de' && validFrom <= '2026-11-21' && (validTo === null || validTo >= '2026-11-21'),
        )
        const nearest = [111, 11, 1, null].find((id) => valid.some(({ categoryId }) => categoryId === id))
        const latest = valid.filter(({ categoryId }) => categoryId === nearest).toSorted((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
        assert.equal(rate, latest[0]?.rateBp)
      },
    ),
    { numRuns: 500 },
  )
})

test('a day is the market’s own, around midnight and around clock changes', () => {
  assert.deepEqual(
    [localDay('es', new Date('2026-07-01T22:00:00Z')), localDay('gb', new Date('2026-07-01T22:00:00Z'))],
    ['2026-07-02', '2026-07-01'],
  )
  // Clocks go from 2 to 3 on the last Sunday of March, and from 3 back to 2 on that of October.
  assert.deepEqual(localTime('de', new Date('2026-03-29T00:59:00Z')), { day: '2026-03-29', hour: 1, minute: 59 })
  assert.deepEqual(localTime('de', new Date('2026-03-29T01:00:00Z')), { day: '2026-03-29', hour: 3, minute: 0 })
  assert.deepEqual(localTime('de', new Date('2026-10-25T00:30:00Z')), { day: '2026-10-25', hour: 2, minute: 30 })
  assert.deepEqual(localTime('de', new Date('2026-10-25T01:30:00Z')), { day: '2026-10-25', hour: 2, minute: 30 })
  assert.deepEqual(
    [addDays('2026-02-28', 1), addDays('2028-02-28', 1), addDays('2026-01-01', -1)],
    ['2026-03-01', '2028-02-29', '2025-12-31'],
  )
})

test('R-371 a parcel arrives on working days, never before it was ordered, marketplace logistics never later than others', () => {
  fc.assert(
    fc.property(market, instant, fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 8 })), (of, at, ends) => {
      const offer = { daysMin: Math.min(...ends), daysMax: Math.max(...ends) }
      const { from, to } = deliveryDays(of, offer, at)
      assert.ok(isWorkingDay(of, from) && isWorkingDay(of, to))
      assert.ok(localDay(of, at) <= from && from <= to)
      const own = deliveryDays(of, offer, at, true)
      assert.ok(own.from <= own.to && own.to <= to && own.from <= from)
      // Ordered later, it never arrives sooner.
      const later = deliveryDays(of, offer, new Date(at.getTime() + 6 * 3_600_000))
      assert.ok(later.from >= from && later.to >= to)
    }),
    { numRuns: 300 },
  )
})

test('R-376 a percentage off is whole, below 100, and never overstated', () => {
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [from, to] = [Math.max(a, b), Math.min(a, b)]
      const percent = percentOff(from, to)
      if (percent === null) assert.ok((from - to) * 100 < from)
      else assert.ok(percent >= 1 && percent < 100 && (from - to) * 100 >= percent * from && (from - to) * 100 < (percent + 1) * from)
    }),
  )
})
