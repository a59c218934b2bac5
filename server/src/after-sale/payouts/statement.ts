import type PDFDocument from 'pdfkit'
import { Readable } from 'node:stream'
import { markets, type Market } from '@purlin/contract/markets.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { putFile } from '#files'
import { fontFile, runsOf } from '#invoices'
import { loadLate, settings, type Db } from '#platform'
import { decimal, showMoney } from '#pricing'
import { knownSellers } from '#sellers'
import type { Payout, PayoutLine } from './payout.ts'
import { readLines } from './sale-store.ts'

/** The PDF lists this many sales; the table has them all. */
const listed = 400
const page = 500

/** The market in whose language a seller is written to, and whose currency the payout has. */
export function marketOfPayout({ currency }: Pick<Payout, 'currency'>, country: string): Market {
  if (currency === 'GBP') return 'gb'
  const own = country.toLowerCase()
  return own === 'fr' || own === 'de' || own === 'es' || own === 'it' ? own : 'de'
}

async function* linesOf(db: Db, { runId, sellerId }: Payout): AsyncGenerator<PayoutLine> {
  let after = ''
  for (let rows = await readLines(db, { runId, sellerId }, after, page); rows.length > 0;) {
    yield* rows
    after = rows.at(-1)?.sellerOrderId ?? ''
    rows = rows.length < page ? [] : await readLines(db, { runId, sellerId }, after, page)
  }
}

/** Lines as the object store takes them. */
export async function* bytesOf(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const line of lines) yield Buffer.from(line)
}

/** Machine-readable, the same columns in every language. */
async function* csvRows(db: Db, payout: Payout): AsyncGenerator<string> {
  yield 'order,seller_order,market,currency,sold,commission,commission_vat,refunded,amount,withheld_vat\r\n'
  for await (const { customerOrderId, sellerOrderId, market, sold, commission, commissionVat, withheldVat, refunded, amount } of linesOf(
    db,
    payout,
  ))
    yield `${[customerOrderId, sellerOrderId, market, payout.currency, ...[sold, commission, commissionVat, refunded, amount, withheldVat].map(decimal)].join()}\r\n`
}

const edge = { left: 50, right: 545, top: 50, bottom: 780 }
type Pdf = InstanceType<typeof PDFDocument>

function write(
  pdf: Pdf,
  text: string,
  x: number,
  width: number,
  { size = 9, isBold = false, align = 'left' }: { size?: number; isBold?: boolean; align?: 'left' | 'right' } = {},
): void {
  const y = pdf.y
  const runs = runsOf(text)
  pdf.fontSize(size)
  runs.forEach((run, index) => {
    pdf.font(isBold ? (run.isExtended ? 'boldExt' : 'bold') : run.isExtended ? 'regularExt' : 'regular')
    const style = { width, align, continued: index < runs.length - 1, lineGap: 2 }
    if (index === 0) pdf.text(run.text, x, y, style)
    else pdf.text(run.text, style)
  })
}

/** A row of cells; returns with the pen below it. */
function row(pdf: Pdf, cells: readonly { text: string; x: number; width: number; align?: 'left' | 'right'; isBold?: boolean }[]): void {
  if (pdf.y > edge.bottom - 20) pdf.addPage()
  const top = pdf.y
  let below = top
  for (const { text, x, width, ...style } of cells) {
    pdf.y = top
    write(pdf, text, x, width, style)
    below = Math.max(below, pdf.y)
  }
  pdf.y = below + 3
}

async function drawStatement(db: Db, payout: Payout, market: Market, seller: { name: string; legalName: string }): Promise<Buffer> {
  const t = wordsFor(market)
  const money = (amount: number): string => showMoney(market, amount).formatted
  const { number, createdAt, opening, settled, amount, closing, bankEnd } = payout
  const info = {
    Title: t('payout.statement.heading', { number, date: createdAt }),
    Creator: 'Purlin',
    Producer: 'Purlin',
    CreationDate: createdAt,
    ModDate: createdAt,
  }
  const Pdf = loadLate<typeof PDFDocument>('pdfkit')
  const pdf = new Pdf({ size: 'A4', margins: { top: 50, bottom: 40, left: 50, right: 50 }, lang: markets[market].locale, info })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const drawn = new Promise<Buffer>((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  for (const cut of ['regular', 'regularExt', 'bold', 'boldExt'] as const) pdf.registerFont(cut, fontFile(cut))
  const whole = edge.right - edge.left
  write(pdf, settings().operator.name, edge.left, whole, { size: 16, isBold: true })
  write(pdf, t('payout.statement.heading', { number, date: createdAt }), edge.left, whole, { size: 12 })
  pdf.y += 12
  write(pdf, seller.legalName, edge.left, whole, { isBold: true })
  pdf.y += 12
  const sum = (label: string, value: number, isBold = false): void =>
    row(pdf, [
      { text: label, x: edge.left, width: 300, isBold },
      { text: money(value), x: 400, width: 145, align: 'right', isBold },
    ])
  sum(t('payout.statement.opening'), opening)
  sum(t('payout.statement.settled'), settled)
  sum(bankEnd === null ? t('payout.statement.nothing-paid') : t('payout.statement.paid', { end: bankEnd }), amount, true)
  sum(t('payout.statement.closing'), closing)
  pdf.y += 14
  const columns = [
    { x: edge.left, width: 130 },
    { x: 185, width: 65, align: 'right' },
    { x: 255, width: 65, align: 'right' },
    { x: 325, width: 70, align: 'right' },
    { x: 400, width: 70, align: 'right' },
    { x: 475, width: 70, align: 'right' },
  ] as const
  const table = (texts: readonly string[], isBold = false): void =>
    row(
      pdf,
      columns.map((column, index) => ({ ...column, text: texts[index] ?? '', isBold })),
    )
  table(
    [
      t('payout.statement.order'),
      t('payout.statement.sold'),
      t('payout.statement.commission'),
      t('payout.statement.withheld-vat'),
      t('payout.statement.refunded'),
      t('payout.statement.amount'),
    ],
    true,
  )
  let count = 0
  for await (const line of linesOf(db, payout)) {
    count += 1
    if (count > listed) break
    const { sellerOrderId, sold, commission, commissionVat, withheldVat, refunded } = line
    table([sellerOrderId, ...[sold, -commission - commissionVat, -withheldVat, -refunded, line.amount].map(money)])
  }
  if (count === 0) write(pdf, t('payout.statement.no-lines'), edge.left, whole)
  if (count > listed) write(pdf, t('payout.statement.more'), edge.left, whole)
  pdf.end()
  return drawn
}

/** Draws the statement and puts it into the object store: a PDF for people and a table with every sale. */
export async function putStatement(db: Db, payout: Payout): Promise<{ pdf: string; csv: string }> {
  const seller = (await knownSellers({ db }, [payout.sellerId])).get(payout.sellerId)
  const named = seller ?? { name: `${payout.sellerId}`, legalName: `${payout.sellerId}`, country: '' }
  const owner = `payout:${payout.id}`
  const name = `payout-${payout.number}`
  const pdf = await drawStatement(db, payout, marketOfPayout(payout, named.country), named)
  const files = [
    await putFile(db, Readable.from([pdf]), { kind: 'payout', owner, type: 'application/pdf', name: `${name}.pdf` }),
    await putFile(db, bytesOf(csvRows(db, payout)), { kind: 'payout', owner, type: 'text/csv', name: `${name}.csv` }),
  ]
  const [first, second] = files.map((put) => {
    if (!put.ok) throw new Error(`The object store refused a statement: ${put.reason}`)
    return put.file.key
  })
  return { pdf: first ?? '', csv: second ?? '' }
}
