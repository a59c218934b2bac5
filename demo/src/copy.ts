import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Row, Value } from './row.ts'

/** Inserts rows into a table by COPY. All rows have the columns of the first. */
export async function copyRows(client: pg.ClientBase, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
  const stream = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`))
  await pipeline(Readable.from(lines(rows, columns)), stream)
}

function* lines(rows: readonly Row[], columns: string[]): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${columns.map((column) => encoded(row[column] ?? null)).join('\t')}\n`
    // Streams have a cost per chunk.
    if (chunk.length > 65_536) {
      yield chunk
      chunk = ''
    }
  }
  if (chunk) yield chunk
}

function encoded(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'string') return escaped(value)
  if (value instanceof Date) return value.toISOString()
  if ('json' in value) return escaped(JSON.stringify(value.json))
  return escaped(`{${value.map((item) => (typeof item === 'number' ? item : `"${item.replace(/[\\"]/g, '\\$&')}"`)).join(',')}}`)
}

const special: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (sign) => special[sign] as string)
}
