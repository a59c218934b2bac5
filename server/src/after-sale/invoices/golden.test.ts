import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { refundOfUnits } from '#refunds'
import { drawPdf } from './draw-pdf.ts'
import { brokenRules } from './en16931-rules.ts'
import { facturX } from './factur-x.ts'
import { goldenCases, soldPart } from './golden-cases.ts'
import { runsOf } from './invoice-font.ts'
import { describeInvoice } from './invoice-text.ts'
import { sumUp } from './invoice.ts'
import { modelOfCii, modelOfUbl } from './read-xml.ts'
import { shareOf } from './sold-share.ts'
import { taxTreatments, treatmentOf } from './tax-treatment.ts'
import { ubl } from './ubl.ts'

const file = join(import.meta.dirname, 'golden.json')
const made = Object.fromEntries(
  Object.entries(goldenCases).map(([name, invoice]) => {
    const { totals, vatRows, treatment } = invoice
    const { title, onBehalf, parties, table, totals: shown, notes } = describeInvoice(invoice)
    return [
      name,
      {
        treatment,
        totals,
        vatRows,
        text: { title, onBehalf, parties, rows: table.rows, totals: shown, notes },
        cii: facturX(invoice),
        ubl: ubl(invoice),
      },
    ]
  }),
)
// `GOLDEN=write npm test -- golden` writes the files anew; read the diff before you commit it.
if (process.env['GOLDEN'] === 'write') writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`)
const kept: Record<string, object> = JSON.parse(readFileSync(file, 'utf8'))

for (const [name, invoice] of Object.entries(goldenCases)) {
  test(`golden case ${name}: treatment, amounts, text and both XML documents are as they were approved`, () => {
    assert.deepEqual(JSON.parse(JSON.stringify(made[name])), kept[name])
  })

  test(`${name}: both syntaxes say the same, and keep the rules of EN 16931`, () => {
    const cii = modelOfCii(facturX(invoice))
    assert.deepEqual(modelOfUbl(ubl(invoice)), cii)
    assert.deepEqual(brokenRules(cii), [])
  })
}

test('sixteen golden cases show every treatment', () => {
  assert.equal(Object.keys(kept).length, 16)
  assert.deepEqual(new Set(Object.values(goldenCases).map(({ treatment }) => treatment)), new Set(taxTreatments))
})

test('R-712 goods at the German zero rate are invoiced without VAT, with the note the law wants', () => {
  const zero = goldenCases['de, zero rate of solar goods']
  assert.ok(zero)
  assert.deepEqual([zero.totals.vat, zero.totals.gross, zero.vatRows[0]?.category], [0, 104_790, 'Z'])
  assert.ok(describeInvoice(zero).notes.join().includes('§ 12 Abs. 3 UStG'))
})

test('R-524 the treatment of every pair of countries, with and without a confirmed VAT number', () => {
  const of = (sellerCountry: string, destination: string, confirmedVatNumber: string | null = null) =>
    treatmentOf({ sellerCountry, destination, confirmedVatNumber, isDeemedSupply: false })
  assert.deepEqual([of('GB', 'GB'), of('FR', 'FR'), of('FR', 'FR', 'FR12123456789')], ['gb', 'domestic', 'domestic'])
  assert.deepEqual(
    [of('DE', 'FR'), of('DE', 'FR', 'FR12123456789'), of('DE', 'FR', 'EL123456789')],
    ['oss', 'reverse-charge', 'reverse-charge'],
  )
  // A number of the seller's own country, or of none of the Union, changes nothing.
  assert.deepEqual([of('DE', 'FR', 'DE123456789'), of('DE', 'FR', 'GB123456789')], ['oss', 'oss'])
  // What the seller imports is sold in the country it goes to.
  assert.deepEqual([of('DE', 'GB', 'GB123456789'), of('GB', 'DE', 'DE123456789')], ['gb', 'domestic'])
  const imported = { sellerCountry: 'DE', destination: 'GB', confirmedVatNumber: null, isDeemedSupply: true }
  assert.equal(treatmentOf(imported), 'deemed-supplier')
})

const line = fc.record({
  price: fc.integer({ min: 1, max: 500_000 }),
  quantity: fc.integer({ min: 1, max: 30 }),
  rateBp: fc.constantFrom(0, 400, 500, 550, 1000, 1900, 2000, 2100, 2200),
  off: fc.double({ min: 0, max: 1, noNaN: true }),
})

test('in whatever parcels an order is sent, its invoices have the amounts of the order to the cent', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.boolean(),
      fc.constantFrom('domestic', 'reverse-charge'),
      fc.array(fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 5, maxLength: 5 }), { maxLength: 6 }),
      (sold, delivery, isFree, treatment, parcels) => {
        const part = soldPart(
          sold.map(({ off, ...each }) => ({ ...each, discount: Math.floor(each.price * each.quantity * off) })),
          { delivery, deliveryDiscount: isFree ? delivery : 0 },
        )
        const before = new Map<string, number>()
        let net = 0
        let vat = 0
        const everything = part.lines.map(({ quantity }) => quantity)
        for (const parcel of [...parcels, everything]) {
          const now = new Map(part.lines.map(({ offerId }, index) => [offerId, parcel[index] ?? 0]))
          const { lines, charges } = shareOf(part, { before, now }, treatment)
          for (const { id, quantity, listNet, discountNet, net: own, gross } of lines) {
            before.set(id, (before.get(id) ?? 0) + quantity)
            assert.ok(discountNet >= 0 && listNet - discountNet === own && gross >= 0)
          }
          const { totals } = sumUp(lines, charges, true)
          assert.equal(totals.net + totals.vat, totals.gross)
          net += totals.net
          vat += totals.vat
        }
        assert.deepEqual(
          part.lines.map(({ offerId }) => before.get(offerId)),
          everything,
        )
        assert.equal(net + vat, part.total)
        if (treatment === 'reverse-charge') assert.equal(vat, 0)
        else if (part.delivery === 0 || isFree)
          assert.equal(
            vat,
            part.lines.reduce((all, each) => all + each.vat, 0),
          )
      },
    ),
    { numRuns: 2000 },
  )
})

test('what is invoiced and what is cancelled add up to what was paid for the goods, whichever comes first, with any coupon', () => {
  const step = fc.record({ isSent: fc.boolean(), pieces: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(line, fc.array(step, { maxLength: 12 }), ({ off, ...each }, steps) => {
      const part = soldPart([{ ...each, discount: Math.floor(each.price * each.quantity * off) }], { delivery: 0, deliveryDiscount: 0 })
      const [sold] = part.lines
      assert.ok(sold)
      const { offerId, quantity, total, discount } = sold
      let [sent, cancelled, invoiced, refunded] = [0, 0, 0, 0]
      for (const { isSent, pieces } of [...steps, { isSent: true, pieces: quantity }]) {
        const units = Math.min(pieces, quantity - sent - cancelled)
        if (units === 0) continue
        if (isSent) {
          const { lines } = shareOf(part, { before: new Map([[offerId, sent]]), now: new Map([[offerId, units]]) }, 'domestic')
          invoiced += lines.reduce((all, { gross }) => all + gross, 0)
          sent += units
        } else {
          const before = [{ offerId, quantity: cancelled, cancelled, goods: refunded, delivery: 0 }]
          refunded += refundOfUnits(part, before, [{ offerId, quantity: units }], 'full', false)[0]?.goods ?? 0
          cancelled += units
        }
      }
      assert.equal(invoiced + refunded, total - discount)
    }),
    { numRuns: 2000 },
  )
})

test('the PDF is PDF/A-3b: fonts and colours embedded, the XML attached as an alternative, the metadata of Factur-X in it', async () => {
  const invoice = goldenCases['fr, three rates']
  assert.ok(invoice)
  const xml = facturX(invoice)
  const pdf = await drawPdf(invoice, xml)
  const plain = pdf.toString('latin1')
  for (const part of [
    '<pdfaid:part>3',
    '<pdfaid:conformance>B',
    '<fx:ConformanceLevel>EN 16931',
    '/AFRelationship /Alternative',
    '/GTS_PDFA1',
    '(factur-x.xml)',
  ])
    assert.ok(plain.includes(part), part)
  assert.match(plain, /\/AF \[/)
  assert.doesNotMatch(plain, /\/Encrypt|\/JavaScript|Helvetica/)
  const fonts = [...plain.matchAll(/\/Type \/FontDescriptor[\s\S]*?>>/g)]
  assert.ok(fonts.length >= 2 && fonts.every(([text]) => text.includes('/FontFile2')), 'every font is embedded')
  const streams = [...plain.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, bytes = '']) => Buffer.from(bytes, 'latin1'))
  const texts = streams.map((bytes) => {
    try {
      return inflateSync(bytes).toString()
    } catch {
      return ''
    }
  })
  assert.ok(texts.includes(xml), 'the attached XML is the Factur-X document, byte by byte')
  assert.deepEqual(await drawPdf(invoice, xml).then((again) => again.length), pdf.length)
})

test('names of all five countries and their neighbours are drawn; letters the typeface lacks are replaced, never missing', () => {
  const drawn = (text: string) =>
    runsOf(text)
      .map((run) => run.text)
      .join('')
  for (const name of ['Müller & Söhne', 'Œuvre d’Été', 'Año Núñez', 'Narzędzia Łódź', 'Škoda Dvořák', '1 234,50 €'])
    assert.equal(drawn(name).replace(/\s/g, ' '), name.replace(/\s/g, ' '))
  assert.equal(drawn('Ḿarta 中文'), 'Marta ??')
})
