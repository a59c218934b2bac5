import type { Readable } from 'node:stream'
import type { FileFault, FormFields } from './form.ts'

export type ReadForm = { ok: true; form: FormFields } | { ok: false; status: 400 | 413 | 415 }

export interface FormFiles {
  /** Maximum number of files of each field, by its name. */
  fields: Readonly<Record<string, number>>
  take: TakeFile
}

/** Stores one file of a form, completely or not at all; unread bytes are drained. */
type TakeFile = (name: string, source: Readable) => Promise<TakenFile>
export type TakenFile = { ok: true; id: string; name: string } | { ok: false; reason: FileFault }
