import { SearchRequestError, type SearchParams } from '../types.ts'

/** A filter as a small tree, independent of its source format; every engine prints its own. */
export type Filter =
  | { kind: 'and'; of: Filter[] }
  | { kind: 'or'; of: Filter[] }
  | { kind: 'not'; of: Filter }
  | { kind: 'value'; attribute: string; value: string; score: number }
  | { kind: 'compare'; attribute: string; operator: Comparison; number: number }
  | { kind: 'range'; attribute: string; from: number; to: number }

export type Comparison = '<' | '<=' | '=' | '!=' | '>' | '>='

const MAX_DEPTH = 50
const MAX_LEAVES = 5000

interface Lexeme {
  text: string
  isQuoted: boolean
  at: number
}

const TOKEN =
  /\s+|([()])|(<=|>=|!=|<(?!score=)|>|=)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|<score=(-?\d+)>|(:)|((?:[^\s():<>=!"']|(?<=\S)['!"])+)/y

function lex(text: string): Lexeme[] {
  const found: Lexeme[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const match = TOKEN.exec(text)
    if (!match) throw new SearchRequestError(`filters: unexpected "${text.slice(at, at + 20)}" at ${at}`)
    const quoted = match[3] ?? match[4]
    if (quoted !== undefined) found.push({ text: quoted.replace(/\\(.)/g, '$1'), isQuoted: true, at })
    else if (match[5] !== undefined) found.push({ text: `<score=${match[5]}>`, isQuoted: false, at })
    else if (match[1] ?? match[2] ?? match[6] ?? match[7]) found.push({ text: match[0], isQuoted: false, at })
  }
  return found
}

/** Parser state of a `filters` text. */
interface Cursor {
  lexemes: readonly Lexeme[]
  at: number
  leaves: number
}

/** Parses a `filters` text: AND binds tighter than OR, NOT tightest. @throws SearchRequestError on a syntax error */
export function parseFilters(text: string): Filter {
  const cursor: Cursor = { lexemes: lex(text), at: 0, leaves: 0 }
  if (cursor.lexemes.length === 0) return { kind: 'and', of: [] }
  const tree = readOr(cursor, 0)
  if (cursor.at < cursor.lexemes.length) fail(cursor, 'AND, OR or the end')
  return tree
}

const peek = ({ lexemes, at }: Cursor): Lexeme | undefined => lexemes[at]

function fail(cursor: Cursor, expected: string): never {
  const here = peek(cursor)
  throw new SearchRequestError(
    here ? `filters: expected ${expected} but found "${here.text}" at ${here.at}` : `filters: expected ${expected} at the end`,
  )
}

function isWord(cursor: Cursor, word: string): boolean {
  const here = peek(cursor)
  return here !== undefined && !here.isQuoted && here.text.toUpperCase() === word
}

/** Skips a word if it comes next. */
function skip(cursor: Cursor, word: string): boolean {
  if (!isWord(cursor, word)) return false
  cursor.at++
  return true
}

function readOr(cursor: Cursor, depth: number): Filter {
  if (depth > MAX_DEPTH) throw new SearchRequestError('filters: nested too deep')
  const first = readAnd(cursor, depth)
  const of = [first]
  while (skip(cursor, 'OR')) of.push(readAnd(cursor, depth))
  return of.length === 1 ? first : { kind: 'or', of }
}

function readAnd(cursor: Cursor, depth: number): Filter {
  const first = readNot(cursor, depth)
  const of = [first]
  while (skip(cursor, 'AND')) of.push(readNot(cursor, depth))
  return of.length === 1 ? first : { kind: 'and', of }
}

function readNot(cursor: Cursor, depth: number): Filter {
  if (isWord(cursor, 'NOT')) {
    if (depth > MAX_DEPTH) throw new SearchRequestError('filters: nested too deep')
    cursor.at++
    return { kind: 'not', of: readNot(cursor, depth + 1) }
  }
  if (!skip(cursor, '(')) return readCondition(cursor)
  const inner = readOr(cursor, depth + 1)
  if (!skip(cursor, ')')) fail(cursor, '")"')
  return inner
}

function readCondition(cursor: Cursor): Filter {
  if (++cursor.leaves > MAX_LEAVES) throw new SearchRequestError('filters: too many conditions')
  const name = peek(cursor)
  if (!name || (!name.isQuoted && /^[():<>=!]/.test(name.text))) fail(cursor, 'an attribute')
  cursor.at++
  const operator = peek(cursor)
  if (operator && !operator.isQuoted && /^(<=|>=|!=|<|>|=)$/.test(operator.text)) {
    cursor.at++
    const number = toNumber(cursor, peek(cursor))
    cursor.at++
    return { kind: 'compare', attribute: name.text, operator: operator.text as Comparison, number }
  }
  if (!operator || operator.isQuoted || operator.text !== ':') fail(cursor, '":" or a comparison')
  cursor.at++
  return readValue(cursor, name.text)
}

function readValue(cursor: Cursor, attribute: string): Filter {
  const value = peek(cursor)
  if (!value || (!value.isQuoted && /^[():]$/.test(value.text))) fail(cursor, 'a value')
  cursor.at++
  if (!value.isQuoted && skip(cursor, 'TO')) {
    const to = toNumber(cursor, peek(cursor))
    cursor.at++
    return { kind: 'range', attribute, from: toNumber(cursor, value), to }
  }
  let text = value.text
  // A value may contain ":" or blanks only in quotes, but "12:30" is common enough.
  while (!value.isQuoted && skip(cursor, ':')) {
    text += `:${peek(cursor)?.text ?? ''}`
    cursor.at++
  }
  const score = /^<score=(-?\d+)>$/.exec(peek(cursor)?.text ?? '')
  if (score) cursor.at++
  return { kind: 'value', attribute, value: text, score: score ? Number(score[1]) : 1 }
}

function toNumber(cursor: Cursor, lexeme: Lexeme | undefined): number {
  const number = lexeme === undefined ? NaN : Number(lexeme.text)
  if (lexeme === undefined || lexeme.text === '' || Number.isNaN(number)) fail(cursor, 'a number')
  return number
}

/** "brand:A", "brand:-A", "-brand:A" (not), "modelId:42<score=200>"; in `filters` text NOT is a word. */
export function parseFacetFilter(text: string): Filter {
  const colon = text.indexOf(':')
  if (colon < 1) throw new SearchRequestError(`"${text}" is not a facet filter: write attribute:value`)
  const score = /<score=(-?\d+)>$/.exec(text)
  let attribute = text.slice(0, colon)
  let value = text.slice(colon + 1, score ? score.index : undefined)
  let isNegative = false
  if (attribute.startsWith('-')) {
    isNegative = true
    attribute = attribute.slice(1)
  } else if (value.startsWith('\\-')) value = value.slice(1)
  else if (value.startsWith('-') && value.length > 1) {
    isNegative = true
    value = value.slice(1)
  }
  const leaf: Filter = { kind: 'value', attribute, value: unquote(value), score: score ? Number(score[1]) : 1 }
  return isNegative ? { kind: 'not', of: leaf } : leaf
}

const unquote = (text: string) => (/^(["']).*\1$/.test(text) ? text.slice(1, -1) : text)

/** "price>=10", "price:10 TO 20". Without blanks at its ends and around its parts, which no expression has to look for. */
export function parseNumericFilter(text: string): Filter {
  const [, name = '', operator = '', rest = ''] = /^([^:<>=!]+)(<=|>=|!=|<|>|=|:)(.+)$/s.exec(text) ?? []
  const [attribute, value] = [name.trim(), rest.trim()]
  if (attribute !== '' && operator !== ':' && isNumber(value))
    return { kind: 'compare', attribute, operator: operator as Comparison, number: Number(value) }
  if (attribute !== '' && operator === ':') {
    const [from = '', to = '', ...more] = value.split(/\sTO\s/i).map((part) => part.trim())
    if (more.length === 0 && to !== '' && isNumber(from) && isNumber(to))
      return { kind: 'range', attribute, from: Number(from), to: Number(to) }
    if (isNumber(value)) return { kind: 'compare', attribute, operator: '=', number: Number(value) }
  }
  throw new SearchRequestError(`"${text.slice(0, 100)}" is not a numeric filter: write price>=10`)
}

const isNumber = (text: string): boolean => /^-?[\d.]+(?:e[+-]?\d+)?$/i.test(text) && !Number.isNaN(Number(text))

/** AND of ORs, in any of the nestings Algolia's clients send. */
export function parseFilterList(value: unknown, parse: (text: string) => Filter, name: string): Filter[] {
  if (value === undefined || value === null || value === '') return []
  if (typeof value === 'string') {
    const trimmed = value.trim()
    if (trimmed.startsWith('[')) {
      try {
        return parseFilterList(JSON.parse(trimmed), parse, name)
      } catch (error) {
        if (error instanceof SearchRequestError) throw error
        throw new SearchRequestError(`${name}: not valid JSON`)
      }
    }
    return trimmed.split(',').map((part) => parse(part.trim()))
  }
  if (!Array.isArray(value)) throw new SearchRequestError(`${name}: expected a list`)
  if (value.length > MAX_LEAVES) throw new SearchRequestError(`${name}: too many conditions`)
  return value.flatMap((entry): Filter[] => {
    if (typeof entry === 'string') return entry === '' ? [] : [parse(entry)]
    if (!Array.isArray(entry)) throw new SearchRequestError(`${name}: expected texts or lists of texts`)
    if (entry.length === 0) return []
    if (entry.length > MAX_LEAVES) throw new SearchRequestError(`${name}: too many conditions`)
    const of = entry.map((inner): Filter => {
      if (typeof inner === 'string') return parse(inner)
      if (Array.isArray(inner) && inner.every((text) => typeof text === 'string')) return { kind: 'and', of: inner.map(parse) }
      throw new SearchRequestError(`${name}: expected texts`)
    })
    return of.length === 1 ? of : [{ kind: 'or', of }]
  })
}

/** All filters of a query as one tree; null if there are none. */
export function filterOf(params: SearchParams): Filter | null {
  const of: Filter[] = []
  if (params.filters !== undefined && params.filters !== null) {
    if (typeof params.filters !== 'string') throw new SearchRequestError('filters: expected a text')
    of.push(parseFilters(params.filters))
  }
  of.push(...parseFilterList(params.facetFilters, parseFacetFilter, 'facetFilters'))
  of.push(...parseFilterList(params.numericFilters, parseNumericFilter, 'numericFilters'))
  return allOf(of)
}

/** One tree that matches when all of them match; null when there are none. */
export function allOf(trees: Filter[]): Filter | null {
  const of = trees.flatMap((tree) => (tree.kind === 'and' ? tree.of : [tree]))
  if (of.length === 0) return null
  return of.length === 1 ? of[0]! : { kind: 'and', of }
}

const nothing: Filter = { kind: 'or', of: [] }

/**
 * The tree of expressions the caller cannot remove. One that names an attribute the index cannot filter by matches
 * nothing: under NOT it would otherwise match everything.
 */
export function restrictionOf(restrictions: readonly string[] | undefined, columns: readonly { name: string }[]): Filter | null {
  const trees = (restrictions ?? []).map(parseFilters)
  const known = new Set(['objectID', ...columns.map(({ name }) => name)])
  return trees.some((tree) => attributesOf(tree).some((name) => !known.has(name))) ? nothing : allOf(trees)
}

function attributesOf(filter: Filter): string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.of.flatMap(attributesOf)
  return filter.kind === 'not' ? attributesOf(filter.of) : [filter.attribute]
}
