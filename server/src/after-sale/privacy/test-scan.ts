import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { textOfPdf } from '../invoices/testing.ts'

/** For tests: searches tables and files for words, also where they are packed or written in another notation. */

/** A word as it is found in text in lower case: as written, in hexadecimal and in base64 from each of the three offsets. */
function needlesOf(word: string): string[] {
  const spellings = [word, word.toLowerCase(), word.toUpperCase(), word.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())]
  const forms = [...new Set(spellings)].flatMap((spelling) => [Buffer.from(spelling).toString('hex'), ...base64Of(spelling)])
  return [...new Set([word, ...forms].map((form) => form.toLowerCase()))]
}

/** Only the letters that do not depend on what stands before and after the word. */
function base64Of(word: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(word)])
    const whole = bytes.toString('base64').slice(Math.ceil((offset * 8) / 6))
    return whole.replace(/.?=+$/, '')
  })
}

interface Patterns {
  text: RegExp
  /** For bytes that are read as Latin-1. */
  bytes: RegExp
}
const known = new Map<string, Patterns>()

/** One pattern for all words: a tenth of the time that looking for them one by one takes. */
function patternsOf(words: readonly string[]): Patterns {
  const key = words.join('\n')
  const patterns = known.get(key) ?? compile(words.flatMap(needlesOf))
  known.set(key, patterns)
  return patterns
}

function compile(needles: readonly string[]): Patterns {
  const anyOf = (texts: readonly string[]) => new RegExp(texts.map((text) => text.replaceAll(/[^\w\s]/g, String.raw`\$&`)).join('|'), 'i')
  return { text: anyOf(needles), bytes: anyOf(needles.map((needle) => Buffer.from(needle).toString('latin1'))) }
}

type Query = (text: string, values?: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>

/** Tables of all schemas that contain one of these words in any column, also as bytes, in hexadecimal or base64, or packed. */
export async function tablesThatSay(query: Query, words: readonly string[]): Promise<string[]> {
  const { rows } = await query(
    `select format('%I.%I', t.table_schema, t.table_name) as name,
        coalesce(array_agg(c.column_name::text) filter (where c.data_type = 'bytea'), '{}') as bytes
      from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and t.table_schema not in ('pg_catalog', 'information_schema') group by 1`,
  )
  const found: string[] = []
  for (const { name, bytes } of rows as { name: string; bytes: string[] }[]) {
    const columns = ['t::text', ...bytes.map((column) => `encode("${column}", 'escape')`)]
    // Rows are compared here, by some hundred pages of the table at a time: in Postgres it takes six times as long.
    const texts = await query(
      `select string_agg(concat_ws(E'\n', ${columns.join(', ')}), E'\n') as text from ${name} t group by (t.ctid::text::point)[0]::int / 300`,
    )
    const isSaid = (texts.rows as { text: string | null }[]).some(({ text }) => text !== null && patternsOf(words).text.test(text))
    if (isSaid || (await isSaidInPacked(query, name, { bytes, words }))) found.push(name)
  }
  return found.toSorted()
}

/** The first bytes of what gzip, zlib and zip write, and of PDFs. */
const packed = `'\\x1f8b', '\\x7801', '\\x789c', '\\x78da', '\\x504b', '\\x2550'`

async function isSaidInPacked(query: Query, table: string, { bytes, words }: { bytes: readonly string[]; words: readonly string[] }) {
  for (const column of bytes) {
    const { rows } = await query(`select "${column}" as value from ${table} where substring("${column}" from 1 for 2) in (${packed})`)
    if ((rows as { value: Buffer }[]).some(({ value }) => bytesSay(value, words))) return true
  }
  return false
}

/** Files below a folder that contain one of these words, also packed inside PDFs, zip and gzip files. */
export function filesThatSay(folder: string, words: readonly string[], isSearched: (file: string) => boolean = () => true): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => isSearched(file) && bytesSay(bytesOf(file), words))
}

/** Nothing, for a file that has gone since the folder was read: the shop goes on meanwhile. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0)
    throw error
  }
}

function bytesSay(bytes: Buffer, words: readonly string[]): boolean {
  const { bytes: pattern } = patternsOf(words)
  return readings(bytes).some((reading) => pattern.test(reading.toString('latin1')))
}

/** The bytes themselves, and everything packed in them. */
function readings(bytes: Buffer, depth = 3): Buffer[] {
  if (depth === 0) return [bytes]
  return [bytes, ...unpacked(bytes).flatMap((inner) => readings(inner, depth - 1))]
}

function unpacked(bytes: Buffer): Buffer[] {
  const start = bytes.toString('latin1', 0, 4)
  if (start === '%PDF') return [...inflatedStreams(bytes), Buffer.from(attempt(() => Buffer.from(textOfPdf(bytes))))]
  if (start.startsWith('PK')) return entriesOf(bytes)
  if (start.startsWith('\x1f\x8b')) return [attempt(() => gunzipSync(bytes))]
  return start.startsWith('x') ? [attempt(() => inflateSync(bytes))] : []
}

/** Nothing, of bytes that only look packed. */
function attempt(unpack: () => Buffer): Buffer {
  try {
    return unpack()
  } catch {
    return Buffer.alloc(0)
  }
}

function inflatedStreams(pdf: Buffer): Buffer[] {
  return [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, data = '']) =>
    attempt(() => inflateSync(Buffer.from(data, 'latin1'))),
  )
}

/** The deflated entries of a zip file; those that are only stored can be read in the file. */
function entriesOf(zip: Buffer): Buffer[] {
  const entries: Buffer[] = []
  for (let at = zip.indexOf('PK\x03\x04'); at >= 0; at = zip.indexOf('PK\x03\x04', at + 4)) {
    const data = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
    if (zip.readUInt16LE(at + 8) === 8) entries.push(attempt(() => inflateRawSync(zip.subarray(data))))
  }
  return entries
}
