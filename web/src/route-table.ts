import { pathSegments, readSegment, segmentsOf, type PathParams, type Segment } from '@purlin/contract/path-helper.ts'

export interface CachePolicy {
  /** How long a page is fresh. */
  seconds: number
  /** How much longer it is served stale while being revalidated. */
  stale: number
  /** Purge tags; `{name}` stands for a path parameter, `{site}` for the site's own tag. */
  tags: readonly string[]
  /** Query parameters the page depends on; all others are ignored and not shown to it. */
  query?: readonly string[]
}

/** One row of the route table. `Access`, `Layout` and `Variant` are defined by the shop. */
export type Route<Access extends string = string, Layout extends string = string, Variant extends string = string> = Serving &
  RouteFacts<Access, Layout, Variant>

/** Each row is served by one of these: a row without any does not compile. */
export type Serving =
  /** File of the page, relative to the folder of the table. */
  | { page: string; redirect?: undefined; endpoint?: undefined }
  | { page?: undefined; redirect: { status: 301 | 302 | 307 | 308; to: string }; endpoint?: undefined }
  /** A handler of its own. */
  | { page?: undefined; redirect?: undefined; endpoint: 'served' }

export interface RouteFacts<Access extends string = string, Layout extends string = string, Variant extends string = string> {
  name: string
  /** Public addresses; links are built from the first. */
  addresses: readonly string[]
  /** The named-page paths of the specification; requested directly they redirect to the public address. */
  named?: readonly string[]
  /** Redirect target of a named path requested without the parameters its address needs. */
  fallback?: string
  access: Access
  layout: Layout
  cache?: CachePolicy
  /** Names of experiments whose variation the page shows. */
  experiments?: readonly string[]
  indexable: boolean
  /** Messages that a redirect to this page may leave: a shared page holds these, because it cannot read the cookie. */
  flashes?: readonly string[]
  /** Only in this variant of the site. */
  only?: Variant
}

export interface Match<Row> {
  route: Row
  /** The index of the row's address, or of its named path. */
  pattern: string
  isNamed: boolean
  params: PathParams
}

interface Node<Row> {
  words: Map<string, Node<Row>>
  /** Patterns, most specific first. */
  shapes: { segment: Segment; text: string; node: Node<Row> }[]
  ends: End<Row>[]
}
interface End<Row> {
  route: Row
  pattern: string
  isNamed: boolean
}

export type RouteMatcher<Row> = (pathname: string, variant?: string) => Match<Row> | null

/**
 * Compiles a table into a tree by segments: static segments win over patterns, patterns with more literal
 * characters over those with fewer (`/seller-{id}` over `/{category}-{id}`). Throws when two rows claim one address.
 */
export function compileRoutes<Row extends Route>(routes: readonly Row[]): RouteMatcher<Row> {
  const root = emptyNode<Row>()
  for (const route of routes) {
    for (const pattern of route.addresses) insert(root, { route, pattern, isNamed: false })
    // A named path that is also a public address is that address.
    for (const pattern of route.named ?? [])
      if (!routes.some((other) => other.addresses.includes(pattern))) insert(root, { route, pattern, isNamed: true })
  }
  return (pathname, variant) => {
    const given = pathSegments(pathname)
    if (!given) return null
    const params: PathParams = {}
    const end = walk(root, given, 0, params, variant)
    return end && { route: end.route, pattern: end.pattern, isNamed: end.isNamed, params }
  }
}

function emptyNode<Row>(): Node<Row> {
  return { words: new Map(), shapes: [], ends: [] }
}

function insert<Row extends Route>(root: Node<Row>, end: End<Row>): void {
  let node = root
  for (const segment of segmentsOf(end.pattern)) {
    if (segment.kind !== 'one') addEnd(node, end)
    node = segment.word === undefined ? shapeNode(node, segment) : wordNode(node, segment.word)
  }
  addEnd(node, end)
}

function addEnd<Row extends Route>(node: Node<Row>, end: End<Row>): void {
  // Several named pages may share one path (login, subscribe and funnelLogin do): the first row of the table is served.
  const rival = node.ends.find((other) => other.route.only === end.route.only || !other.route.only || !end.route.only)
  if (!rival) node.ends.push(end)
  else if (!(rival.isNamed && end.isNamed)) throw new Error(`${rival.route.name} and ${end.route.name} both claim ${end.pattern}`)
}

function wordNode<Row>(node: Node<Row>, word: string): Node<Row> {
  let next = node.words.get(word)
  if (!next) node.words.set(word, (next = emptyNode()))
  return next
}

function shapeNode<Row>(node: Node<Row>, segment: Segment): Node<Row> {
  const text = `${segment.kind} ${segment.shape} ${segment.params}`
  const known = node.shapes.find((shape) => shape.text === text)
  if (known) return known.node
  const added = { segment, text, node: emptyNode<Row>() }
  node.shapes.push(added)
  node.shapes.sort((one, other) => particularity(other.segment) - particularity(one.segment))
  return added.node
}

function particularity(segment: Segment): number {
  return segment.kind === 'rest' ? -1 : segment.fixed
}

function walk<Row extends Route>(node: Node<Row>, given: string[], at: number, params: PathParams, variant?: string): End<Row> | null {
  if (at === given.length) return node.ends.find((end) => !end.route.only || variant === undefined || end.route.only === variant) ?? null
  const text = given[at] ?? ''
  const word = node.words.get(text)
  const found = word && walk(word, given, at + 1, params, variant)
  if (found) return found
  for (const { segment, node: next } of node.shapes) {
    if (segment.kind === 'rest') {
      params[segment.params[0] ?? ''] = given.slice(at).join('/')
      return next.ends[0] ?? null
    }
    if (!readSegment(segment, text, params)) continue
    const end = walk(next, given, at + 1, params, variant)
    if (end) return end
    for (const name of segment.params) delete params[name]
  }
  return null
}
