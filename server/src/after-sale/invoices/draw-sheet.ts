import { markets, type Market } from '@purlin/contract/markets.ts'
import type PDFDocument from 'pdfkit'
import { loadLate } from '#platform'
import { fontFile, runsOf, type Cut } from './invoice-font.ts'

const page = { left: 50, right: 545, top: 50, bottom: 770 }
const ink = '#1c1f23'
const quiet = '#565d66'

export interface TextTable {
  head: readonly string[]
  rows: readonly { cells: readonly string[]; note: string | null }[]
}

/** The contents of a business document; the drawing decides about their place on the page. */
export interface Sheet {
  number: string
  title: string
  seller: string
  /** Below the seller's name. */
  onBehalf: string
  parties: readonly { title: string; lines: readonly string[] }[]
  facts: readonly (readonly [label: string, value: string])[]
  table: TextTable
  totals: readonly (readonly [label: string, amount: string, isStrong: boolean])[]
  notes: readonly string[]
  footer: string
  pageOf: (page: number, pages: number) => string
}

export interface Cell {
  x: number
  width: number
  align: 'left' | 'right'
}

/** The columns of a document with an item, its quantity and three figures. */
export const itemColumns: readonly Cell[] = [
  { x: page.left, width: 235, align: 'left' },
  { x: 290, width: 40, align: 'right' },
  { x: 335, width: 80, align: 'right' },
  { x: 420, width: 45, align: 'right' },
  { x: 470, width: 75, align: 'right' },
]

export type Pdf = InstanceType<typeof PDFDocument>

/** Begins a document in PDF/A-3b. Its bytes are there after `end`. */
export function beginPdf({ market, title, issuedOn }: { market: Market; title: string; issuedOn: string }): {
  pdf: Pdf
  made: Date
  end: () => Promise<Buffer>
} {
  const made = new Date(`${issuedOn}T12:00:00Z`)
  const pdf = new (loadLate<typeof PDFDocument>('pdfkit'))({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: markets[market].locale,
    bufferPages: true,
    info: { Title: title, Creator: 'Purlin', Producer: 'Purlin', CreationDate: made, ModDate: made },
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const drawn = new Promise<Buffer>((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  for (const cut of ['regular', 'regularExt', 'bold', 'boldExt'] as const) pdf.registerFont(cut, fontFile(cut))
  const end = (): Promise<Buffer> => {
    pdf.end()
    return drawn
  }
  return { pdf, made, end }
}

/** A document of a sheet alone. */
export function sheetPdf(
  sheet: Sheet,
  columns: readonly Cell[],
  { market, issuedOn }: { market: Market; issuedOn: string },
): Promise<Buffer> {
  const { pdf, end } = beginPdf({ market, title: sheet.number, issuedOn })
  drawSheet(pdf, sheet, columns)
  return end()
}

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

export function drawSheet(pdf: Pdf, text: Sheet, columns: readonly Cell[]): void {
  const whole = page.right - page.left
  let y = write(pdf, text.seller, page.top, { x: page.left, width: 260, size: 16, isBold: true })
  const below = write(pdf, text.title, page.top, { x: 320, width: 225, size: 16, isBold: true, align: 'right' })
  y = Math.max(y, write(pdf, text.number, below, { x: 320, width: 225, isQuiet: true, align: 'right' }))
  y = write(pdf, text.onBehalf, y + 4, { x: page.left, width: whole, size: 8, isQuiet: true }) + 18

  const width = whole / text.parties.length - 12
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
  y = drawTable(pdf, text.table, columns, y + 18)
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

function drawTable(pdf: Pdf, { head, rows }: TextTable, cells: readonly Cell[], from: number): number {
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
    if (note !== null) below = write(pdf, note, below, { x: page.left, width: 235, size: 8, isQuiet: true })
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
