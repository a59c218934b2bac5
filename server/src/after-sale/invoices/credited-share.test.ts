import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { refundEntries, type RefundLine } from '../../selling/refunds/refund-rule.ts'
import { creditedShare, isMoreToInvoice, shareAgain } from './credited-share.ts'
import { soldPart, type Sold } from './golden-cases.ts'
import { isSameRate, sumUp, type InvoiceDocument, type InvoiceKind } from './invoice.ts'
import { shareOf } from './sold-share.ts'

type Document = Pick<InvoiceDocument, 'kind' | 'lines' | 'charges' | 'vatRows' | 'totals'>
type Refunded = Omit<RefundLine, 'delivery'> & { delivery?: number }
const everything = 1_000_000

/** A part whose documents are issued one after another. */
function issuing(sold: readonly Sold[], delivery = 0) {
  const part = soldPart(sold, { delivery })
  const sales: Document[] = []
  const credits: Document[] = []
  const issued: Document[] = []
  const sumOf = (documents: readonly Document[], count: (document: Document) => number): number =>
    documents.reduce((all, document) => all + (document.kind === 'sale' ? -1 : 1) * count(document), 0)
  const documentOf = (kind: InvoiceKind, rows: Pick<Document, 'lines' | 'charges'>) => ({
    kind,
    ...rows,
    ...sumUp(rows.lines, rows.charges, true),
  })
  const send = (pieces: readonly number[], before: readonly number[] = []) => {
    const of = (counts: readonly number[]) => new Map(part.lines.map(({ offerId }, index) => [offerId, counts[index] ?? 0]))
    sales.push(documentOf('sale', shareOf(part, { before: of(before), now: of(pieces) }, 'domestic')))
  }
  const credit = (extra: number, lines: readonly Refunded[] = []): Document => {
    const whole = lines.map((line) => ({ delivery: 0, ...line }))
    const amount = whole.reduce((all, line) => all + line.goods + line.delivery, extra)
    const made = creditedShare({ amount, cause: 'return', lines: whole }, { invoices: sales, credits, issued, reduction: 'less' })
    const note = documentOf('credit-note', made)
    assert.equal(grossOf(note) + made.missing, amount, 'all of a refund is credited, or named as missing')
    assert.ok(made.missing >= 0)
    credits.push(note)
    issued.push(note)
    return note
  }
  const takeBack = (note: Document) => {
    credits.splice(credits.indexOf(note), 1)
    issued.push(documentOf('sale', shareAgain(note, { invoices: sales, credits, issued, noReduction: 'not less' })))
  }
  const giveBackAll = () => {
    const all = { goods: everything, delivery: everything }
    return credit(
      0,
      part.lines.map(({ offerId, quantity }) => ({ offerId, quantity, ...all })),
    )
  }
  return { part, sales, credits, issued, sumOf, send, credit, takeBack, giveBackAll }
}

const vatOf = ({ totals }: Document): number => totals.vat
const grossOf = ({ totals }: Document): number => totals.gross
/** Gross and VAT of each rate that are sold and not credited. */
function openByRate({ sales, issued }: { sales: readonly Document[]; issued: readonly Document[] }): number[][] {
  return (sales[0]?.vatRows ?? []).map((rate) => {
    const rows = [...sales, ...issued].flatMap(({ kind, vatRows }) =>
      vatRows.filter((row) => isSameRate(row, rate)).map(({ net, vat }) => (kind === 'sale' ? [net, vat] : [-net, -vat])),
    )
    return [0, 1].map((index) => rows.reduce((all, row) => all + (row[index] ?? 0), 0))
  })
}
const nothing = [0, 0]

test('a reduction that belongs to no line and then the return of everything credit the VAT of the sale, as the ledger books it', () => {
  for (const goodwill of [1, 2, 500, 998, 999, 1000, 5999]) {
    const shop = issuing([{ price: 6000, quantity: 1, rateBp: 2000 }])
    shop.send([1])
    const deemed = { ...shop.part, withheldVat: 1000 }
    const booked = (before: number, amount: number) =>
      refundEntries(deemed, before, amount).reduce((all, entry) => all + (entry.account === 'vat-on-sales' ? entry.amount : 0), 0)
    assert.equal(vatOf(shop.credit(goodwill)), booked(0, goodwill), `${goodwill}`)
    assert.equal(vatOf(shop.giveBackAll()), booked(goodwill, 6000 - goodwill), `${goodwill}`)
    assert.deepEqual([shop.sumOf(shop.credits, grossOf), shop.sumOf(shop.credits, vatOf)], [6000, 1000], `${goodwill}`)
  }
})

test('goodwill and returns by piece credit, document by document, the VAT that the ledger books', () => {
  const steps = fc.array(fc.record({ goodwill: fc.nat(400), goods: fc.nat(900) }), { maxLength: 8 })
  fc.assert(
    fc.property(steps, fc.constantFrom(2000, 1900, 550), fc.integer({ min: 1, max: 5000 }), (wishes, rateBp, price) => {
      const shop = issuing([{ price, quantity: 3, rateBp }])
      shop.send([3])
      const deemed = { ...shop.part, withheldVat: shop.part.lines[0]?.vat ?? 0 }
      let booked = 0
      const follow = (note: Document) => {
        const before = shop.sumOf(shop.credits, grossOf) - grossOf(note)
        for (const { account, amount } of refundEntries(deemed, before, grossOf(note))) if (account === 'vat-on-sales') booked += amount
        assert.equal(shop.sumOf(shop.credits, vatOf), booked)
      }
      for (const { goodwill, goods } of wishes) follow(shop.credit(goodwill, [{ offerId: '100', quantity: 1, goods }]))
      follow(shop.giveBackAll())
    }),
    { numRuns: 500 },
  )
})

test('a reduction that belongs to no line falls on what is left of each rate: goods that came back are not made cheaper', () => {
  const shop = issuing([
    { price: 6000, quantity: 1, rateBp: 2000 },
    { price: 3000, quantity: 1, rateBp: 550 },
  ])
  shop.send([1, 1])
  shop.credit(0, [{ offerId: '100', quantity: 1, goods: 6000 }])
  const later = shop.credit(500)
  assert.deepEqual(
    later.lines.map(({ rateBp, gross }) => [rateBp, gross]),
    [[550, 500]],
  )
})

test('goods of one rate that come back after a reduction leave nothing at their rate; the reduction stays on what was kept', () => {
  const shop = issuing([
    { price: 6000, quantity: 1, rateBp: 2000 },
    { price: 3000, quantity: 1, rateBp: 550 },
  ])
  shop.send([1, 1])
  shop.credit(900)
  const back = shop.credit(0, [{ offerId: '100', quantity: 1, goods: 6000 }])
  assert.deepEqual(
    back.lines.map(({ id, rateBp, gross }) => [id, rateBp, gross]),
    [
      ['100', 2000, 5400],
      ['reduction', 550, 600],
    ],
  )
  assert.deepEqual(openByRate(shop)[0], nothing)
  const last = shop.giveBackAll()
  assert.equal(grossOf(last), 2100)
  assert.deepEqual(openByRate(shop), [nothing, nothing])
})

const step = fc.record({
  index: fc.nat(3),
  goods: fc.oneof(fc.nat(20), fc.nat(9000)),
  delivery: fc.nat(600),
  extra: fc.oneof(fc.nat(3), fc.nat(700)),
  isDropped: fc.boolean(),
})
const soldLine = fc
  .record({
    price: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9999 })),
    quantity: fc.integer({ min: 1, max: 4 }),
    rateBp: fc.constantFrom(2000, 550, 0),
    discount: fc.nat(300),
  })
  .map((line): Sold => ({ ...line, discount: Math.min(line.discount, line.price * line.quantity - 1) }))

test('whatever is refunded, reduced and found not to be owed, in whatever order and however many parcels, nothing is left once everything is credited', () => {
  const steps = fc.array(step, { maxLength: 12 })
  fc.assert(
    fc.property(
      fc.array(soldLine, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0, 490),
      steps,
      fc.nat(12),
      (sold, fee, wishes, second) => {
        const shop = issuing(sold, fee)
        const first = sold.map(({ quantity }) => Math.ceil(quantity / 2))
        shop.send(first)
        const notes: Document[] = []
        for (const [at, { index, goods, delivery, extra, isDropped }] of wishes.entries()) {
          if (at === second)
            shop.send(
              sold.map(({ quantity }, line) => quantity - (first[line] ?? 0)),
              first,
            )
          const dropped = isDropped ? notes.shift() : undefined
          if (dropped) shop.takeBack(dropped)
          else notes.push(shop.credit(extra, [{ offerId: String(100 + index), quantity: 1, goods, delivery }]))
          for (const { lines, charges } of shop.issued)
            for (const { net, vat, gross } of [...lines, ...charges]) assert.ok(net >= 0 && vat >= 0 && gross > 0 && net + vat === gross)
          for (const open of openByRate(shop)) assert.ok(open.every((amount) => amount >= 0))
        }
        shop.giveBackAll()
        for (const open of openByRate(shop)) assert.deepEqual(open, nothing)
      },
    ),
    { numRuns: 2000 },
  )
})

test('a refund larger than what is invoiced is credited whole once the next parcel is', () => {
  const shop = issuing([{ price: 1299, quantity: 3, rateBp: 2000 }], 490)
  shop.send([1])
  const wanted = { amount: 2000, cause: 'goodwill' as const, lines: [] }
  const missing = () => creditedShare(wanted, { invoices: shop.sales, credits: [], issued: [], reduction: 'less' }).missing
  assert.equal(missing(), 2000 - 1789)
  shop.send([2], [1])
  assert.equal(missing(), 0)
})

test('more of a part can be invoiced while pieces that are neither cancelled nor refused have no invoice', () => {
  const of = (quantities: Parameters<typeof isMoreToInvoice>[0][number]['quantities'], invoiced: number) =>
    isMoreToInvoice([{ offerId: '1', quantities }], new Map([['1', invoiced]]))
  assert.equal(of({ pending: 1, shipped: 1 }, 1), true)
  assert.equal(of({ shipped: 2 }, 1), true, 'sent, and not invoiced yet')
  assert.equal(of({ cancelled: 1, refused: 1, closed: 1 }, 1), false)
  assert.equal(of({ accepted: 1, delivered: 1 }, 2), false, 'lost, and sent again')
})
