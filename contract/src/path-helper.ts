/**
 * Paths and patterns, for server and browser. Source: spec §2 path helper, R-282…R-284.
 *
 * Patterns use the specification's notation for addresses: `/p/{slug}-{id}`, `/pro/{pageType:trade|industry}/{slug}`,
 * `/confirmation/{requestId?}` (optional last segment), `/webview/{path*}` (the rest). The colon form of the named
 * pages (`/api/auth/:path*`) means the same.
 */

export type PathParams = Record<string, string>
export type QueryInput = Record<string, string | number | boolean | null | undefined | readonly (string | number)[]>

export interface ParsedUrl {
  pathname: string
  /** With its question mark; empty without a query. */
  search: string
  /** Empty when no pattern was given or it does not match. */
  pathParams: PathParams
  /** A repeated parameter is a list. */
  queryParams: Record<string, string | string[]>
}

/** The parameters of a pattern, derived from its text by the compiler. */
export type ParamsOf<Pattern extends string> = Pattern extends `${string}{${infer Param}}${infer Rest}`
  ? ParamOf<Param> & ParamsOf<Rest>
  : unknown
type ParamOf<Param extends string> = Param extends `${infer Name}:${infer Choice}`
  ? { [Key in Name]: ChoiceOf<Choice> }
  : Param extends `${infer Name}?`
    ? { [Key in Name]?: string | number }
    : Param extends `${infer Name}*`
      ? { [Key in Name]: string }
      : { [Key in Param]: string | number }
type ChoiceOf<Choice extends string> = Choice extends `${infer First}|${infer Rest}` ? First | ChoiceOf<Rest> : Choice

export interface Segment {
  /** The whole segment is this literal. */
  word?: string
  /** Otherwise: the pattern of the decoded segment, and the names of its groups. */
  shape?: RegExp
  params: string[]
  kind: 'one' | 'optional' | 'rest'
  /** Number of literal characters: the more, the more specific the segment. */
  fixed: number
}

const maximumPath = 2048
const compiled = new Map<string, Segment[]>()

/** Compiles a pattern into segments, once. Throws on an invalid pattern. */
export function segmentsOf(pattern: string): Segment[] {
  const known = compiled.get(pattern)
  if (known) return known
  const segments = pattern.split('/').filter(Boolean).map(compileSegment)
  segments.forEach((segment, index) => {
    if (segment.kind !== 'one' && index !== segments.length - 1)
      throw new Error(`Only the last segment may be optional or the rest: ${pattern}`)
  })
  compiled.set(pattern, segments)
  return segments
}

function compileSegment(text: string): Segment {
  const colon = /^:([A-Za-z]\w*)([*?]?)$/.exec(text)
  const source = colon ? `{${colon[1]}${colon[2]}}` : text
  if (!source.includes('{')) return { word: source, params: [], kind: 'one', fixed: source.length }
  const params: string[] = []
  let shape = ''
  let fixed = 0
  let kind: Segment['kind'] = 'one'
  const shared = !/^\{[^{}]*\}$/.test(source)
  for (const [, literal, param] of source.matchAll(/([^{}]+)|\{([^{}]+)\}/g)) {
    if (literal) {
      shape += escapeRegExp(literal)
      fixed += literal.length
    } else if (param) {
      const parts = /^([A-Za-z]\w*)(?::(.+)|([?*]))?$/.exec(param)
      if (!parts) throw new Error(`Not a parameter: {${param}}`)
      const [, name = '', choice, mark] = parts
      params.push(name)
      if (mark) kind = mark === '*' ? 'rest' : 'optional'
      // In `{slug}-{id}` the id is the last run of digits (decision 1); an id alone in its segment may be any text.
      if (choice) shape += `(${choice.split('|').map(escapeRegExp).join('|')})`
      else if (name === 'id' && shared) shape += '(\\d{1,18})'
      else if (name === 'pageNumber') shape += '([1-9]\\d{0,8})'
      else if (name === 'customerOrderId') shape += '([A-Za-z0-9_-]{1,64})'
      else shape += '([\\s\\S]+)'
      if (choice) fixed += 1
    }
  }
  return { shape: new RegExp(`^${shape}$`), params, kind, fixed }
}

/** Decoded segments of a path; null when it cannot be one of ours (bad escapes, control characters, dots, too long). */
export function pathSegments(path: string): string[] | null {
  const pathname = pathnameOf(path)
  if (pathname.length > maximumPath) return null
  const raw = pathname.split('/')
  const segments: string[] = []
  for (const part of raw) {
    if (part === '') continue
    const plain = decodeSegment(part)
    if (plain === null || plain === '.' || plain === '..') return null
    segments.push(plain)
  }
  return segments
}

function decodeSegment(part: string): string | null {
  let plain = part
  if (part.includes('%')) {
    try {
      plain = decodeURIComponent(part)
    } catch {
      return null
    }
  }
  for (let index = 0; index < plain.length; index++) {
    const code = plain.charCodeAt(index)
    if (code < 32 || code === 127) return null
  }
  return plain
}

/** Matches one decoded segment and adds its parameters to `into`; false when it does not match. */
export function readSegment(segment: Segment, text: string, into: PathParams): boolean {
  if (segment.word !== undefined) return segment.word === text
  const found = segment.shape?.exec(text)
  if (!found) return false
  segment.params.forEach((name, index) => (into[name] = found[index + 1] ?? ''))
  return true
}

/** Matches a path against a pattern, ignoring query string and fragment. Null when it does not match. */
export function matchPath(pattern: string, path: string): PathParams | null {
  const wanted = segmentsOf(pattern)
  const given = pathSegments(path)
  if (!given) return null
  const params: PathParams = {}
  for (const [index, segment] of wanted.entries()) {
    if (segment.kind === 'rest') {
      params[segment.params[0] ?? ''] = given.slice(index).join('/')
      return params
    }
    const text = given[index]
    if (text === undefined) return segment.kind === 'optional' ? params : null
    if (!readSegment(segment, text, params)) return null
  }
  return given.length > wanted.length ? null : params
}

/** Parses a URL (absolute or relative to the root); with a pattern its path parameters too. */
export function parseUrl(url: string, pattern?: string): ParsedUrl {
  const parsed = new URL(url, 'http://localhost')
  const queryParams: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of parsed.searchParams) {
    const before = queryParams[name]
    if (before === undefined) queryParams[name] = value
    else if (Array.isArray(before)) before.push(value)
    else queryParams[name] = [before, value]
  }
  const pathParams = pattern === undefined ? {} : (matchPath(pattern, parsed.pathname) ?? {})
  return { pathname: parsed.pathname, search: parsed.search, pathParams, queryParams }
}

/** Builds a URL from pattern, parameters and query; throws when a required parameter is missing or empty. */
export function buildUrl(pattern: string, params: Record<string, string | number | undefined> = {}, query?: QueryInput): string {
  const path = pattern
    .replace(/:([A-Za-z]\w*[*?]?)(?=\/|$)/g, (whole, name: string, at: number) => (pattern[at - 1] === '/' ? `{${name}}` : whole))
    .replace(/\/?\{([A-Za-z]\w*)(?::([^{}]+)|([?*]))?\}/g, (whole, name: string, choice?: string, mark?: string) => {
      const lead = whole.startsWith('/') ? '/' : ''
      const value = params[name] === undefined ? '' : String(params[name])
      if (value === '') {
        if (mark) return ''
        throw new Error(`The address ${pattern} needs a ${name}`)
      }
      if (choice && !choice.split('|').includes(value)) throw new Error(`${name} of ${pattern} may not be ${value}`)
      return lead + (mark === '*' ? value.split('/').map(encodePathPart).join('/') : encodePathPart(value))
    })
  return (path === '' ? '/' : path) + queryString(query)
}

/** `?a=1&b=2&b=3`, or an empty text; null, undefined and empty lists are left out. */
export function queryString(query: QueryInput = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  const text = search.toString()
  return text && `?${text}`
}

// encodeURIComponent throws on a lone surrogate, which a visitor can paste into a search field.
function encodePathPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function pathnameOf(path: string): string {
  const end = path.search(/[?#]/)
  return end < 0 ? path : path.slice(0, end)
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** The slug of an address: "Perceuse à percussion 18 V" → "perceuse-a-percussion-18-v". */
export function slugOf(text: string): string {
  const slug = text
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return slug || 'x'
}
