import type { Analyzer } from '../analysis/analyzer.ts'
import { compoundParts, type KnownWord } from '../analysis/compound-words.ts'
import type { Numbers } from './segment-format.ts'
import { byCodeUnit, writeTerms } from './term-dictionary.ts'
import type { WrittenTerms } from './terms-writer.ts'

/**
 * Writes, for each part of a compound, the compounds that contain it: "schrauber" leads to "akkuschrauber". `isKnown`
 * knows words of other segments.
 */
export function writeCompounds(sections: Map<string, Numbers>, terms: WrittenTerms, analyzer: Analyzer, isKnown: KnownWord): void {
  const own = new Set(terms.surfaces)
  const stemPlace = new Map(terms.stems.map((stem, place) => [stem, place]))
  const table = new Map<string, Set<number>>()
  for (const surface of terms.surfaces) {
    const parts = compoundParts(surface, (word) => own.has(word) || isKnown(word))
    if (!parts) continue
    const compound = stemPlace.get(analyzer.stem(surface))
    if (compound === undefined) continue
    parts.forEach((part, i) => {
      // Even numbers are heads (the last part, which names the object), odd ones modifiers.
      const entry = compound * 2 + (i === parts.length - 1 ? 0 : 1)
      const stem = analyzer.stem(part)
      const entries = table.get(stem)
      if (entries) entries.add(entry)
      else table.set(stem, new Set([entry]))
    })
  }
  const parts = [...table.keys()].sort(byCodeUnit)
  writeTerms(sections, 'parts', parts)
  const starts = [0]
  const entries: number[] = []
  for (const part of parts) {
    entries.push(...table.get(part)!)
    starts.push(entries.length)
  }
  sections.set('partStarts', Uint32Array.from(starts)).set('partCompounds', Uint32Array.from(entries))
}
