import { createHash } from 'node:crypto'
import type { Analyzer, Token } from '../analysis/analyzer.ts'
import { SearchRequestError, type Synonym } from '../types.ts'

/** For each phrase, keyed by its stems joined with a space, the phrases that are equivalent. */
export interface SynonymTable {
  phrases: Map<string, Token[][]>
  longest: number
  /** The words of all phrases, by first letter: known words, though no document may contain them. */
  words: ReadonlyMap<string, ReadonlySet<string>>
}

export const phraseKey = (tokens: readonly Token[]): string => tokens.map((token) => token.stem).join(' ')

/** @throws SearchRequestError for an incomplete synonym */
export function checkSynonyms(synonyms: readonly Synonym[]): void {
  for (const { type, input, synonyms: words, objectID } of synonyms) {
    if (!Array.isArray(words)) throw new SearchRequestError(`synonym ${objectID}: synonyms must be a list`)
    if (type === 'oneWaySynonym' && !input) throw new SearchRequestError(`synonym ${objectID}: a one-way synonym needs an input`)
  }
}

/** Compiles synonyms that have been checked. */
function compileSynonyms(analyzer: Analyzer, synonyms: readonly Synonym[]): SynonymTable {
  const phrases = new Map<string, Token[][]>()
  const words = new Map<string, Set<string>>()
  let longest = 0

  const read = (text: string): Token[] => {
    const tokens = analyzer.analyze(text)
    for (const { surface, isNumber } of tokens) {
      if (isNumber || surface.length < 4) continue
      const known = words.get(surface[0]!)
      if (known) known.add(surface)
      else words.set(surface[0]!, new Set([surface]))
    }
    const telling = tokens.filter((token) => !token.isStopWord)
    return telling.length > 0 ? telling : tokens
  }

  function link(from: Token[], to: Token[]): void {
    const key = phraseKey(from)
    if (from.length === 0 || to.length === 0 || key === phraseKey(to)) return
    longest = Math.max(longest, from.length)
    const list = phrases.get(key)
    if (!list) phrases.set(key, [to])
    else if (!list.some((other) => phraseKey(other) === phraseKey(to))) list.push(to)
  }

  for (const { type, input, synonyms: words } of synonyms) {
    const read_ = words.map(read)
    if (type === 'oneWaySynonym') for (const to of read_) link(read(input!), to)
    else for (const from of read_) for (const to of read_) link(from, to)
  }
  return { phrases, longest, words }
}

/** The synonyms of an index and their table, which is compiled on first use. */
export interface CompiledSynonyms {
  readonly list: Synonym[]
  readonly table: SynonymTable
}

const opened = new Map<string, WeakRef<CompiledSynonyms>>()

/** Indexes of one language usually have the same thousands of synonyms: those that are open share one copy. */
export function synonymsOf(analyzer: Analyzer, list: Synonym[]): CompiledSynonyms {
  const key = createHash('sha256')
    .update(JSON.stringify([analyzer.language, list]))
    .digest('base64')
  const known = opened.get(key)?.deref()
  if (known) return known
  let table: SynonymTable | undefined
  const compiled: CompiledSynonyms = {
    list,
    get table() {
      return (table ??= compileSynonyms(analyzer, list))
    },
  }
  for (const [other, reference] of opened) if (!reference.deref()) opened.delete(other)
  opened.set(key, new WeakRef(compiled))
  return compiled
}
