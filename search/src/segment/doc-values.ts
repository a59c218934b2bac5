import { growing32, growing64 } from './growable-array.ts'
import { openDocumentNumbers, writeDocumentNumbers, type DocumentNumbers } from './document-numbers.ts'
import { narrow, type Numbers } from './segment-format.ts'
import type { Scalar } from './schema.ts'
import { byCodeUnit } from './term-dictionary.ts'
import { openStrings, writeLookup, writeStrings, openLookup, type StringTable } from './string-table.ts'

/** Collects the values of one attribute, one document at a time. */
export interface DocValuesWriter {
  add(values: readonly Scalar[]): void
  /** Returns a function that adds a document of another segment with its values. */
  from(column: Column): (document: number) => void
  /** Order of the document at `index` for sorting: number, text, or null without one. */
  sortValue(index: number): Scalar | null
  /** Number of different values; 0 for numeric columns. */
  countOfValues(): number
  /** Number of the last, most specific value of a document, or -1. */
  lastValue(index: number): number
  pack(sections: Map<string, Numbers>, name: string, order: Uint32Array): ColumnMeta
}

export interface ColumnMeta {
  name: string
  countable: boolean
  searchable: boolean
  values: number
  isMulti: boolean
  isNumeric: boolean
  isMultiNumeric: boolean
  /** Numbers are stored as ordinals. */
  isTabled: boolean
}

export function docValuesWriter(options: { name: string; countable: boolean; searchable: boolean }): DocValuesWriter {
  const ids = new Map<string, number>()
  const ords = growing32()
  const starts = growing32()
  const numbers = growing64()
  const numberStarts = growing32()
  const first: (Scalar | null)[] = []
  const seen = new Set<string>()
  starts.push(0)
  numberStarts.push(0)

  const end = (sortValue: Scalar | null): void => {
    first.push(sortValue)
    starts.push(ords.length)
    numberStarts.push(numbers.length)
  }

  function add(values: readonly Scalar[]): void {
    seen.clear()
    let lead: Scalar | null = null
    for (const value of values) {
      if (lead === null) lead = typeof value === 'boolean' ? (value ? 1 : 0) : value
      if (typeof value === 'number') {
        numbers.push(value)
        if (!options.countable) continue
      }
      const text = String(value)
      if (values.length > 1) {
        if (seen.has(text)) continue
        seen.add(text)
      }
      ords.push(idOf(ids, text))
    }
    end(lead)
  }

  function pack(sections: Map<string, Numbers>, name: string, order: Uint32Array): ColumnMeta {
    const newId = writeValues(sections, `${name}.values`, ids)
    const isMulti = packOrds(sections, name, order, ords.data, starts.data, newId)
    const isNumeric = numbers.length > 0
    const packed = isNumeric && packNumbers(sections, name, order, numbers.data, numberStarts.data)
    return { ...options, values: newId.length, isMulti, isNumeric, isMultiNumeric: packed === 'several', isTabled: packed === 'tabled' }
  }

  const from = (column: Column) => {
    const copy = valuesCopier(column, ids, ords, numbers)
    return (document: number) => {
      copy(document)
      end(sortValueOf(column, document))
    }
  }
  return {
    add,
    pack,
    from,
    sortValue: (index) => first[index] ?? null,
    countOfValues: () => (numbers.length === 0 ? ids.size : 0),
    lastValue: (index) => (starts.data[index]! < starts.data[index + 1]! ? ords.data[starts.data[index + 1]! - 1]! : -1),
  }
}

/** Writes the values in order; returns the new number of each. */
function writeValues(sections: Map<string, Numbers>, name: string, ids: ReadonlyMap<string, number>): Uint32Array {
  const sorted = [...ids.keys()].sort(byCodeUnit)
  const newId = new Uint32Array(sorted.length)
  sorted.forEach((value, index) => (newId[ids.get(value)!] = index))
  writeStrings(sections, name, sorted)
  writeLookup(sections, name, sorted)
  return newId
}

function idOf(ids: Map<string, number>, value: string): number {
  let id = ids.get(value)
  if (id === undefined) ids.set(value, (id = ids.size))
  return id
}

interface Pushed {
  push(value: number): void
}

/** Copies the values of documents of a segment, each under its new number. */
function valuesCopier(column: Column, ids: Map<string, number>, ords: Pushed, toNumbers: Pushed): (document: number) => void {
  const { values, single, flat, flatStarts, number, numbers, numberStarts } = column
  const newId = new Int32Array(values.count).fill(-1)
  const addValue = (value: number) => {
    if (newId[value]! < 0) {
      newId[value] = idOf(ids, values.get(value))
    }
    ords.push(newId[value]!)
  }
  return (document) => {
    if (single) {
      if (single[document]! > 0) addValue(single[document]! - 1)
    } else for (let i = flatStarts![document]!; i < flatStarts![document + 1]!; i++) addValue(flat![i]!)
    if (number) {
      const one = number.at(document)
      if (!Number.isNaN(one)) toNumbers.push(one)
    } else if (numbers) {
      for (let i = numberStarts![document]!; i < numberStarts![document + 1]!; i++) toNumbers.push(numbers[i]!)
    }
  }
}

/** Value numbers per document (0 = none, else number + 1, when no document has two) and documents per value. */
function packOrds(
  sections: Map<string, Numbers>,
  name: string,
  order: Uint32Array,
  ords: Uint32Array,
  starts: Uint32Array,
  newId: Uint32Array,
): boolean {
  let isMulti = false
  let total = 0
  const perValue = new Uint32Array(newId.length + 1)
  for (const document of order) {
    const from = starts[document]!
    const to = starts[document + 1]!
    if (to - from > 1) isMulti = true
    total += to - from
    for (let i = from; i < to; i++) perValue[newId[ords[i]!]! + 1]!++
  }
  for (let i = 0; i < newId.length; i++) perValue[i + 1]! += perValue[i]!
  const documents = new Uint32Array(total)
  const cursor = perValue.slice(0, newId.length)
  const single = isMulti ? null : narrow(order.length, newId.length)
  const flat = isMulti ? narrow(total, newId.length) : null
  const flatStarts = isMulti ? new Uint32Array(order.length + 1) : null
  let at = 0
  for (let place = 0; place < order.length; place++) {
    const document = order[place]!
    for (let i = starts[document]!; i < starts[document + 1]!; i++) {
      const id = newId[ords[i]!]!
      documents[cursor[id]!++] = place
      if (single) single[place] = id + 1
      if (flat) flat[at++] = id
    }
    if (flatStarts) flatStarts[place + 1] = at
  }
  // Without a text no document has one.
  if (single && newId.length > 0) sections.set(`${name}.ord`, single)
  if (flat && flatStarts) sections.set(`${name}.ords`, flat).set(`${name}.ordStarts`, flatStarts)
  sections.set(`${name}.documents`, documents)
  sections.set(`${name}.documentStarts`, perValue)
  return isMulti
}

function packNumbers(
  sections: Map<string, Numbers>,
  name: string,
  order: Uint32Array,
  numbers: Float64Array,
  starts: Uint32Array,
): 'one' | 'tabled' | 'several' {
  const isMulti = order.some((document) => starts[document + 1]! - starts[document]! > 1)
  if (!isMulti) {
    const single = new Float64Array(order.length).fill(NaN)
    order.forEach((document, place) => {
      if (starts[document + 1]! > starts[document]!) single[place] = numbers[starts[document]!]!
    })
    return writeDocumentNumbers(sections, name, single) ? 'tabled' : 'one'
  }
  const flat = growing64(order.length)
  const flatStarts = new Uint32Array(order.length + 1)
  order.forEach((document, place) => {
    for (let i = starts[document]!; i < starts[document + 1]!; i++) flat.push(numbers[i]!)
    flatStarts[place + 1] = flat.length
  })
  sections.set(`${name}.numbers`, flat.done()).set(`${name}.numberStarts`, flatStarts)
  return 'several'
}

/** One attribute of a segment, ready for filters, counts and orders. */
export interface Column {
  meta: ColumnMeta
  values: StringTable
  /** Number of a value, or -1. */
  find(value: string): number
  /** Value number + 1 per document, 0 without; null when documents have several. */
  single: Uint8Array | Uint16Array | Uint32Array | null
  flat: Uint8Array | Uint16Array | Uint32Array | null
  flatStarts: Uint32Array | null
  documents: Uint32Array
  documentStarts: Uint32Array
  number: DocumentNumbers | null
  numbers: Float64Array | null
  numberStarts: Uint32Array | null
}

export function openColumn(section: <T extends Numbers>(name: string) => T, name: string, meta: ColumnMeta, count: number): Column {
  const values = openStrings(section, `${name}.values`, meta.values < 100_000)
  return {
    meta,
    values,
    find: openLookup(section, `${name}.values`, values),
    single: meta.isMulti ? null : meta.values === 0 ? zeros(count) : section(`${name}.ord`),
    flat: meta.isMulti ? section(`${name}.ords`) : null,
    flatStarts: meta.isMulti ? section(`${name}.ordStarts`) : null,
    documents: section(`${name}.documents`),
    documentStarts: section(`${name}.documentStarts`),
    number: meta.isNumeric && !meta.isMultiNumeric ? openDocumentNumbers(section, name, meta.isTabled) : null,
    numbers: meta.isMultiNumeric ? section(`${name}.numbers`) : null,
    numberStarts: meta.isMultiNumeric ? section(`${name}.numberStarts`) : null,
  }
}

let none = new Uint8Array(0)
/** Of all columns without a text. */
function zeros(count: number): Uint8Array {
  if (none.length < count) none = new Uint8Array(count)
  return none.subarray(0, count)
}

/** First value of a document for ordering: its number, else its text, else null. */
export function sortValueOf(column: Column, document: number): string | number | null {
  if (column.number) {
    const value = column.number.at(document)
    if (!Number.isNaN(value)) return value
  }
  if (column.numbers && column.numberStarts![document]! < column.numberStarts![document + 1]!)
    return column.numbers[column.numberStarts![document]!]!
  if (column.meta.isNumeric && !column.meta.isMulti && column.single![document] === 0) return null
  const ord = column.single
    ? column.single[document]! - 1
    : column.flatStarts![document]! < column.flatStarts![document + 1]!
      ? column.flat![column.flatStarts![document]!]!
      : -1
  if (ord < 0) return null
  const text = column.values.get(ord)
  return text === 'true' ? 1 : text === 'false' ? 0 : text
}

/** Numbers before texts, missing values last in either direction. */
export function compareSortValues(a: string | number | boolean | null, b: string | number | boolean | null, descending: boolean): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  let order: number
  if (typeof a === 'string' && typeof b === 'string') order = byCodeUnit(a, b)
  else if (typeof a === 'string') return 1
  else if (typeof b === 'string') return -1
  else order = Number(a) - Number(b)
  return descending ? -order : order
}
