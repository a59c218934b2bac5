import { openFile } from '#files'
import type { Db } from '#platform'
import { drawFiles, keepFiles } from './archive-invoice.ts'
import { readInvoice, type FileForm, type Invoice } from './store.ts'

/** An archived file with its bytes. Whoever comes before the job makes the files; the first ones are kept. */
export async function openInvoiceFile(db: Db, invoice: Invoice, form: FileForm): Promise<Awaited<ReturnType<typeof openFile>>> {
  let key = invoice.files[form]
  if (key === undefined) {
    await keepFiles(db, invoice.id, await drawFiles(db, invoice))
    key = (await readInvoice(db, invoice.id))?.files[form]
  }
  return key === undefined ? null : openFile(db, key)
}
