import { columnsOf, isPieces, type Columns } from './order-columns.ts'
import { isHeadingAlone, listedHeadingAt, tableAt, type Rows } from './order-headings.ts'
import { maxCellLength } from './order-limits.ts'

/** A row of a quick order as somebody typed, pasted or uploaded it; nothing about it has been checked. */
export interface OrderRow {
  /** Part number or EAN; empty where a row has a quantity alone. */
  code: string
  quantity: string
}

/** Of a text: lines beyond are not looked at, empty ones included, and longer lines are cut, so that no file keeps a process busy. */
const textLimits = { all: 20_000, lines: 5000, lineLength: 2000 } as const
/** Of a row: cells beyond are not looked at, and longer ones are cut, blanks included. */
const rowLimits = { cells: 50, cellLength: 200 } as const

/** The rows of a sheet, and whether each is one piece for want of a column of quantities. */
export interface SheetRows {
  rows: OrderRow[]
  isOneEach: boolean
}

/**
 * Rows of a text from a spreadsheet, a CSV file or a keyboard: tab, semicolon or comma between the cells, or a space before the quantity.
 * @param quantities the column that holds the quantities, if somebody has chosen it
 */
export function sheetRowsOf(text: string, quantities: number | null = null): SheetRows {
  const [first = '', ...below] = linesOf(text.replace(/^\uFEFF/, ''))
    .filter((line) => line.trim() !== '')
    .slice(0, textLimits.lines)
    .map((line) => line.slice(0, textLimits.lineLength))
  // A first line for Excel names the separator.
  const stated = /^"?sep=(.)"?$/i.exec(first)?.[1]
  const lines = stated === undefined ? [first, ...below].filter(Boolean) : below
  const separator = stated ?? separatorOf(lines.slice(0, 20))
  return rowsOfCells(
    lines.map((line) => {
      // Rows from several sources: where the separator of the others does not occur, the line has its own.
      const own = separator === null || line.includes(separator) ? separator : separatorOf([line])
      if (own !== null) return cellsOf(line, own)
      return separator === null ? spaced(line) : [line]
    }),
    quantities,
  )
}

/** The same from cells: the columns of numbers and quantities are found by their headings or what they hold (`columnsOf`). A number alone is one piece; an empty quantity among others, and an empty number, stay to be reported. */
export function rowsOfCells(lines: Rows, quantities: number | null = null): SheetRows {
  const rows = lines
    .map((cells) =>
      cells.slice(0, rowLimits.cells).map((cell) =>
        cell
          .slice(0, rowLimits.cellLength)
          .replaceAll(/[\r\n]+/g, ' ')
          .trim(),
      ),
    )
    .filter((cells) => cells.some(Boolean))
  return rowsOfTables(rows, quantities)
}

/** Rows above the heading of a table are read on their own, as titles: they are reported, not dropped. */
function rowsOfTables(rows: Rows, quantities: number | null): SheetRows {
  const at = tableAt(rows)
  const table = tablesBeside(rows.slice(at), quantities)
  const above = rows.slice(0, at)
  if (listedHeadingAt(above) === null)
    return { ...table, rows: [...above.flatMap((cells) => tableRows([cells], quantities).rows), ...table.rows] }
  const first = rowsOfTables(above, quantities)
  return { rows: [...first.rows, ...table.rows], isOneEach: first.isOneEach || table.isOneEach }
}

/** Tables side by side, under one heading that repeats itself, are read one after the other. */
function tablesBeside(rows: Rows, quantities: number | null): SheetRows {
  const second = quantities === null ? repeatedAt(rows[0] ?? []) : null
  if (second === null) return tableRows(rows, quantities)
  const left = tableRows(filled(rows.map((cells) => cells.slice(0, second))), null)
  const right = tablesBeside(filled(rows.map((cells) => cells.slice(second))), null)
  return { rows: [...left.rows, ...right.rows], isOneEach: left.isOneEach || right.isOneEach }
}

const filled = (rows: string[][]): string[][] => rows.filter((cells) => cells.some(Boolean))

/** Where the cells of a heading begin anew, blank columns between them left out; null where they do not. */
function repeatedAt(heading: readonly string[]): number | null {
  const [first = '', ...others] = heading
  const at = others.indexOf(first) + 1
  const cells = heading.slice(0, at).filter(Boolean)
  if (first === '' || cells.length < 2 || !cells.every(isHeadingAlone)) return null
  const beside = heading.slice(at).filter(Boolean)
  return cells.every((cell, index) => beside[index] === cell) ? at : null
}

function tableRows(rows: Rows, quantities: number | null): SheetRows {
  const columns = columnsOf(rows, quantities)
  const data = rows.slice(columns.hasHeading ? 1 : 0)
  const hasQuantities = data.some((cells) => /\d/.test(cells[columns.quantity ?? -1] ?? ''))
  let isOneEach = data.some((cells) => cells.filter(Boolean).length > 1)
  const read = data.flatMap((cells) => {
    const at = codeIn(cells, columns)
    const code = cells[at] ?? ''
    const quantity = columns.isNamed ? named(cells, columns.quantity) : beside(cells, at, columns.quantity)
    if (code === '' && !quantity) return []
    if (quantity) isOneEach = false
    // In a form, what is not wanted has no quantity: rather a row to correct than a piece that nobody ordered. A number that somebody typed alone is one.
    const isBlank = hasQuantities && (columns.isNamed || columns.hasHeading || cells.filter(Boolean).length > 1)
    return [{ code: cut(code), quantity: cut(withoutUnit(quantities === null ? quantity : wholeOf(quantity)) || (isBlank ? '0' : '1')) }]
  })
  return { rows: read, isOneEach }
}

/** The column of the row's number; a row without an EAN may have a part number. */
function codeIn(cells: readonly string[], { codes, quantity }: Columns): number {
  const isFilled = (column: number) => (cells[column] ?? '') !== ''
  if (codes) return codes.find(isFilled) ?? -1
  return cells.findIndex((_cell, column) => isFilled(column) && column !== quantity)
}

/** "3.00" in a column that somebody chose is three pieces; "1.000" may be a thousand, and stays to be reported. */
const wholeOf = (cell: string | undefined): string | undefined => cell?.replace(/^(\d+)[.,]0{1,2}$/, '$1')

const withoutUnit = (cell: string | undefined): string | undefined => (cell !== undefined && isPieces(cell) ? /^\d+/.exec(cell)?.[0] : cell)

const named = (cells: readonly string[], column: number | null): string | undefined => (column === null ? undefined : cells[column])

/**
 * The cell in the column of quantities; in a shifted row, which has words there, the next whole number. A cell that is no number, such as a dash
 * before a price, is kept and reported.
 */
function beside(cells: readonly string[], code: number, column: number | null): string | undefined {
  const rest = cells.slice(Math.max(code, 0) + 1).filter(Boolean)
  const found = column === null || column <= code ? rest[0] : cells[column]
  return found && /^\p{L}.*\p{L}{2}/u.test(found) ? (rest.find((cell) => /^\d+$/.test(cell)) ?? found) : found
}

/** Never within a surrogate pair, half of which no database stores. */
function cut(cell: string): string {
  return cell.slice(0, maxCellLength).replace(/[\uD800-\uDBFF]$/, '')
}

/** A line break within a quoted cell ends no line. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (let from = 0; from < text.length && lines.length < textLimits.all;) {
    const end = endOfLine(text, from)
    lines.push(text.slice(from, end))
    from = end + (text.startsWith('\r\n', end) ? 2 : 1)
  }
  return lines
}

function endOfLine(text: string, from: number): number {
  let isCellStart = true
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\n' || sign === '\r') return at
    if (sign === '"' && isCellStart) at = endOfQuoted(text, at) ?? at
    isCellStart = sign === '\t' || sign === ';' || sign === ',' || (isCellStart && sign === ' ')
  }
  return text.length
}

/**
 * The quote that ends the cell that begins here; null where a sign for inches or a forgotten quote would swallow the lines that follow. The scan ends at the
 * first quote that is not doubled, so that no scan from a later cell repeats it.
 */
function endOfQuoted(text: string, from: number): number | null {
  const end = Math.min(text.length, from + textLimits.lineLength)
  if (/[\r\n]/.test(text.charAt(from + 1))) return null
  for (let at = from + 1; at < end; at++) {
    if (text[at] !== '"') continue
    if (text[at + 1] !== '"') return /^ {0,9}(?:[\t;,\r\n]|$)/.test(text.slice(at + 1, at + 11)) ? at : null
    at++
  }
  return null
}

function separatorOf(lines: readonly string[]): string | null {
  const counted = ['\t', ';', ','].map((sign) => ({ sign, lines: lines.filter((line) => line.includes(sign)).length }))
  const most = counted.toSorted((one, other) => other.lines - one.lines)[0]
  return most && most.lines > 0 ? most.sign : null
}

function spaced(line: string): string[] {
  const text = line.trim()
  const at = text.search(/\s\d+$/)
  return at === -1 ? [line] : [text.slice(0, at), text.slice(at)]
}

/** Cells of a CSV line; a quoted cell may contain the separator, and two quotes mean one. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at)
    if (isQuoted && sign === '"' && line[at + 1] === '"') cell += line.charAt(++at)
    else if (sign === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += sign
  }
  return [...cells, cell]
}
