import { limits } from './limits.ts'

/** What a document contains at least, counted in one pass over its characters and without reading it as GraphQL. */
export interface Scanned {
  tokens: number
  /** Levels of selections. */
  depth: number
  /** Operations and fragments. */
  definitions: number
  /** Fields at the top of all definitions; directives there count, too. */
  rootFields: number
}

const isDigit = (code: number) => code >= 48 && code <= 57
const isWord = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || isDigit(code)
const [newline, quote, hash, comma, backslash, colon] = [10, 34, 35, 44, 92, 58]
const [open, shut, openSet, shutSet, dot, plus, minus] = [40, 41, 123, 125, 46, 43, 45]
const isInNumber = (code: number) => isWord(code) || code === dot || code === plus || code === minus

/** Takes less than a millisecond for the longest body; `maxTokens` ends it sooner. */
export function scanDocument(text: string, maxTokens = Infinity): Scanned {
  const found: Scanned = { tokens: 0, depth: 0, definitions: 0, rootFields: 0 }
  let inParentheses = 0
  let level = 0
  for (let at = 0; at < text.length && found.tokens <= maxTokens; at++) {
    const code = text.charCodeAt(at)
    // The sign belongs to the number after it.
    if (code <= 32 || code === comma || code === minus) continue
    if (code === hash) {
      while (at + 1 < text.length && text.charCodeAt(at + 1) !== newline && text.charCodeAt(at + 1) !== 13) at++
      continue
    }
    found.tokens++
    if (code === quote) at = endOfText(text, at)
    else if (isDigit(code)) {
      while (isInNumber(text.charCodeAt(at + 1))) at++
    } else if (isWord(code)) {
      const startedAt = at
      while (isWord(text.charCodeAt(at + 1))) at++
      if (level !== 1 || inParentheses > 0) continue
      // An alias and its field are one; the name after "..." is a fragment's.
      let next = at + 1
      while (text.charCodeAt(next) <= 32) next++
      if (text.charCodeAt(next) !== colon && startedAt > 0) found.rootFields++
    } else if (code === dot) {
      while (text.charCodeAt(at + 1) === dot) at++
    } else if (code === open) inParentheses++
    else if (code === shut) inParentheses = Math.max(0, inParentheses - 1)
    else if (inParentheses > 0) continue
    else if (code === openSet) {
      if (level === 0) found.definitions++
      found.depth = Math.max(found.depth, ++level)
    } else if (code === shutSet) level = Math.max(0, level - 1)
  }
  return found
}

/** The last character of a text, or of the document if the text does not end. */
function endOfText(text: string, from: number): number {
  if (text.startsWith('"""', from)) {
    let end = text.indexOf('"""', from + 3)
    while (end > 0 && text.charCodeAt(end - 1) === backslash) end = text.indexOf('"""', end + 3)
    return end < 0 ? text.length : end + 2
  }
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote || code === newline) return at
  }
  return text.length
}

/** The deepest level that any document may have: introspection has twenty. */
const maxLevels = 20

/** Why a stranger's document is refused before anything reads it; null if that cannot be told yet. */
export function hopelessness(text: string): string | null {
  const { tokens, depth } = scanDocument(text, limits.foreign.tokens)
  if (tokens > limits.foreign.tokens) return `The query is too large: at most ${limits.foreign.tokens} tokens`
  return depth > maxLevels ? `The query is too large: at most ${maxLevels} levels` : null
}
