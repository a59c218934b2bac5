import { openFile } from '#files'
import type { Db } from '#platform'
import { drawFiles, keepFiles } from './archive-invoice.ts'
import { readInvoice, type FileForm, type Invoice } from './store.ts'

/** An archived file with its bytes; null if the buyer has been erased. Whoever comes before the job makes the files; the first ones are kept. */
export async function openInvoiceFile(
  db: Db,
  { id, files }: Pick<Invoice, 'id' | 'files'>,
  form: FileForm,
): Promise<Awaited<ReturnType<typeof openFile>>> {
  const key = files[form] ?? (await archived(db, id))[form]
  return key === undefined ? null : openFile(db, key)
}

async function archived(db: Db, id: string): Promise<Invoice['files']> {
  const invoice = await readInvoice(db, id)
  if (!invoice || invoice.isSealed) return {}
  if (invoice.files.pdf === undefined) await keepFiles(db, id, await drawFiles(db, invoice))
  return (await readInvoice(db, id))?.files ?? {}
}
