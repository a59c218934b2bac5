import { maxOrderRows } from '@purlin/contract/order-limits.ts'
import { rowsOfCells, sheetRowsOf, type OrderRow, type SheetRows } from '@purlin/contract/order-rows.ts'
import { Unzip, UnzipInflate } from 'fflate'
import { SaxesParser } from 'saxes'

/**
 * Of an uploaded sheet: its bytes, what its parts and its table of contents may unpack to, its number of parts, the elements of a part
 * and the attributes of an element, its rows, the cells of a row and of all of them, the cells of a row and the characters of a cell that
 * are looked at, its shared strings, and how deep its elements are nested. Five thousand rows of twenty columns are within.
 */
export const sheetLimits = {
  bytes: 2_000_000,
  unpacked: 5_000_000,
  contents: 200_000,
  parts: 200,
  elements: 300_000,
  attributes: 64,
  rows: 5000,
  rowCells: 256,
  allCells: 100_000,
  cells: 50,
  characters: 200,
  strings: 100_000,
  depth: 32,
} as const

/** Work in pieces of a millisecond or two. */
type Pieces<Value> = Generator<void, Value>
/** Runs a slice of work in a turn of the event loop. */
type InTurn = <Value>(slice: () => Value | Promise<Value>) => Promise<Value>
const sliceMs = 3
const nextTurn: InTurn = (slice) => new Promise((resolve) => setImmediate(resolve)).then(slice)

export type ReadSheet =
  | { ok: true; rows: OrderRow[]; isCut: boolean; isOneEach: boolean }
  | { ok: false; reason: 'empty' | 'damaged' | 'too-large' }

/**
 * Rows of an Excel workbook's first sheet or of a CSV file, told apart by their bytes and not by their names. The event loop turns after
 * every few milliseconds of work.
 * @param quantities the column that holds the quantities, if the sender has chosen it
 */
export async function readSheet(bytes: Uint8Array, inTurn: InTurn = nextTurn, quantities: number | null = null): Promise<ReadSheet> {
  if (bytes.length > sheetLimits.bytes) return { ok: false, reason: 'too-large' }
  try {
    const { rows, isOneEach } = await inSlices(rowsOf(bytes, quantities), inTurn)
    return rows.length === 0
      ? { ok: false, reason: 'empty' }
      : { ok: true, rows: rows.slice(0, maxOrderRows), isCut: rows.length > maxOrderRows, isOneEach }
  } catch (error) {
    return { ok: false, reason: error instanceof TooLarge ? 'too-large' : 'damaged' }
  }
}

class TooLarge extends Error {}

async function inSlices<Value>(work: Pieces<Value>, inTurn: InTurn): Promise<Value> {
  for (;;) {
    const reached = await inTurn(() => {
      for (const end = performance.now() + sliceMs; ;) {
        const piece = work.next()
        if (piece.done || performance.now() >= end) return piece
      }
    })
    if (reached.done) return reached.value
  }
}

function* rowsOf(bytes: Uint8Array, quantities: number | null): Pieces<SheetRows> {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (!isZip) return sheetRowsOf(textOf(bytes), quantities)
  const cells = yield* cellsOfWorkbook(bytes)
  yield
  return rowsOfCells(cells, quantities)
}

/** UTF-8, UTF-16 as Excel saves "Unicode text", or the Windows code page of Western Europe. */
function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const order = first === 0xff && second === 0xfe ? 'le' : first === 0xfe && second === 0xff ? 'be' : null
  const text = order ? new TextDecoder(`utf-16${order}`).decode(bytes) : textOfBytes(bytes)
  if (text.includes('\0')) throw new Error('This is no text')
  return text
}

function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const strings = 'xl/sharedStrings.xml'

function* cellsOfWorkbook(bytes: Uint8Array): Pieces<string[][]> {
  const first = yield* firstSheetOf(bytes)
  const parts = yield* unpack(bytes, (name) => name === strings || name === first, sheetLimits.unpacked)
  const sheet = parts.get(first)
  if (sheet === undefined) throw new Error('There is no sheet')
  const shared = yield* stringsOf(parts.get(strings) ?? '<sst/>')
  return yield* cellsOf(sheet, shared)
}

const contents = 'xl/workbook.xml'
const relations = 'xl/_rels/workbook.xml.rels'

/** The part with the first sheet that is shown, in the order of the tabs; the numbers in the names of parts say nothing about it. */
function* firstSheetOf(bytes: Uint8Array): Pieces<string> {
  const parts = yield* unpack(bytes, (name) => name === contents || name === relations, sheetLimits.contents)
  const targets = new Map<string, string>()
  yield* parse(parts.get(relations) ?? '<Relationships/>', {
    open: (name, { Id, Target }) => {
      if (name === 'Relationship' && Id !== undefined && Target !== undefined) targets.set(Id, partOf(Target))
    },
  })
  const shown: string[] = []
  yield* parse(parts.get(contents) ?? '<workbook/>', {
    open: (name, attributes) => {
      if (name !== 'sheet' || /hidden/i.test(attributes['state'] ?? '')) return
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      const part = targets.get(id ?? '')
      if (part?.startsWith('xl/worksheets/')) shown.push(part)
    },
  })
  const [first] = shown
  if (first === undefined) throw new Error('There is no sheet')
  return first
}

/** Targets are relative to the folder of the workbook, or begin at the root of the package. */
function partOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

/** The wanted parts, as text. What is unpacked is counted as it comes: sizes that a file states prove nothing. */
function* unpack(bytes: Uint8Array, isWanted: (name: string) => boolean, maxUnpacked: number): Pieces<Map<string, string>> {
  const parts = new Map<string, string>()
  let unpacked = 0
  let count = 0
  const zip = new Unzip((file) => {
    if (++count > sheetLimits.parts) throw new TooLarge()
    if (!isWanted(file.name)) return
    const decoder = new TextDecoder()
    let text = ''
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error
      unpacked += chunk.length
      if (unpacked > maxUnpacked) throw new TooLarge()
      text += decoder.decode(chunk, { stream: !isLast })
      if (isLast) parts.set(file.name, text)
    }
    file.start()
  })
  zip.register(UnzipInflate)
  // In small pieces: deflate packs at most about 1,000 to 1, so that no piece unpacks to much before it is counted.
  const piece = 2048
  for (let at = 0; at < bytes.length; at += piece) {
    zip.push(bytes.subarray(at, at + piece), at + piece >= bytes.length)
    yield
  }
  return parts
}

function* stringsOf(xml: string): Pieces<string[]> {
  const found: string[] = []
  let text = ''
  yield* parse(xml, {
    open: (name) => {
      if (name === 'si') text = ''
    },
    text: (part, path) => {
      // Phonetic readings repeat the text.
      if (path.at(-1) === 't' && !path.includes('rPh')) text = extended(text, part)
    },
    close: (name) => {
      if (name === 'si' && found.push(text) > sheetLimits.strings) throw new TooLarge()
    },
  })
  return found
}

function* cellsOf(xml: string, shared: readonly string[]): Pieces<string[][]> {
  const rows: string[][] = []
  let cells: string[] = []
  let text = ''
  let type = ''
  let column = 0
  let inRow = 0
  let inAll = 0
  yield* parse(xml, {
    open: (name, attributes) => {
      if (name === 'row') [cells, inRow] = [[], 0]
      if (name === 'c' && (++inRow > sheetLimits.rowCells || ++inAll > sheetLimits.allCells)) throw new TooLarge()
      // Empty cells may be left out: the reference says which column this is.
      if (name === 'c') [text, type, column] = ['', attributes['t'] ?? 'n', columnOf(attributes['r']) ?? cells.length]
    },
    text: (part, path) => {
      if (path.at(-1) === 'v' || path.at(-1) === 't') text = extended(text, part)
    },
    close: (name) => {
      if (name === 'c' && column < sheetLimits.cells) {
        while (cells.length < column) cells.push('')
        cells[column] = valueOf(type, text, shared)
      }
      if (name === 'row' && rows.push(cells) > sheetLimits.rows) throw new TooLarge()
    },
  })
  return rows
}

/** "C7" is column 2. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? '')?.[0]
  return letters === undefined ? null : [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Without leading blanks, and no longer than is looked at: many cells may refer to one text of megabytes. */
function extended(text: string, part: string): string {
  if (text.length >= sheetLimits.characters) return text
  return (text + (text === '' ? part.trimStart() : part)).slice(0, sheetLimits.characters)
}

function valueOf(type: string, text: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? ''
  return type === 'n' ? plainNumber(text) : text
}

/** An EAN may be stored as 4.006381333931E+12. */
function plainNumber(text: string): string {
  const value = Number(text)
  return text !== '' && Number.isSafeInteger(value) ? String(value) : text
}

/** Characters parsed in a millisecond or two. */
const xmlPiece = 16_384

interface Handlers {
  open(name: string, attributes: Record<string, string>): void
  text?(part: string, path: readonly string[]): void
  close?(name: string): void
}

/** Reports elements by their local names. Entities that a document declares are not expanded. */
function* parse(xml: string, { open, text, close }: Handlers): Pieces<void> {
  const parser = new SaxesParser()
  const path: string[] = []
  let elements = 0
  let attributes = 0
  const local = (name: string) => name.slice(name.indexOf(':') + 1)
  parser.on('error', (error) => {
    throw error
  })
  // An element of nothing but attributes would be reported after all of them.
  parser.on('attribute', () => {
    if (++attributes > sheetLimits.attributes) throw new TooLarge()
  })
  parser.on('opentag', ({ name, attributes: given }) => {
    attributes = 0
    if (++elements > sheetLimits.elements) throw new TooLarge()
    // The path is searched for each text: workbooks nest six deep.
    if (path.push(local(name)) > sheetLimits.depth) throw new Error('The elements are nested too deep')
    open(local(name), given)
  })
  parser.on('text', (part) => text?.(part, path))
  parser.on('closetag', ({ name }) => {
    path.pop()
    close?.(local(name))
  })
  for (let at = 0; at < xml.length; at += xmlPiece) {
    parser.write(xml.slice(at, at + xmlPiece))
    yield
  }
  parser.close()
}
