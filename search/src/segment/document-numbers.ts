import { narrow, type Numbers } from './segment-format.ts'

/** The range of a column's numbers, in the terms its array is stored in. */
export interface StoredRange {
  numbers: Uint8Array | Uint16Array | Uint32Array | Float64Array
  from: number
  to: number
}

/**
 * One number per document, or none. Attributes of a shop's goods have few different numbers and most documents have none, so
 * that a document stores the ordinal of its number among the sorted ones, plus one; columns of many different numbers store
 * the numbers themselves, NaN for none.
 */
export interface DocumentNumbers {
  /** NaN for none. */
  at(document: number): number
  /** Documents whose number passes, in order. */
  each(test: (number: number) => boolean, visit: (document: number) => void): void
  /** A closed range of numbers as one of the stored array. */
  range(from: number, to: number): StoredRange
}

/**
 * Writes the sections of a column; `numbers` has NaN for none.
 * @returns whether as ordinals
 */
export function writeDocumentNumbers(sections: Map<string, Numbers>, name: string, numbers: Float64Array): boolean {
  const table = Float64Array.from(new Set(numbers))
    .filter((number) => !Number.isNaN(number))
    .sort()
  const ordinals = narrow(numbers.length, table.length)
  if (table.byteLength + ordinals.byteLength >= numbers.byteLength) {
    sections.set(`${name}.number`, numbers)
    return false
  }
  const ordinalOf = new Map(Array.from(table, (number, at) => [number, at + 1]))
  for (let i = 0; i < numbers.length; i++) ordinals[i] = ordinalOf.get(numbers[i]!) ?? 0
  sections.set(`${name}.numberTable`, table).set(`${name}.numberOrds`, ordinals)
  return true
}

export function openDocumentNumbers(section: <T extends Numbers>(name: string) => T, name: string, isTabled: boolean): DocumentNumbers {
  return isTabled ? fromOrdinals(section(`${name}.numberTable`), section(`${name}.numberOrds`)) : fromNumbers(section(`${name}.number`))
}

function fromNumbers(numbers: Float64Array): DocumentNumbers {
  return {
    at: (document) => numbers[document]!,
    each: (test, visit) => {
      for (let i = 0; i < numbers.length; i++) if (test(numbers[i]!)) visit(i)
    },
    range: (from, to) => ({ numbers, from, to }),
  }
}

function fromOrdinals(table: Float64Array, ordinals: Uint8Array | Uint16Array | Uint32Array): DocumentNumbers {
  return {
    at: (document) => {
      const ordinal = ordinals[document]!
      return ordinal === 0 ? NaN : table[ordinal - 1]!
    },
    each: (test, visit) => {
      const passes = Uint8Array.from([Number(test(NaN)), ...Array.from(table, (number) => Number(test(number)))])
      if (!passes.includes(1)) return
      for (let i = 0; i < ordinals.length; i++) if (passes[ordinals[i]!] === 1) visit(i)
    },
    // The ordinal of the first number that is not less, and of the last that is not greater; never 0, which is none.
    range: (from, to) => ({ numbers: ordinals, from: countBelow(table, from, false) + 1, to: countBelow(table, to, true) }),
  }
}

/** How many of the sorted numbers are less than a bound, or equal to it as well. */
function countBelow(table: Float64Array, bound: number, isInclusive: boolean): number {
  let low = 0
  let high = table.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isInclusive ? table[middle]! <= bound : table[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}
