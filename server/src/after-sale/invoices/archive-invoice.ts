import { Readable } from 'node:stream'
import { putFile, removeFile, type StoredFile } from '#files'
import type { Db } from '#platform'
import { drawPdf } from './draw-pdf.ts'
import { facturX } from './factur-x.ts'
import { keepFile, type FileForm, type Invoice } from './store.ts'
import { ubl } from './ubl.ts'

export interface DrawnFile {
  form: FileForm
  file: StoredFile
}

/** Draws the files of an invoice and puts them into the object store. They count once `keepFiles` has recorded them. */
export async function drawFiles(db: Db, { id, number, document }: Pick<Invoice, 'id' | 'number' | 'document'>): Promise<DrawnFile[]> {
  const pdf = await drawPdf(document, facturX(document))
  return [
    { form: 'pdf', file: await put(db, id, pdf, 'application/pdf', `${number}.pdf`) },
    { form: 'ubl', file: await put(db, id, Buffer.from(ubl(document)), 'application/xml', `${number}.xml`) },
  ]
}

async function put(db: Db, id: string, bytes: Buffer, type: 'application/pdf' | 'application/xml', name: string): Promise<StoredFile> {
  const answer = await putFile(db, Readable.from([bytes]), { kind: 'invoice', owner: `invoice:${id}`, type, name })
  if (!answer.ok) throw new Error(`The object store refused an invoice: ${answer.reason}`)
  return answer.file
}

/** Records the files with their checksums, once: an invoice keeps the first files it got. */
export async function keepFiles(db: Db, invoiceId: string, drawn: readonly DrawnFile[]): Promise<void> {
  for (const { form, file } of drawn) {
    const { key, sha256, bytes } = file
    if (!(await keepFile(db, { invoiceId, form, key, sha256, bytes }))) await removeFile(db, key)
  }
}
