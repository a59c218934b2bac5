import { growing32 } from './growable-array.ts'
import type { Numbers } from './segment-format.ts'
import { byCodeUnit, writeTerms } from './term-dictionary.ts'
import { writeTrie } from './term-trie.ts'

/** Collects the words of a segment in order of occurrence: surfaces (folded words) and their stems. */
export interface TermsWriter {
  stemId(stem: string): number
  surfaceId(surface: string, stem: string): number
  stemOfSurface(surface: number): number
  write(sections: Map<string, Numbers>): WrittenTerms
}

/** The written dictionaries, and the position in them of each assigned id. */
export interface WrittenTerms {
  stems: string[]
  surfaces: string[]
  stemPlace: Uint32Array
  surfacePlace: Uint32Array
}

export function termsWriter(): TermsWriter {
  const surfaces = new Map<string, number>()
  const surfaceStems = growing32()
  const stems = new Map<string, number>()

  function stemId(stem: string): number {
    let id = stems.get(stem)
    if (id === undefined) stems.set(stem, (id = stems.size))
    return id
  }

  return {
    stemId,
    surfaceId(surface, stem) {
      let id = surfaces.get(surface)
      if (id === undefined) {
        surfaces.set(surface, (id = surfaces.size))
        surfaceStems.push(stemId(stem))
      }
      return id
    },
    stemOfSurface: (surface) => surfaceStems.data[surface]!,
    write(sections) {
      const sortedStems = [...stems.keys()].sort(byCodeUnit)
      const sortedSurfaces = [...surfaces.keys()].sort(byCodeUnit)
      const stemPlace = placesOf(sortedStems, stems)
      const surfacePlace = placesOf(sortedSurfaces, surfaces)
      const surfaceStem = Uint32Array.from(sortedSurfaces, (surface) => stemPlace[surfaceStems.data[surfaces.get(surface)!]!]!)
      writeTerms(sections, 'stems', sortedStems)
      writeTerms(sections, 'surfaces', sortedSurfaces)
      writeTrie(sections, 'surfaces', sortedSurfaces)
      sections.set('surfaceStem', surfaceStem)
      return { stems: sortedStems, surfaces: sortedSurfaces, stemPlace, surfacePlace }
    },
  }
}

function placesOf(sorted: readonly string[], ids: ReadonlyMap<string, number>): Uint32Array {
  const places = new Uint32Array(sorted.length)
  sorted.forEach((term, place) => (places[ids.get(term)!] = place))
  return places
}
