import type { Readable } from 'node:stream'
import type { FileFault, FormFields } from './form.ts'

export type ReadForm = { ok: true; form: FormFields } | { ok: false; status: 400 | 413 | 415 }

export interface FormFiles {
  /** How many files each field takes, by its name. */
  fields: Readonly<Record<string, number>>
  take: TakeFile
}

/** Takes one file of a form, whole or not at all; what it leaves unread is read past. */
type TakeFile = (name: string, source: Readable) => Promise<TakenFile>
export type TakenFile = { ok: true; id: string; name: string } | { ok: false; reason: FileFault }
