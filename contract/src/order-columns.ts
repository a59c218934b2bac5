import { headings, isCalled, isHeadingAlone, mayBeHeading, wordsOf, type Heading, type Rows } from './order-headings.ts'

/** Which columns of a sheet hold the numbers and the quantities. */
export interface Columns {
  /** In the order in which a row's number is looked for; null where its first filled cell is the number. */
  codes: readonly number[] | null
  /** Null where the sheet has no quantities. */
  quantity: number | null
  /** Whether the first row is a heading and nothing else; one that may be a row as well names the columns and is read too, to be reported. */
  hasHeading: boolean
  /** Whether its words named the columns; otherwise a row that is shifted or shorter may differ from them. */
  isNamed: boolean
}

/** Columns that may be chosen as that of the quantities, by their letters. */
export const quantityColumns = 'ABCDEFGHIJKLMNOPQRST'

/**
 * The columns by the words of the first row; without such words the quantities are the first column of numbers after the codes. A column that only counts
 * the rows is neither.
 * @param chosen the column that holds the quantities, if somebody has chosen it
 */
export function columnsOf(rows: Rows, chosen: number | null = null): Columns {
  const found = (mayBeHeading(rows) ? namedColumns(rows, chosen) : null) ?? unnamedColumns(rows, chosen)
  return chosen === null ? found : { ...found, quantity: chosen, isNamed: true }
}

function unnamedColumns(rows: Rows, chosen: number | null): Columns {
  const [first = [], ...below] = rows
  // Words that nobody has listed are a heading all the same, where they stand above the quantities.
  const isAbove = below.length > 0 && first.filter(Boolean).length > 1 && !first.some((cell) => /\d/.test(cell))
  const hasHeading = isAbove && Boolean(first[quantitiesIn(below, chosen).quantity ?? -1])
  return { ...quantitiesIn(hasHeading ? below : rows, chosen), hasHeading, isNamed: false }
}

function quantitiesIn(data: Rows, chosen: number | null): Pick<Columns, 'codes' | 'quantity'> {
  const isCounted = data.length > 1 && countsRows(data, 0) && data.filter((cells) => cells[1]).length * 2 >= data.length
  const codes = isCounted ? [chosen === 1 ? 2 : 1] : null
  return { codes, quantity: quantityColumn(data, isCounted ? 2 : 1) }
}

/** A column that is no price and no position. */
interface Column {
  at: number
  words: Heading
  /** Whether it only counts the rows. */
  isCount: boolean
}

function namedColumns([heading = [], ...data]: Rows, chosen: number | null): Columns | null {
  // Columns may be without a heading.
  const width = data.reduce((most, { length }) => Math.max(most, length), heading.length)
  const cells = Array.from({ length: width }, (_, at) => wordsOf(heading[at] ?? ''))
  const hasPrice = cells.some((words) => isCalled(words, headings.price, headings.total))
  const columns = cells.flatMap((words, at) => (isOther(words, hasPrice) ? [] : [{ at, words, isCount: countsRows(data, at) }]))
  // The EANs of pieces and of packs are not how many there are.
  const called = columns.filter(({ words }) => isCalled(words, headings.quantity) && !isCalled(words, headings.ean))
  const others = columns.filter((column) => column.at !== chosen && !called.includes(column))
  const numbers = codesOf(others, data)
  if (numbers.length === 0 && called.length === 0 && !hasPrice) return null
  const { ean, partNumber, reference, number, item, measure, notOrdered, pack } = headings
  const free = others.filter(({ words }) => !isCalled(words, ean, partNumber, reference, number, item, measure, notOrdered, pack))
  const codes = numbers.length > 0 ? numbers : unlistedCodes(others, free, data)
  const packs = columns.filter(({ words }) => isCalled(words, headings.pack) && !isCalled(words, headings.ean))
  const mayBeQuantities = free.filter(({ words }) => !isCalled(words, headings.model, headings.numberOfPart, headings.notOfProduct))
  const quantity = quantityOf(called, packs, unlistedQuantities(data, mayBeQuantities, codes[0] ?? 0), data)
  const isDoubtful = !heading.some(isHeadingAlone) || (quantity !== null && !isHeadingOf(heading, quantity, data))
  return { codes: codes.filter((at) => at !== quantity), quantity, hasHeading: !isDoubtful, isNamed: true }
}

/** Whether a column is a price or a position. "Total qty" and "Line qty" are quantities. */
function isOther(words: Heading, hasPrice: boolean): boolean {
  const { price, total, position, quantity, amount } = headings
  return isCalled(words, price) || (isCalled(words, total, position) && !isCalled(words, quantity)) || (hasPrice && isCalled(words, amount))
}

/** Whether the first row has a heading above the quantities: a row of the order has none there, or the unit of the rows below. */
function isHeadingOf(heading: readonly string[], quantity: number, data: Rows): boolean {
  const filled = filledIn(data, quantity)
  return Boolean(heading[quantity]) && (filled.length === 0 || filled.some((cell) => /^\d/.test(cell)))
}

const filledIn = (data: Rows, at: number): string[] => data.map((cells) => cells[at] ?? '').filter(Boolean)
const areMostly = (cells: readonly string[], kind: RegExp): boolean =>
  cells.length > 0 && cells.filter((cell) => kind.test(cell)).length * 2 >= cells.length
const holdsCodes = (data: Rows, at: number): boolean => areMostly(filledIn(data, at), /^(?=.*\d)\S+$/)
const holdsNumbers = (data: Rows, at: number): boolean => areMostly(filledIn(data, at), /^-?\d[\d.,]*$/)
const isSameInAll = (data: Rows, at: number): boolean => data.length > 1 && new Set(data.map((cells) => cells[at])).size === 1

/** The columns of numbers, best first. A column for numbers of anything is none of them beside one for those of products. */
function codesOf(columns: readonly Column[], data: Rows): number[] {
  const ranked = columns.map((column) => ({ ...column, rank: rankOf(column.words) }))
  const ofProducts = ranked.filter(({ rank }) => rank < ranks.anyNumber)
  const items = ranked.filter(({ rank, isCount }) => rank === ranks.item && !isCount)
  // "Room no." beside "Item": where the items have numbers, or all rows the same room, it is none of products.
  const isOfItem = ({ at, words }: Column) =>
    items.length === 0 || !(isSameInAll(data, at) || (isOfSomething(words) && items.some((item) => holdsCodes(data, item.at))))
  // Products may be numbered from one on, where no other column has their numbers.
  const mayCount = ofProducts.every(({ isCount }) => isCount)
  const found = ranked
    .filter(({ rank, isCount }) => (rank < ranks.anyNumber ? mayCount || !isCount : rank <= ranks.item && !isCount))
    .filter((column) => column.rank !== ranks.anyNumber || (ofProducts.length === 0 && isOfItem(column)))
    .toSorted((one, other) => Number(isSameInAll(data, one.at)) - Number(isSameInAll(data, other.at)) || one.rank - other.rank)
  const models = ranked.filter(({ words, isCount }) => isCalled(words, headings.model) && !isCount)
  // A number that is the same in all rows may be that of the order, where the products have another one.
  const ofModels = models.filter(({ at }) => holdsCodes(data, at) && !isSameInAll(data, at))
  if (found.length > 0 && found.every(({ at }) => isSameInAll(data, at))) return [...ofModels, ...found].map(({ at }) => at)
  return (found.length > 0 ? found : models).map(({ at }) => at)
}

/** Where no heading is that of part numbers: the columns without a listed word, or that of the numbers with which products are ordered ("Order code"). */
function unlistedCodes(others: readonly Column[], free: readonly Column[], data: Rows): number[] {
  const { order, number, numberOfPart, reference, notOfProduct, unit } = headings
  const unlisted = free.filter(({ words, isCount }) => !isCount && !isCalled(words, unit, order, notOfProduct)).map(({ at }) => at)
  if (unlisted.some((at) => holdsCodes(data, at)))
    return unlisted.toSorted((one, other) => Number(holdsCodes(data, other)) - Number(holdsCodes(data, one)))
  const ordered = others.find(
    ({ at, words, isCount }) =>
      isCalled(words, order) &&
      isCalled(words, number, numberOfPart, reference) &&
      !isCalled(words, notOfProduct) &&
      !isCount &&
      !isSameInAll(data, at),
  )
  return ordered ? [ordered.at] : unlisted
}

/** Kinds of columns by their headings, in the order in which a row's part number is looked for. */
const ranks = { ean: 0, partNumber: 1, itemNumber: 2, anyNumber: 3, item: 4, none: 5 } as const

function rankOf(words: Heading): number {
  if (isCalled(words, headings.ean)) return ranks.ean
  const isNumber = isCalled(words, headings.number, headings.reference)
  const isItem = isCalled(words, headings.item)
  const isOfPart = isCalled(words, headings.part) && (isNumber || isCalled(words, headings.numberOfPart))
  const isPartNumber = isOfPart || isCalled(words, headings.partNumber)
  if (!isNumber && !isPartNumber) return isItem ? ranks.item : ranks.none
  if (isCalled(words, headings.notOfProduct, headings.order)) return ranks.none
  if (isPartNumber) return ranks.partNumber
  if (isItem || isCalled(words, headings.reference)) return ranks.itemNumber
  return isCalled(words, headings.pack) ? ranks.none : ranks.anyNumber
}

/** Whether a heading says more than that it is a number. */
function isOfSomething(words: Heading): boolean {
  return words.slice(0, -1).some((word) => !isCalled([word], headings.number, headings.numberOfPart, headings.filler))
}

/**
 * Of the columns that are called a quantity the one of this order: "Qty ordered" before "Qty", and that before "Total qty". Null where several may be it and
 * differ. The size of a pack is one only where no other column may be, and none where another column may be the number of packs.
 */
function quantityOf(called: readonly Column[], packs: readonly Column[], unlisted: number | null, data: Rows): number | null {
  const { measure, notOrdered, pack, each } = headings
  const wanted = called.filter(({ words }) => !isCalled(words, measure, notOrdered, pack, each))
  const holding = Object.groupBy(
    wanted.filter(({ at }) => holdsNumbers(data, at)),
    ({ words }) => (isCalled(words, headings.total, headings.position) ? 'sum' : isCalled(words, headings.ordered) ? 'ordered' : 'plain'),
  )
  const hasPacks = packs.some(({ at }) => holdsNumbers(data, at))
  // Beside packs and a sum of pieces, a number of pieces may be that of each pack.
  const plain = hasPacks ? [...(holding.plain ?? []), ...(holding.sum ?? [])] : holding.plain
  const [first, ...equal] = holding.ordered ?? plain ?? holding.sum ?? []
  if (first) return equal.every(({ at }) => data.every((cells) => cells[at] === cells[first.at])) ? first.at : null
  const found = wanted.find(({ at }) => data.some((cells) => /^\d/.test(cells[at] ?? ''))) ?? wanted[0]
  if (found) return found.at
  const ofPack = called.find(({ words }) => !isCalled(words, measure, notOrdered))
  if (!ofPack) return unlisted
  const mayBePacks = packs.some(({ at }) => at !== ofPack.at && filledIn(data, at).some((cell) => /^\d/.test(cell)))
  return unlisted === null && !mayBePacks ? ofPack.at : null
}

/** Under a heading that nobody has listed: the first free column after the codes, or else before them, of whole numbers that do not just count the rows. */
function unlistedQuantities(data: Rows, free: readonly Column[], code: number): number | null {
  const holdsQuantities = ({ at, isCount }: Column) => {
    const filled = data.map((cells) => cells[at] ?? '').filter(Boolean)
    const whole = filled.filter((cell) => /^\d{1,6}$/.test(cell)).length
    return whole > 0 && whole * 2 >= filled.length && !(isCount && at < code)
  }
  const inOrder = [...free.filter(({ at }) => at > code), ...free.filter(({ at }) => at < code)]
  const found = inOrder.filter(holdsQuantities)
  const called = (...kinds: readonly RegExp[]) => found.find(({ words }) => isCalled(words, ...kinds))
  return (called(headings.ordered) ?? called(headings.order) ?? found[0])?.at ?? null
}

/** Whether a column only counts the rows: 1, 2, 3 or, as the items of an order, 10, 20, 30. Rows between them may have no number. */
function countsRows(data: Rows, column: number): boolean {
  let filled = 0
  let step = 1
  for (const cells of data) {
    const cell = cells[column] ?? ''
    if (cell === '') continue
    const value = /^\d+\.?$/.test(cell) ? Number.parseInt(cell, 10) : null
    if (++filled === 1 && value === 10) step = 10
    if (value !== filled * step) return false
  }
  return filled * 2 > data.length && (filled > 1 || step === 1)
}

/** Whether a cell is a number of pieces with its unit, such as "2 Stk". */
export const isPieces = (cell: string): boolean =>
  /^\d{1,6}\s?(?:x|×|st|stk|stck|stück|pcs?|pieces?|units?|ea|pi[eè]ces?|pces?|uds?|unidades|pz|pezzi)\.?$/i.test(cell)

/**
 * The first column from here on that holds a number in half of the rows that have one at all; rather one of pieces with their unit. Beside amounts with
 * decimals, whole numbers may be discounts, years or stock as well: nothing is guessed, and the amounts are reported.
 */
function quantityColumn(rows: Rows, from: number): number | null {
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const places = Array.from({ length: Math.max(0, width - from) }, (_, at) => from + at)
  const pieces = places.find((at) => areMostly(filledIn(rows, at), /^\d/) && filledIn(rows, at).some(isPieces))
  return pieces ?? numbersIn(rows, from)
}

function numbersIn(rows: Rows, from: number): number | null {
  const counts: (number | undefined)[] = []
  let withNumber = 0
  for (const cells of rows) {
    let hasOne = false
    for (let at = Math.max(from, cells.findIndex(Boolean) + 1); at < cells.length; at++) {
      if (!/^-?\d[\d.,]*$/.test(cells[at] ?? '')) continue
      counts[at] = (counts[at] ?? 0) + 1
      hasOne = true
    }
    if (hasOne) withNumber++
  }
  const at = counts.findIndex((count = 0) => count * 2 >= withNumber && count > 0)
  return at === -1 ? null : at
}
