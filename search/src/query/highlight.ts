import { analyzerFor, type Analyzer, type Token } from '../analysis/analyzer.ts'
import type { SearchDocument } from '../types.ts'
import { expand } from './term-expansion.ts'
import type { Snapshot } from './snapshot.ts'
import type { Group } from './query-parser.ts'

/** Finds the words of a text that the query matches, and how much of each. */
export interface Highlighter {
  highlight(document: SearchDocument, attributes: readonly string[]): Record<string, unknown>
  /** The same as JSON. */
  written(document: SearchDocument, attributes: readonly string[]): string
}

interface Highlighted {
  value: string
  matchLevel: 'none' | 'partial' | 'full'
  matchedWords: string[]
  fullyHighlighted?: boolean
}

export function highlighter(snapshot: Snapshot, groups: readonly Group[], pre: string, post: string): Highlighter {
  const analyzer = analyzerFor(snapshot.config.schema.language)
  const words = wordsOf(snapshot, groups)
  const wholes = new Set(
    groups.flatMap((group) =>
      group.alternatives.flatMap(({ leaves }) => leaves.flatMap((leaf) => (leaf.kind === 'exact' ? [leaf.key] : []))),
    ),
  )
  const marked = (text: string): Highlighted => mark(analyzer, text, words, wholes, groups, pre, post)
  const attributesOf = (value: unknown): unknown => {
    if (typeof value === 'string' || typeof value === 'number') return marked(String(value))
    if (Array.isArray(value)) return value.map(attributesOf)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, attributesOf(inner)]))
    return undefined
  }
  function highlight(document: SearchDocument, attributes: readonly string[]): Record<string, unknown> {
    const out: Record<string, unknown> = {}
    for (const attribute of attributes) {
      const [first, ...rest] = attribute.split('.')
      if (document[attribute] !== undefined) out[attribute] = attributesOf(document[attribute])
      else if (rest.length > 0 && document[first!] !== undefined) out[first!] ??= attributesOf(document[first!])
    }
    return out
  }
  return {
    highlight,
    written(document, attributes) {
      const [only] = attributes
      const text = attributes.length === 1 ? document[only!] : undefined
      if (typeof text !== 'string') return JSON.stringify(highlight(document, attributes))
      return `{${JSON.stringify(only)}:${write(marked(text))}}`
    },
  }
}

/** Most highlights are of a single text, the title: serializing it directly takes half the time. */
function write({ value, matchLevel, matchedWords, fullyHighlighted }: Highlighted): string {
  const begun = `{"value":${JSON.stringify(value)},"matchLevel":"${matchLevel}","matchedWords":${JSON.stringify(matchedWords)}`
  return fullyHighlighted === undefined ? `${begun}}` : `${begun},"fullyHighlighted":${fullyHighlighted}}`
}

/** Stems to highlight, with the index of the query word; and prefixes, of which only the prefix is highlighted. */
function wordsOf(
  snapshot: Snapshot,
  groups: readonly Group[],
): { stems: Map<string, number>; prefixes: { text: string; group: number }[] } {
  const stems = new Map<string, number>()
  const prefixes: { text: string; group: number }[] = []
  groups.forEach((group, index) => {
    for (const { leaves } of group.alternatives) {
      for (const leaf of leaves) {
        if (leaf.kind !== 'word') continue
        stems.set(leaf.stem, index)
        if (leaf.isPrefix) prefixes.push({ text: leaf.surface, group: index })
        const isLong = leaf.typos > 0 || snapshot.config.schema.language === 'de'
        if (!isLong) continue
        for (const { segment } of snapshot.parts) {
          for (const variant of expand(leaf, segment).variants) {
            const stem = segment.stems.get(variant.stem)
            if (!stems.has(stem) && !(leaf.isPrefix && stem.startsWith(leaf.surface))) stems.set(stem, index)
          }
        }
      }
    }
  })
  return { stems, prefixes }
}

/** Texts whose tokens are kept, by language: about a kilobyte each. */
const TOKENIZED = 1_500
const tokenized = new WeakMap<Analyzer, Map<string, Token[]>>()

/** Responses repeat the same titles. */
function tokensOf(analyzer: Analyzer, text: string): Token[] {
  let known = tokenized.get(analyzer)
  if (!known) tokenized.set(analyzer, (known = new Map()))
  let tokens = known.get(text)
  if (!tokens) {
    tokens = analyzer.analyze(text)
    if (text.length > 300) return tokens
    if (known.size >= TOKENIZED) known.delete(known.keys().next().value!)
    known.set(text, tokens)
  }
  return tokens
}

function mark(
  analyzer: Analyzer,
  text: string,
  words: ReturnType<typeof wordsOf>,
  wholes: ReadonlySet<string>,
  groups: readonly Group[],
  pre: string,
  post: string,
): Highlighted {
  let out = ''
  let at = 0
  const matched = new Set<number>()
  if (wholes.size > 0 && wholes.has(analyzer.word(text.replace(/[^\p{L}\p{N}]/gu, '')).surface)) {
    return { value: pre + text + post, matchLevel: 'full', matchedWords: groups.map((group) => group.text), fullyHighlighted: true }
  }
  let covered = 0
  const tokens = tokensOf(analyzer, text)
  for (const token of tokens) {
    let end = token.end
    let group = words.stems.get(token.stem)
    if (group === undefined && token.also) group = token.also.map((term) => words.stems.get(term)).find((found) => found !== undefined)
    if (group === undefined) {
      for (const begun of words.prefixes) {
        if (!token.surface.startsWith(begun.text)) continue
        group = begun.group
        if (token.surface.length === token.end - token.start) end = token.start + begun.text.length
        break
      }
    }
    if (group === undefined) continue
    matched.add(group)
    covered++
    out += text.slice(at, token.start) + pre + text.slice(token.start, end) + post
    at = end
  }
  if (matched.size === 0) return { value: text, matchLevel: 'none', matchedWords: [] }
  return {
    value: out + text.slice(at),
    matchLevel: matched.size === groups.length ? 'full' : 'partial',
    matchedWords: [...matched].sort((x, y) => x - y).map((index) => groups[index]!.text.toLowerCase()),
    fullyHighlighted: covered === tokens.length,
  }
}
