import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { root } from './find-tests.ts'

/** Of the parser's tree, what is read here. */
interface Node {
  type: string
  [field: string]: unknown
}
/** Values of names: of a file's constants, and of the loops around a test. */
type Known = ReadonlyMap<string, unknown>

/** A value that only running the program would tell. */
const unknown = Symbol('unknown')

const files = new Map<string, { program: Node; constants: Map<string, Node>; imports: Map<string, { from: string; name: string }> }>()

/**
 * Titles of a file's tests as they run: loops around them over tables of the file, or of one it imports, are run through. A loop over anything
 * else counts once, and what is unknown of a title is "…".
 */
export function titlesIn(file: string): string[] {
  const titles: string[] = []
  walk(read(file).program, new Map(), file, titles)
  return titles
}

/** Number of tests whose title names an id. */
export function casesOf(file: string, id: string): number {
  const isNamed = new RegExp(`\\b${id}\\b`)
  return titlesIn(file).filter((title) => isNamed.test(title)).length
}

function walk(node: unknown, known: Known, file: string, titles: string[]): void {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, known, file, titles))
  if (!isNode(node)) return
  if (node.type === 'ForOfStatement') {
    const over = valueOf(node['right'], known, file)
    const each = isNode(node['left']) ? (node['left']['declarations'] as Node[] | undefined)?.[0]?.['id'] : undefined
    const rounds = over !== unknown && isIterable(over) ? [...over] : [unknown]
    for (const value of rounds) walk(node['body'], bind(each, value, known), file, titles)
    return
  }
  if (node.type === 'CallExpression' && isTestCall(node['callee'])) {
    const title = valueOf((node['arguments'] as Node[])[0], known, file)
    titles.push(typeof title === 'string' ? title : '…')
  }
  for (const value of Object.values(node)) if (typeof value === 'object') walk(value, known, file, titles)
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const isIterable = (value: unknown): value is Iterable<unknown> => typeof value === 'object' && value !== null && Symbol.iterator in value
const isTestCall = (callee: unknown) =>
  isNode(callee) && callee.type === 'Identifier' && (callee['name'] === 'test' || callee['name'] === 'it')

/** The names of a pattern with their values. */
function bind(pattern: unknown, value: unknown, known: Known): Known {
  if (!isNode(pattern)) return known
  if (pattern.type === 'Identifier') return new Map([...known, [String(pattern['name']), value]])
  if (pattern.type === 'ArrayPattern') {
    const parts = isIterable(value) ? [...value] : []
    return (pattern['elements'] as (Node | null)[]).reduce((all, each, at) => bind(each, at in parts ? parts[at] : unknown, all), known)
  }
  if (pattern.type === 'AssignmentPattern') return bind(pattern['left'], value, known)
  if (pattern.type !== 'ObjectPattern') return known
  return (pattern['properties'] as Node[]).reduce((all, each) => {
    const name = isNode(each['key']) ? String(each['key']['name'] ?? each['key']['value']) : ''
    const has = typeof value === 'object' && value !== null && name in value
    return bind(each['value'], has ? (value as Record<string, unknown>)[name] : unknown, all)
  }, known)
}

/** The value of an expression as far as tables and texts go. */
function valueOf(node: unknown, known: Known, file: string): unknown {
  if (!isNode(node)) return unknown
  const of = (inner: unknown) => valueOf(inner, known, file)
  switch (node.type) {
    case 'Literal':
      return node['value']
    case 'TemplateLiteral': {
      const parts = (node['expressions'] as Node[]).map((each) => {
        const value = of(each)
        return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '…'
      })
      return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }, at) => value.cooked + (parts[at] ?? '')).join('')
    }
    case 'ArrayExpression':
      return (node['elements'] as (Node | null)[]).flatMap((each) => {
        if (each?.type !== 'SpreadElement') return [of(each)]
        const spread = of(each['argument'])
        return isIterable(spread) ? [...spread] : []
      })
    case 'ObjectExpression':
      return Object.fromEntries(
        (node['properties'] as Node[]).flatMap((each): [string, unknown][] => {
          if (each.type === 'SpreadElement') {
            const spread = of(each['argument'])
            return typeof spread === 'object' && spread !== null ? Object.entries(spread) : []
          }
          const { key } = each
          const name = each['computed'] ? of(key) : isNode(key) ? (key['name'] ?? key['value']) : unknown
          return typeof name === 'string' || typeof name === 'number' ? [[String(name), of(each['value'])]] : []
        }),
      )
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'ParenthesizedExpression':
      return of(node['expression'])
    case 'MemberExpression': {
      const object = of(node['object'])
      const name = node['computed'] ? of(node['property']) : (node['property'] as Node)['name']
      const key = String(typeof name === 'symbol' ? '' : name)
      return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
        ? (object as Record<string, unknown>)[key]
        : unknown
    }
    case 'Identifier':
      return known.has(String(node['name'])) ? known.get(String(node['name'])) : constantOf(String(node['name']), file)
    case 'LogicalExpression': {
      const left = of(node['left'])
      return node['operator'] === '??' && (left === unknown || left === null || left === undefined) ? of(node['right']) : left
    }
    case 'CallExpression':
      return listOf(node, of)
    default:
      return unknown
  }
}

/** `Object.entries(table)` and its like. */
function listOf(call: Node, of: (inner: unknown) => unknown): unknown {
  const { callee } = call
  if (!isNode(callee) || callee.type !== 'MemberExpression' || (callee['object'] as Node)['name'] !== 'Object') return unknown
  const value = of((call['arguments'] as Node[])[0])
  if (typeof value !== 'object' || value === null) return unknown
  const name = (callee['property'] as Node)['name']
  if (name === 'entries') return Object.entries(value)
  if (name === 'keys') return Object.keys(value)
  return name === 'values' ? Object.values(value) : unknown
}

function constantOf(name: string, file: string): unknown {
  const { constants, imports } = read(file)
  const constant = constants.get(name)
  if (constant) return valueOf(constant, new Map(), file)
  const imported = imports.get(name)
  const from = imported && fileOf(imported.from, file)
  return from === undefined ? unknown : constantOf(imported?.name ?? name, from)
}

function fileOf(from: string, file: string): string | undefined {
  const [, workspace, rest = ''] = /^@purlin\/([a-z]+)\/(.+)$/.exec(from) ?? []
  const places = from.startsWith('.') ? [join(dirname(file), from)] : workspace ? [join(workspace, 'src', rest), join(workspace, rest)] : []
  return places.find((place) => place.endsWith('.ts') && existsSync(join(root, place)))
}

function read(file: string) {
  const found = files.get(file)
  if (found) return found
  const program = parseSync(file, readFileSync(join(root, file), 'utf8')).program as unknown as Node
  const constants = new Map<string, Node>()
  const imports = new Map<string, { from: string; name: string }>()
  for (const statement of program['body'] as Node[]) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement['declaration'] : statement
    if (isNode(declared) && declared.type === 'VariableDeclaration' && declared['kind'] === 'const')
      for (const { id, init } of declared['declarations'] as { id: Node; init: Node | null }[])
        if (id.type === 'Identifier' && init) constants.set(String(id['name']), init)
    if (statement.type === 'ImportDeclaration')
      for (const { local, imported } of statement['specifiers'] as { local: Node; imported?: Node }[])
        imports.set(String(local['name']), {
          from: String((statement['source'] as Node)['value']),
          name: String(imported?.['name'] ?? local['name']),
        })
  }
  const made = { program, constants, imports }
  files.set(file, made)
  return made
}
