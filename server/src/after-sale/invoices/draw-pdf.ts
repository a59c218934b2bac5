import PDFDocument from 'pdfkit'
import { markets } from '@purlin/contract/markets.ts'
import { fontFile, runsOf, type Cut } from './invoice-font.ts'
import { describeInvoice, type TextTable } from './invoice-text.ts'
import type { InvoiceDocument } from './invoice.ts'
import { facturXMetadata } from './factur-x.ts'

const page = { left: 50, right: 545, top: 50, bottom: 770 }
const ink = '#1c1f23'
const quiet = '#565d66'

/**
 * The invoice as PDF/A-3b with the XML of EN 16931 inside (Factur-X): people and programs read the same document. It depends
 * on its document alone, so that drawing it again gives the same page.
 */
export function drawPdf(invoice: InvoiceDocument, xml: string): Promise<Buffer> {
  const made = new Date(`${invoice.issuedOn}T12:00:00Z`)
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: markets[invoice.market].locale,
    bufferPages: true,
    info: { Title: invoice.number, Creator: 'Purlin', Producer: 'Purlin', CreationDate: made, ModDate: made },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const drawn = new Promise<Buffer>((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  for (const cut of ['regular', 'regularExt', 'bold', 'boldExt'] as const) pdf.registerFont(cut, fontFile(cut))
  // The types of pdfkit do not know `relationship` yet.
  const attached = { name: 'factur-x.xml', type: 'text/xml', relationship: 'Alternative', description: 'Factur-X' }
  const dated = { ...attached, creationDate: made, modifiedDate: made }
  pdf.file(Buffer.from(xml), dated)
  pdf.appendXML(facturXMetadata)
  draw(pdf, invoice)
  pdf.end()
  return drawn
}

type Pdf = InstanceType<typeof PDFDocument>

interface Style {
  x: number
  width: number
  size?: number
  isBold?: boolean
  isQuiet?: boolean
  align?: 'left' | 'right'
}

/** Writes a text at a height and returns the height below it. */
function write(pdf: Pdf, text: string, y: number, { x, width, size = 9, isBold = false, isQuiet = false, align = 'left' }: Style): number {
  pdf.fontSize(size).fillColor(isQuiet ? quiet : ink)
  const runs = runsOf(text)
  const [family, extended]: [Cut, Cut] = isBold ? ['bold', 'boldExt'] : ['regular', 'regularExt']
  pdf.font(family)
  const only = runs[0]
  if (!only) return y + pdf.currentLineHeight(true)
  pdf.x = x
  pdf.y = y
  runs.forEach((run, index) => {
    const continued = index < runs.length - 1
    pdf.font(run.isExtended ? extended : family)
    if (index === 0) pdf.text(run.text, x, y, { width, align, continued, lineGap: 2 })
    else pdf.text(run.text, { width, align, continued, lineGap: 2 })
  })
  return pdf.y
}

function rule(pdf: Pdf, y: number, weight = 0.5): void {
  pdf.moveTo(page.left, y).lineTo(page.right, y).lineWidth(weight).strokeColor(ink).stroke()
}

function draw(pdf: Pdf, invoice: InvoiceDocument): void {
  const text = describeInvoice(invoice)
  const whole = page.right - page.left
  let y = write(pdf, text.seller, page.top, { x: page.left, width: 260, size: 16, isBold: true })
  const below = write(pdf, text.title, page.top, { x: 320, width: 225, size: 16, isBold: true, align: 'right' })
  y = Math.max(y, write(pdf, invoice.number, below, { x: 320, width: 225, isQuiet: true, align: 'right' }))
  y = write(pdf, text.onBehalf, y + 4, { x: page.left, width: whole, size: 8, isQuiet: true }) + 18

  const columns = text.parties.length
  const width = whole / columns - 12
  let lowest = y
  text.parties.forEach(({ title, lines }, index) => {
    const x = page.left + index * (width + 12)
    let at = write(pdf, title, y, { x, width, size: 8, isQuiet: true }) + 2
    lines.forEach((line, number) => {
      at = write(pdf, line, at, { x, width, isBold: number === 0 })
    })
    lowest = Math.max(lowest, at)
  })
  y = lowest + 16
  for (const [label, value] of text.facts) {
    write(pdf, label, y, { x: page.left, width: 130, isQuiet: true })
    y = write(pdf, value, y, { x: page.left + 135, width: whole - 135 })
  }
  y = drawTable(pdf, text.table, y + 18)
  y = drawTotals(pdf, text.totals, y + 10)
  for (const note of text.notes) {
    if (y > page.bottom - 40) y = newPage(pdf)
    y = write(pdf, note, y + 6, { x: page.left, width: whole, size: 8.5 })
  }
  const { start, count } = pdf.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index)
    rule(pdf, page.bottom + 12)
    write(pdf, text.footer, page.bottom + 18, { x: page.left, width: whole - 90, size: 7.5, isQuiet: true })
    write(pdf, text.pageOf(index + 1, count), page.bottom + 18, { x: page.right - 90, width: 90, size: 7.5, isQuiet: true, align: 'right' })
  }
}

function newPage(pdf: Pdf): number {
  pdf.addPage()
  return page.top
}

const cells = [
  { x: page.left, width: 235, align: 'left' },
  { x: 290, width: 40, align: 'right' },
  { x: 335, width: 80, align: 'right' },
  { x: 420, width: 45, align: 'right' },
  { x: 470, width: 75, align: 'right' },
] as const

function drawTable(pdf: Pdf, { head, rows }: TextTable, from: number): number {
  const heading = (y: number): number => {
    cells.forEach((cell, index) => write(pdf, head[index] ?? '', y, { ...cell, size: 8, isQuiet: true }))
    rule(pdf, y + 14)
    return y + 20
  }
  let y = heading(from)
  for (const { cells: texts, note } of rows) {
    if (y > page.bottom - 40) y = heading(newPage(pdf))
    let below = y
    cells.forEach((cell, index) => {
      below = Math.max(below, write(pdf, texts[index] ?? '', y, { ...cell }))
    })
    if (note !== null) below = write(pdf, note, below, { ...cells[0], size: 8, isQuiet: true })
    y = below + 5
  }
  rule(pdf, y)
  return y
}

function drawTotals(pdf: Pdf, rows: readonly (readonly [label: string, amount: string, isStrong: boolean])[], from: number): number {
  let y = from > page.bottom - 20 * rows.length ? newPage(pdf) : from
  for (const [label, amount, isBold] of rows) {
    write(pdf, label, y, { x: 250, width: 195, isBold, align: 'right' })
    y = write(pdf, amount, y, { x: 450, width: 95, isBold, align: 'right' }) + 3
  }
  return y
}
