import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { marketCodes, modes, type Market, type Mode } from '@purlin/contract/markets.ts'
import { detailPrices } from './detail-price.ts'
import { amountIn, formatMoney, formatReduction } from './money-format.ts'
import { askedPrice, percentOff, priceBlock, priceWithVat, proAdvantagePercentage, type PriceCase } from './price-block.ts'
import { priceDisplay } from './tax-mode.ts'

const nbsp = '\u00a0'
const narrow = '\u202f'
const display = (market: Market, mode: Mode, prefersVat = false) => priceDisplay({ market, mode, prefersVat })
const drill: PriceCase = {
  price: 11_900,
  proPrice: null,
  retailPrice: null,
  sellerCountry: 'DE',
  vat: { rateBp: 1900, hasNoVATForDE: false },
  unit: null,
  range: null,
}

test('R-379 an amount has integer, decimal, text and number, each in the market’s format', () => {
  const written = Object.fromEntries(marketCodes.map((market) => [market, amountIn(market, 123_450)]))
  assert.deepEqual(written, {
    es: { integer: '1234', decimal: '50', asString: `1234,50${nbsp}€`, asFloat: 1234.5 },
    fr: { integer: `1${narrow}234`, decimal: '50', asString: `1${narrow}234,50${nbsp}€`, asFloat: 1234.5 },
    gb: { integer: '1,234', decimal: '50', asString: '£1,234.50', asFloat: 1234.5 },
    de: { integer: '1.234', decimal: '50', asString: `1.234,50${nbsp}€`, asFloat: 1234.5 },
    it: { integer: '1234', decimal: '50', asString: `1234,50${nbsp}€`, asFloat: 1234.5 },
  })
})

test('a price block tells the price with VAT in minor units, in whichever tax mode it is shown', () => {
  for (const mode of modes) assert.equal(priceWithVat(priceBlock(display('de', mode), drill)), 11_900, mode)
})

test('R-379 es and it group from five digits on, and not before', () => {
  for (const market of ['es', 'it'] as const) {
    assert.equal(amountIn(market, 999_999).integer, '9999')
    assert.equal(amountIn(market, 1_000_000).integer, '10.000')
  }
})

test('money in a currency other than the market’s is refused', () => {
  assert.equal(formatMoney({ amount: 5, currency: 'GBP' }, 'gb'), '£0.05')
  assert.throws(() => formatMoney({ amount: 5, currency: 'EUR' }, 'gb'))
  assert.throws(() => amountIn('gb', 1.5), /whole number/)
})

test('text and number of an amount agree to the cent', () => {
  fc.assert(
    fc.property(fc.constantFrom(...marketCodes), fc.integer({ min: 0, max: 2_000_000_000 }), (market, minor) => {
      const { integer, decimal, asFloat } = amountIn(market, minor)
      assert.equal(Number(integer.replace(/\D/g, '')) * 100 + Number(decimal), minor)
      assert.equal(Math.round(asFloat * 100), minor)
      assert.equal(decimal.length, 2)
    }),
  )
})

test('R-373 R-020 a consumer sees the price with VAT and no other', () => {
  const block = priceBlock(display('de', 'b2c'), drill)
  assert.equal(block.main.asString, `119,00${nbsp}€`)
  assert.equal(block.taxKey, 'with_vat')
  assert.equal(block.secondary, null)
})

test('R-375 R-384 a professional sees the net price, with the gross price in small print', () => {
  const block = priceBlock(display('de', 'b2b'), drill)
  assert.deepEqual([block.main.asString, block.secondary?.asString, block.taxKey], [`100,00${nbsp}€`, `119,00${nbsp}€`, 'without_vat'])
})

test('R-022 R-375 in gb a professional sees the gross price, with the net price in small print', () => {
  const block = priceBlock(display('gb', 'b2b'), {
    ...drill,
    price: 12_000,
    sellerCountry: 'GB',
    vat: { rateBp: 2000, hasNoVATForDE: false },
  })
  assert.deepEqual([block.main.asString, block.secondary?.asString, block.taxKey], ['£120.00', '£100.00', 'with_vat'])
})

test('R-374 R-376 a reduction shows the retail price in the tax mode of the main price, and whole percent rounded down', () => {
  const reduced = { ...drill, retailPrice: 14_000 }
  const consumer = priceBlock(display('de', 'b2c'), reduced)
  assert.deepEqual([consumer.retail?.asFloat, consumer.discount], [140, 15])
  const professional = priceBlock(display('de', 'b2b'), reduced)
  assert.deepEqual([professional.retail?.asFloat, professional.discount], [117.65, 15])
})

test('R-374 R-376 without a reduction there is neither retail price nor discount', () => {
  for (const retailPrice of [null, 11_900, 11_000]) {
    const block = priceBlock(display('de', 'b2c'), { ...drill, retailPrice })
    assert.deepEqual([block.retail, block.discount], [null, null])
  }
})

test('R-377 R-386 goods sold by volume show the price per litre in the tax mode of the main price', () => {
  const paint: PriceCase = { ...drill, price: 2_499, unit: { measure: 'l', quantityMilli: 2_500 } }
  assert.equal(priceBlock(display('de', 'b2c'), paint).unit?.label, `10,00${nbsp}€ /L`)
  assert.equal(priceBlock(display('de', 'b2b'), paint).unit?.label, `8,40${nbsp}€ /L`)
  assert.equal(priceBlock(display('de', 'b2c'), { ...paint, unit: { measure: 'm2', quantityMilli: 1_785 } }).unit?.unit, 'm2')
})

test('R-378 R-685 under the zero rate net equals gross: one price, and the note', () => {
  const block = priceBlock(display('de', 'b2b'), { ...drill, vat: { rateBp: 0, hasNoVATForDE: true } })
  assert.deepEqual([block.hasNoVATForDE, block.main.asFloat, block.secondary], [true, 119, null])
  assert.equal(priceBlock(display('de', 'b2b'), drill).hasNoVATForDE, false)
  assert.deepEqual([block.isZeroRated, priceBlock(display('de', 'b2b'), drill).isZeroRated], [true, false])
})

test('R-379 R-387 a model with several prices shows a range, one with a single price does not', () => {
  const range = { min: 11_900, max: 23_800 }
  assert.deepEqual(priceBlock(display('de', 'b2b'), { ...drill, range }).main.ranges, { min: `100,00${nbsp}€`, max: `200,00${nbsp}€` })
  assert.equal(priceBlock(display('de', 'b2b'), { ...drill, range: { min: 11_900, max: 11_900 } }).main.ranges, null)
})

test('R-023 R-363 the pro saving is the amount by which a professional pays less, and only professionals see it', () => {
  const offer = { price: 10_000, proPrice: 9_150 }
  assert.equal(proAdvantagePercentage(offer), 8)
  assert.equal(proAdvantagePercentage({ price: 10_000, proPrice: null }), null)
  assert.equal(proAdvantagePercentage({ price: 10_000, proPrice: 9_950 }), null)
  assert.equal(askedPrice(display('fr', 'b2b'), offer), 9_150)
  assert.equal(askedPrice(display('fr', 'b2c'), offer), 10_000)
  assert.equal(askedPrice(display('fr', 'b2b'), { price: 10_000, proPrice: 12_000 }), 10_000)
})

test('R-380 R-381 R-382 the detail source has both prices and the seller’s country', () => {
  const source = detailPrices(display('de', 'b2b'), drill)
  assert.deepEqual(source, {
    per_item: { actual_price: { with_vat: { as_float: 119 }, without_vat: { as_float: 100 } } },
    seller_country_id: 'DE',
  })
})

test('price block and detail source agree in every case', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...marketCodes),
      fc.constantFrom(...modes),
      fc.boolean(),
      fc.constantFrom('ES', 'FR', 'GB', 'DE', 'IT'),
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.constantFrom(0, 700, 1900, 2000, 2100, 2200),
      (market, mode, prefersVat, sellerCountry, price, rateBp) => {
        const offer = { ...drill, price, sellerCountry, vat: { rateBp, hasNoVATForDE: false } }
        const viewer = display(market, mode, prefersVat)
        const block = priceBlock(viewer, offer)
        const { actual_price: both } = detailPrices(viewer, offer).per_item
        assert.equal(block.main.asFloat, both[block.taxKey].as_float)
        if (block.secondary) assert.notEqual(block.secondary.asFloat, block.main.asFloat)
      },
    ),
  )
})

test('a discount is never overstated', () => {
  assert.deepEqual([percentOff(100, 67), percentOff(300, 200), percentOff(1_000, 995)], [33, 33, null])
  assert.equal(formatReduction('gb', 15), '-15%')
  assert.equal(formatReduction('de', 15), `-15${nbsp}%`)
})

test('V-31 goods sold in packs alone show the price of a pack; single pieces, and a pack of one, show none', () => {
  const packOf = (bulk?: number | null) => priceBlock(display('gb', 'b2c'), { ...drill, ...(bulk !== undefined && { bulk }) }).pack
  assert.deepEqual(
    [packOf(), packOf(null), packOf(1), packOf(2)?.quantity, packOf(2)?.amount.asString, packOf(6)?.amount.asString],
    [null, null, null, 2, '£238.00', '£714.00'],
  )
})
