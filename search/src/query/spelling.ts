import type { Analyzer, Token } from '../analysis/analyzer.ts'
import { begins, isKnownStem, standsAlone, typosAllowed } from './known-words.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * A misspelled word, spelled like the word of a synonym that is nearer than any word of the documents: "lawnmover" is the
 * "lawnmower" of a synonym, where the documents only have lawn mowers. The token keeps its place in the query.
 */
export function spellLikeSynonyms(snapshot: Snapshot, analyzer: Analyzer, token: Token, isPrefix: boolean): Token {
  const { surface } = token
  const most = typosAllowed(surface)
  const words = most === 0 || token.isNumber ? undefined : snapshot.config.synonymTable.words.get(surface[0]!)
  if (!words || words.has(surface) || isKnown(snapshot, token, isPrefix)) return token
  let best: { word: string; cost: number } | null = null
  for (const word of words) {
    if (Math.abs(word.length - surface.length) > most) continue
    const cost = misspelling(surface, word, most)
    if (cost <= most && (best === null || cost < best.cost)) best = { word, cost }
  }
  if (best === null || best.cost >= nearestInDocuments(snapshot, surface, most)) return token
  return { ...token, surface: best.word, stem: analyzer.stem(best.word) }
}

const isKnown = (snapshot: Snapshot, { surface, stem }: Token, isPrefix: boolean): boolean =>
  standsAlone(snapshot, surface) || isKnownStem(snapshot, stem) || (isPrefix && begins(snapshot, surface))

function nearestInDocuments({ parts }: Snapshot, surface: string, most: number): number {
  let least = Infinity
  for (const { segment } of parts) {
    segment.trie.near(surface, most, false, (index, distance) => {
      if (distance - 0.5 < least) least = Math.min(least, costOf(distance, surface, segment.surfaces.get(index)))
    })
  }
  return least
}

/** Edits between two words; a letter written once instead of twice, or the reverse, is half a mistake. */
function misspelling(typed: string, word: string, most: number): number {
  return costOf(distanceWithin(typed, word, most), typed, word)
}

const costOf = (distance: number, typed: string, word: string): number =>
  distance > 0 && undoubled(typed) === undoubled(word) ? distance - 0.5 : distance

const undoubled = (word: string): string => word.replace(/(.)\1+/gu, '$1')

/** Edit distance, a swap of neighbours being one edit; some number above `most` when it is greater. */
function distanceWithin(one: string, other: string, most: number): number {
  let before: number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    if (Math.min(...row) > most) return most + 1
    before = above
    above = row
  }
  return above[other.length]!
}
