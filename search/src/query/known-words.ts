import type { TermDictionary } from '../segment/term-dictionary.ts'
import type { Snapshot } from './snapshot.ts'

/** Edits allowed in a word: 1 from four letters, 2 from eight; none in numbers and part numbers. */
export function typosAllowed(surface: string): number {
  if (/\d/.test(surface)) return 0
  return surface.length >= 8 ? 2 : surface.length >= 4 ? 1 : 0
}

export const standsAlone = ({ parts }: Snapshot, surface: string): boolean =>
  parts.some(({ segment }) => segment.surfaces.find(surface) >= 0)

export const isKnownStem = ({ parts }: Snapshot, stem: string): boolean =>
  parts.some(({ segment }) => segment.stems.find(stem) >= 0 || (segment.parts !== null && segment.parts.terms.find(stem) >= 0))

export const hasPrefix = ({ terms }: { terms: TermDictionary }, text: string): boolean => {
  const at = terms.lowerBound(text)
  return at < terms.count && terms.get(at).startsWith(text)
}

export const begins = ({ parts }: Snapshot, surface: string): boolean =>
  parts.some(({ segment }) => hasPrefix({ terms: segment.surfaces }, surface))
