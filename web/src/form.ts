/** Reasons to refuse a file of a form; the shop has messages for each (`form.file-<fault>`). */
export type FileFault =
  | 'wrong-type'
  | 'damaged'
  | 'active-content'
  | 'too-many-pixels'
  | 'too-complex'
  | 'too-large'
  | 'quota'
  | 'busy'
  | 'too-many-files'

/** A file that was sent and refused. */
export interface SentFile {
  field: string
  name: string
  fault: FileFault
}

/** A posted form: fields in order. An accepted file is a value of its field: its id, a space, its name. */
export interface FormFields {
  /** First value of a field, or an empty string. */
  get(name: string): string
  all(name: string): string[]
  has(name: string): boolean
  names(): string[]
  refusedFiles: readonly SentFile[]
}

export const formLimits = { bytes: 64 * 1024, fields: 1000 }

/** Parses a form body; null when it has more fields than allowed. */
export function parseForm(body: string): FormFields | null {
  let fields = body === '' ? 0 : 1
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1)) fields++
  if (fields > formLimits.fields) return null
  return formFrom([...new URLSearchParams(body)])
}

export function formFrom(entries: [string, string][], refusedFiles: readonly SentFile[] = []): FormFields {
  const byName = new Map<string, string[]>()
  for (const [name, value] of entries) {
    const before = byName.get(name)
    if (before) before.push(value)
    else byName.set(name, [value])
  }
  return {
    get: (name) => byName.get(name)?.[0] ?? '',
    all: (name) => byName.get(name) ?? [],
    has: (name) => byName.has(name),
    names: () => [...byName.keys()],
    refusedFiles,
  }
}
