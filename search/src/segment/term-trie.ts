import { growing32 } from './growable-array.ts'
import type { Numbers } from './segment-format.ts'
import type { TermDictionary } from './term-dictionary.ts'

/**
 * A trie over a sorted table, in preorder: a node's first child follows it, `skip` is where its
 * subtree ends, `low` the first word below it. A node with one word has no children: the rest of
 * that word is read from the table.
 */
export function writeTrie(sections: Map<string, Numbers>, name: string, sorted: string[]): void {
  const chars = growing32(1024)
  const skip = growing32(1024)
  const low = growing32(1024)

  function emit(from: number, to: number, depth: number): void {
    let i = sorted[from]!.length === depth ? from + 1 : from
    while (i < to) {
      const char = sorted[i]!.charCodeAt(depth)
      let next = i + 1
      while (next < to && sorted[next]!.charCodeAt(depth) === char) next++
      const node = chars.length
      chars.push(char)
      low.push(i)
      skip.push(0)
      if (next - i > 1) emit(i, next, depth + 1)
      skip.data[node] = chars.length
      i = next
    }
  }
  if (sorted.length > 0) emit(0, sorted.length, 0)
  low.push(sorted.length)
  sections.set(`${name}.trieChars`, Uint16Array.from(chars.done()))
  sections.set(`${name}.trieSkip`, skip.done())
  sections.set(`${name}.trieLow`, low.done())
}

export interface Trie {
  /** Words within `max` edits (a swap of neighbours is one edit), or with a beginning that is. */
  near(word: string, max: number, isPrefix: boolean, found: (index: number, distance: number) => void): void
}

export function openTrie(section: <T extends Numbers>(name: string) => T, name: string, terms: TermDictionary): Trie {
  const nodes: Nodes = {
    chars: section<Uint16Array>(`${name}.trieChars`),
    skip: section<Uint32Array>(`${name}.trieSkip`),
    low: section<Uint32Array>(`${name}.trieLow`),
  }
  return { near: (word, max, isPrefix, found) => findNear({ nodes, terms, word, max, isPrefix, found }) }
}

interface Nodes {
  chars: Uint16Array
  skip: Uint32Array
  low: Uint32Array
}

interface NearQuery {
  nodes: Nodes
  terms: TermDictionary
  word: string
  max: number
  isPrefix: boolean
  found: (index: number, distance: number) => void
}

/** Walks the trie with one row of edit distances per letter, and leaves a branch once all of its row is above `max`. */
function findNear({ nodes: { chars, skip, low }, terms, word, max, isPrefix, found }: NearQuery): void {
  const { step, distanceAt } = editDistances(word, max)

  /** The rest of the one word below a node, read from the dictionary. */
  function followTail(index: number, depth: number): void {
    const length = terms.lengthOf(index)
    let best = isPrefix ? distanceAt(depth) : max + 1
    for (let place = depth; place < length; place++) {
      if (place >= word.length + max) {
        if (best <= max) found(index, best)
        return
      }
      const least = step(place, terms.charAt(index, place))
      if (isPrefix) best = Math.min(best, distanceAt(place + 1))
      if (least > max) {
        if (best <= max) found(index, best)
        return
      }
    }
    best = isPrefix ? best : distanceAt(length)
    if (best <= max) found(index, best)
  }

  function visit(first: number, end: number, depth: number): void {
    if (depth >= word.length + max) return
    for (let node = first; node < end; node = skip[node]!) {
      const least = step(depth, chars[node]!)
      if (least > max) continue
      const from = low[node]!
      const to = low[skip[node]!]!
      const distance = distanceAt(depth + 1)
      if (isPrefix && distance <= max && (distance === 0 || depth + 1 >= word.length + distance)) {
        for (let index = from; index < to; index++) found(index, distance)
        continue
      }
      if (to - from === 1) {
        followTail(from, depth + 1)
        continue
      }
      if (terms.lengthOf(from) === depth + 1 && distance <= max) found(from, distance)
      if (isPrefix && distance <= max) {
        for (let index = from; index < to; index++) found(index, distance)
      }
      visit(node + 1, skip[node]!, depth + 1)
    }
  }
  visit(0, chars.length, 0)
}

/** The table of edit distances between a word and a path through the trie, row by row; a swap of neighbours is one edit. */
function editDistances(word: string, max: number): { step(depth: number, char: number): number; distanceAt(depth: number): number } {
  const width = word.length + 1
  const wanted = Array.from(word, (_, i) => word.charCodeAt(i))
  const rows = new Uint8Array(width * (word.length + max + 2))
  const path: number[] = []
  for (let j = 0; j < width; j++) rows[j] = j
  return {
    /** Fills the row after one more letter; returns its least value. */
    step(depth, char) {
      const row = (depth + 1) * width
      const above = depth * width
      rows[row] = depth + 1
      let least = depth + 1
      for (let j = 1; j < width; j++) {
        const isSame = wanted[j - 1] === char
        let cost = rows[above + j - 1]! + (isSame ? 0 : 1)
        cost = Math.min(cost, rows[above + j]! + 1, rows[row + j - 1]! + 1)
        if (depth > 0 && j > 1 && wanted[j - 2] === char && wanted[j - 1] === path[depth - 1])
          cost = Math.min(cost, rows[above - width + j - 2]! + 1)
        rows[row + j] = cost
        if (cost < least) least = cost
      }
      path[depth] = char
      return least
    },
    distanceAt: (depth) => rows[depth * width + width - 1]!,
  }
}
