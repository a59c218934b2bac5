import { limits } from './limits.ts'

/** What a document contains at least, counted in one pass over its characters and without reading it as GraphQL. */
export interface Scanned {
  tokens: number
  /** Levels of selections, and those without inline fragments. */
  depth: number
  fieldDepth: number
  /** Operations and fragments. */
  definitions: number
  /** Fields and fragments at the top of all definitions. */
  rootFields: number
  /** Maximum of any one operation: fields and fragments at its top; of any one definition: all of them, and aliases. */
  inOne: { rootFields: number; fields: number; aliases: number }
  /** Maximum number of directives in one place. */
  directives: number
  /** Whether a field at the top is of introspection, which has limits of its own. */
  asksSchema: boolean
}

const isDigit = (code: number) => code >= 48 && code <= 57
const isWord = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || isDigit(code)
const [newline, quote, hash, comma, backslash, colon, at, underscore] = [10, 34, 35, 44, 92, 58, 64, 95]
const [open, shut, openSet, shutSet, dot, plus, minus] = [40, 41, 123, 125, 46, 43, 45]
const isInNumber = (code: number) => isWord(code) || code === dot || code === plus || code === minus

/** The role of a name in a document, by the token before it. */
type Before = 'spread' | 'type' | 'directive' | 'alias' | 'other'

/** Takes less than a millisecond for the longest body; `isEnough` ends it sooner. */
export function scanDocument(text: string, isEnough: (found: Scanned) => boolean = () => false): Scanned {
  const inOne = { rootFields: 0, fields: 0, aliases: 0 }
  const found: Scanned = { tokens: 0, depth: 0, fieldDepth: 0, definitions: 0, rootFields: 0, inOne, directives: 0, asksSchema: false }
  let own = { rootFields: 0, fields: 0, aliases: 0 }
  let directives = 0
  let inParentheses = 0
  let level = 0
  let before: Before = 'other'
  let isFragment = false
  /** Whether the open levels are those of inline fragments, and whether the next would be. */
  const inline: boolean[] = []
  let isSpread = false
  let fieldLevel = 0

  const addSelection = () => {
    directives = 0
    isSpread = before === 'spread'
    inOne.fields = Math.max(inOne.fields, ++own.fields)
    if (level !== 1) return
    found.rootFields++
    if (!isFragment) inOne.rootFields = Math.max(inOne.rootFields, ++own.rootFields)
  }

  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    // The sign belongs to the number after it.
    if (code <= 32 || code === comma || code === minus) continue
    if (code === hash) {
      while (place + 1 < text.length && text.charCodeAt(place + 1) !== newline && text.charCodeAt(place + 1) !== 13) place++
      continue
    }
    if (isEnough(found)) break
    found.tokens++
    if (code === quote) place = endOfText(text, place)
    else if (isDigit(code)) {
      while (isInNumber(text.charCodeAt(place + 1))) place++
    } else if (isWord(code)) {
      const from = place
      while (isWord(text.charCodeAt(place + 1))) place++
      if (inParentheses > 0) continue
      const isOn: boolean = before === 'spread' && place - from === 1 && text.startsWith('on', from)
      if (level === 0) isFragment ||= place - from === 7 && text.startsWith('fragment', from)
      else if (before === 'other') {
        addSelection()
        if (level === 1 && code === underscore && text.startsWith('__', from)) found.asksSchema = true
      }
      before = isOn ? 'type' : 'other'
    } else if (code === dot) {
      while (text.charCodeAt(place + 1) === dot) place++
      if (inParentheses > 0 || level === 0) continue
      before = 'spread'
      addSelection()
    } else if (code === open) inParentheses++
    else if (code === shut) inParentheses = Math.max(0, inParentheses - 1)
    else if (inParentheses > 0) continue
    else if (code === at) {
      found.directives = Math.max(found.directives, ++directives)
      before = 'directive'
    } else if (code === colon) {
      if (level > 0) inOne.aliases = Math.max(inOne.aliases, ++own.aliases)
      before = 'alias'
    } else if (code === openSet) {
      if (level === 0) {
        found.definitions++
        own = { rootFields: 0, fields: 0, aliases: 0 }
      }
      if (level === 0) isSpread = false
      inline.push(isSpread)
      found.depth = Math.max(found.depth, ++level)
      if (!isSpread) found.fieldDepth = Math.max(found.fieldDepth, ++fieldLevel)
      before = 'other'
    } else if (code === shutSet) {
      level = Math.max(0, level - 1)
      if (inline.pop() === false) fieldLevel--
      if (level === 0) isFragment = false
      directives = 0
      before = 'other'
    }
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
  for (let place = from + 1; place < text.length; place++) {
    const code = text.charCodeAt(place)
    if (code === backslash) place++
    else if (code === quote || code === newline) return place
  }
  return text.length
}

/** The deepest level that any document may have: introspection has twenty. */
const maxLevels = 20

/** The limit that a document exceeds, whatever else it contains. Every fragment has to be used, so that its fields count for an operation. */
function exceeded({ tokens, depth, fieldDepth, definitions, inOne, directives, asksSchema }: Scanned): string | null {
  if (tokens > limits.foreign.tokens) return `at most ${limits.foreign.tokens} tokens`
  if (depth > maxLevels) return `at most ${maxLevels} levels`
  if (fieldDepth > limits.depth && !asksSchema) return `at most ${limits.depth} levels`
  if (definitions > limits.definitions) return `at most ${limits.definitions} operations and fragments`
  if (directives > limits.directives) return `at most ${limits.directives} directives in one place`
  if (inOne.fields > limits.foreign.fields) return `at most ${limits.foreign.fields} fields`
  if (inOne.aliases > limits.aliases) return `at most ${limits.aliases} aliases`
  return inOne.rootFields > limits.rootFields ? `at most ${limits.rootFields} fields at the top` : null
}

/** Why a stranger's document is refused before anything reads it; null if that cannot be told yet. */
export function hopelessness(text: string): string | null {
  const problem = exceeded(scanDocument(text, (found) => exceeded(found) !== null))
  return problem === null ? null : `The query is too large: ${problem}`
}
