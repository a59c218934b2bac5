import { beginPdf, drawSheet, itemColumns } from './draw-sheet.ts'
import { describeInvoice } from './invoice-text.ts'
import type { InvoiceDocument } from './invoice.ts'
import { facturXMetadata } from './factur-x.ts'

/**
 * The invoice as PDF/A-3b with the XML of EN 16931 inside (Factur-X): people and programs read the same document. It depends
 * on its document alone, so that drawing it again gives the same page.
 */
export function drawPdf(invoice: InvoiceDocument, xml: string): Promise<Buffer> {
  const { pdf, made, end } = beginPdf({ market: invoice.market, title: invoice.number, issuedOn: invoice.issuedOn })
  // The types of pdfkit do not know `relationship` yet.
  const attached = { name: 'factur-x.xml', type: 'text/xml', relationship: 'Alternative', description: 'Factur-X' }
  const dated = { ...attached, creationDate: made, modifiedDate: made }
  pdf.file(Buffer.from(xml), dated)
  pdf.appendXML(facturXMetadata)
  drawSheet(pdf, describeInvoice(invoice), itemColumns)
  return end()
}
