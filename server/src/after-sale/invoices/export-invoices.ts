import { Readable } from 'node:stream'
import { wordsFor } from '@purlin/words/catalogues.ts'
import yazl from 'yazl'
import type { Db } from '#platform'
import { localDay, spreadsheetAmount, spreadsheetLine } from '#pricing'
import { eachInvoice, type WhichInvoices } from './list-store.ts'
import { openInvoiceFile } from './open-invoice-file.ts'
import type { Invoice } from './store.ts'

/** The PDFs as a ZIP archive. Files are opened one after another, as fast as the client reads. */
export function zipOf(db: Db, which: WhichInvoices): Readable {
  const zip = new yazl.ZipFile()
  const output = Readable.from(zip.outputStream)
  const fill = async (): Promise<void> => {
    for await (const { id, number, issuedAt, files } of eachInvoice(db, which)) {
      if (output.destroyed) return
      // PDFs are compressed already.
      zip.addReadStreamLazy(`${number}.pdf`, { mtime: issuedAt, compress: false }, (done) => {
        void openInvoiceFile(db, { id, files }, 'pdf').then(
          (opened) => (opened ? done(null, opened.stream) : done(new Error(`${number} has no file`), Readable.from([]))),
          (error: Error) => done(error, Readable.from([])),
        )
      })
    }
    zip.end()
  }
  zip.on('error', (error: Error) => output.destroy(error))
  fill().catch((error: Error) => output.destroy(error))
  return output
}

/** A table for spreadsheets, in the market's notation. */
export function csvOf(db: Db, which: WhichInvoices): Readable {
  return Readable.from(csvLines(db, which))
}

async function* csvLines(db: Db, which: WhichInvoices): AsyncGenerator<string> {
  const { market } = which
  const t = wordsFor(market)
  const head = (['number', 'kind', 'issuer', 'issued', 'order', 'net', 'vat', 'gross'] as const).map((column) =>
    t(`invoice.column.${column}`),
  )
  // The mark tells spreadsheets that it is UTF-8.
  yield `\ufeff${spreadsheetLine(market, [...head, t('invoice.column.currency')])}`
  for await (const invoice of eachInvoice(db, which)) yield spreadsheetLine(market, cellsOf(invoice))
}

function cellsOf({ number, kind, document, issuedAt, market, customerOrderId, net, vat, gross, currency }: Invoice): string[] {
  const amounts = [net, vat, gross].map((amount) => spreadsheetAmount(market, amount))
  const label = wordsFor(market)(`invoice.kind.${kind}`)
  return [number, label, document.seller.legalName, localDay(market, issuedAt), customerOrderId ?? '', ...amounts, currency]
}
