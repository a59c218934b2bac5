import type { Numbers } from './segment-format.ts'

/** Sorted words in typed arrays. */
export interface TermDictionary {
  count: number
  get(index: number): string
  lengthOf(index: number): number
  charAt(index: number, place: number): number
  /** Index of the word, or -1. */
  find(term: string): number
  /** First index whose word is not before `term`. */
  lowerBound(term: string): number
}

/** Adds the sections of a dictionary, whose words must be sorted by code unit. */
export function writeTerms(sections: Map<string, Numbers>, name: string, sorted: string[]): void {
  let size = 0
  for (const term of sorted) size += term.length
  const chars = new Uint16Array(size)
  const starts = new Uint32Array(sorted.length + 1)
  let at = 0
  for (let i = 0; i < sorted.length; i++) {
    const term = sorted[i]!
    for (let j = 0; j < term.length; j++) chars[at++] = term.charCodeAt(j)
    starts[i + 1] = at
  }
  sections.set(`${name}.chars`, chars)
  sections.set(`${name}.starts`, starts)
}

export function openTerms(section: <T extends Numbers>(name: string) => T, name: string): TermDictionary {
  const chars = section<Uint16Array>(`${name}.chars`)
  const starts = section<Uint32Array>(`${name}.starts`)
  const count = starts.length - 1

  /** Below 0 when the word at `index` comes before `term`, 0 when it is the term. */
  function compare(index: number, term: string): number {
    const from = starts[index]!
    const length = starts[index + 1]! - from
    const shared = Math.min(length, term.length)
    for (let i = 0; i < shared; i++) {
      const difference = chars[from + i]! - term.charCodeAt(i)
      if (difference !== 0) return difference
    }
    return length - term.length
  }

  function lowerBound(term: string): number {
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(middle, term) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    count,
    get: (index) => String.fromCharCode.apply(null, chars.subarray(starts[index], starts[index + 1]) as unknown as number[]),
    lengthOf: (index) => starts[index + 1]! - starts[index]!,
    charAt: (index, place) => chars[starts[index]! + place]!,
    lowerBound,
    find(term) {
      const index = lowerBound(term)
      return index < count && compare(index, term) === 0 ? index : -1
    },
  }
}

export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
