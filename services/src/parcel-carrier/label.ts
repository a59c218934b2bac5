import bwip from 'bwip-js/node'
import PDFDocument from 'pdfkit'
import type { Address, Shipment } from './store.ts'

const width = 283.5
const height = 425.2
const margin = 16

/** A label of 100 × 150 mm: sender, recipient, and the tracking number as Code 128. */
export function drawLabel({ from, to, service, code, reference, grams }: Shipment): Promise<Buffer> {
  const text = code ?? ''
  const pdf = new PDFDocument({ size: [width, height], margin: 0, info: { Title: text, Creator: 'Purlin Post', Producer: 'Purlin Post' } })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const drawn = new Promise<Buffer>((resolve, reject) => {
    pdf.on('end', () => resolve(Buffer.concat(chunks)))
    pdf.on('error', reject)
  })
  const inner = width - 2 * margin
  const options = { width: inner, lineBreak: true, ellipsis: true }
  pdf.font('Helvetica-Bold').fontSize(15).text('Purlin Post', margin, margin)
  pdf
    .font('Helvetica')
    .fontSize(11)
    .text(grams === undefined ? drawable(service) : `${drawable(service)} · ${(grams / 1000).toFixed(1)} kg`, margin, margin + 2, {
      width: inner,
      align: 'right',
    })
  pdf
    .moveTo(margin, 40)
    .lineTo(width - margin, 40)
    .stroke()
  pdf.fontSize(8).text(linesOf(from).join('\n'), margin, 48, { ...options, height: 60 })
  pdf
    .moveTo(margin, 116)
    .lineTo(width - margin, 116)
    .stroke()
  pdf
    .font('Helvetica-Bold')
    .fontSize(13)
    .text(linesOf(to).join('\n'), margin, 128, { ...options, height: 120 })
  bars(pdf, text, { x: margin, y: 270, width: inner, height: 90 })
  pdf.font('Helvetica-Bold').fontSize(14).text(text, margin, 368, { width: inner, align: 'center' })
  pdf.font('Helvetica').fontSize(7).text(reference, margin, 396, { width: inner, align: 'center' })
  pdf.end()
  return drawn
}

function linesOf({ name, company, street1, street2, zip, city, country }: Address): string[] {
  return [name, company, street1, street2, `${zip} ${city}`.trim(), country].flatMap((line) => (line ? [drawable(line)] : []))
}

/** The standard fonts of PDF know Latin-1: other letters lose their accents. */
function drawable(text: string): string {
  return Array.from(text.normalize('NFC').slice(0, 80))
    .map((letter) => (letter <= 'ÿ' ? letter : letter.normalize('NFD').replace(/\p{M}/gu, '')))
    .map((letter) => (letter <= 'ÿ' ? letter : '?'))
    .join('')
    .replace(/\p{Cc}/gu, ' ')
}

/** Bars as vectors: sharp on any printer. */
function bars(pdf: InstanceType<typeof PDFDocument>, text: string, box: { x: number; y: number; width: number; height: number }): void {
  const [code] = bwip.raw({ bcid: 'code128', text })
  const widths = code && 'sbs' in code ? code.sbs : []
  const modules = widths.reduce((sum, wide) => sum + wide, 0)
  // Ten modules of white on either side, as readers need.
  const unit = box.width / (modules + 20)
  let x = box.x + 10 * unit
  widths.forEach((wide, index) => {
    if (index % 2 === 0) pdf.rect(x, box.y, wide * unit, box.height)
    x += wide * unit
  })
  pdf.fill('#000')
}
