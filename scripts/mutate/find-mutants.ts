/**
 * The mutants of a source file: one small mistake each, as a replacement for a range of text. Constants, negations and
 * boundaries, arithmetic, swapped fields of an object, removed calls. Types, SQL, imports and error messages are excluded.
 */
import { parseSync } from 'vite'

export interface Mutant {
  path: string
  kind: 'constant' | 'negation' | 'arithmetic' | 'swapped field' | 'removed call'
  start: number
  end: number
  /** Replaces the range. */
  text: string
  line: number
  /** The source line before and after; together with the path they identify the mutant. */
  code: string
  becomes: string
}

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}
type Found = Pick<Mutant, 'kind' | 'start' | 'end' | 'text'>

const opposite: Record<string, string> = { '===': '!==', '!==': '===', '<': '<=', '<=': '<', '>': '>=', '>=': '>', '&&': '||', '||': '&&' }
const otherSign: Record<string, string> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }
/** Type nodes that contain value expressions. */
const transparent = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])
/** Statement names, SQL texts and messages in five languages are not behaviour that a test should pin. */
const unnamed = new Set(['name', 'text', 'sql', 'description', 'help', 'en', 'fr', 'de', 'es', 'it'])

export function findMutants(path: string, source: string): Mutant[] {
  const found: Found[] = []
  const text = (node: Node) => source.slice(node.start, node.end)
  const add = (kind: Mutant['kind'], { start, end }: Node, replacement: string) => void found.push({ kind, start, end, text: replacement })

  const { program } = parseSync(path, source)
  if (isNode(program)) visit(program, undefined, '')
  return found
    .filter(({ start, end, text: replacement }) => source.slice(start, end) !== replacement)
    .map((one) => ({ ...one, path, ...named(source, one) }))

  function visit(node: Node, parent: Node | undefined, key: string): void {
    if (isLeftOut(node, parent, key)) return
    mutate(node, parent, key)
    for (const [name, value] of Object.entries(node)) for (const child of [value].flat()) if (isNode(child)) visit(child, node, name)
  }

  function mutate(node: Node, parent: Node | undefined, key: string): void {
    if (node.type === 'Literal') return literal(node, parent, key)
    if (['IfStatement', 'ConditionalExpression', 'WhileStatement'].includes(node.type) && isNode(node['test'])) {
      const { test } = node
      if (test.type !== 'UnaryExpression' && !isComparison(test)) add('negation', test, `!(${text(test)})`)
    }
    if (node.type === 'UnaryExpression' && node['operator'] === '!' && isNode(node['argument']))
      add('negation', node, text(node['argument']))
    if (['BinaryExpression', 'LogicalExpression'].includes(node.type)) operator(node)
    if (node.type === 'ObjectExpression') fields(node)
    if (node.type === 'ExpressionStatement') call(node)
  }

  function literal(node: Node, parent: Node | undefined, key: string): void {
    const { value } = node
    if (typeof value === 'number') add('constant', node, String(value + 1))
    if (typeof value === 'boolean') add('constant', node, String(!value))
    if (typeof value !== 'string' || key === 'source' || node['regex']) return
    const isCompared = parent?.type === 'BinaryExpression' || parent?.type === 'SwitchCase'
    const isGiven = ['ReturnStatement', 'ArrowFunctionExpression', 'ConditionalExpression', 'LogicalExpression', 'Property'].includes(
      parent?.type ?? '',
    )
    if (isCompared || isGiven) add('constant', node, JSON.stringify(`${value}~`))
  }

  function operator(node: Node): void {
    const sign = String(node['operator'])
    const other = opposite[sign] ?? otherSign[sign]
    const { left, right } = node
    if (!other || !isNode(left) || !isNode(right)) return
    // Strings are concatenated, not added.
    if (sign === '+' && [left, right].some(({ type, value }) => type === 'TemplateLiteral' || typeof value === 'string')) return
    const between = source.slice(left.end, right.start).replace(sign, other)
    // In mixed expressions, && and || keep their precedence.
    add(opposite[sign] ? 'negation' : 'arithmetic', node, `(${text(left)})${between}(${text(right)})`)
  }

  function fields(node: Node): void {
    const properties = (node['properties'] as Node[]).filter((each) => each.type === 'Property' && !each['computed'] && !each['method'])
    for (const [index, property] of properties.entries()) {
      const next = properties[index + 1]
      if (!next || source.slice(property.end, next.start).trim() !== ',') continue
      const [first, second] = [property['value'], next['value']]
      if (!isNode(first) || !isNode(second) || !isField(first) || !isField(second) || text(first) === text(second)) continue
      const keyOf = (each: Node) => text(each['key'] as Node)
      const swapped = `${keyOf(property)}: ${text(second)}, ${keyOf(next)}: ${text(first)}`
      add('swapped field', { type: '', start: property.start, end: next.end }, swapped)
    }
  }

  function call(node: Node): void {
    const { expression } = node
    if (!isNode(expression)) return
    const inner = expression.type === 'AwaitExpression' ? expression['argument'] : expression
    if (isNode(inner) && inner.type === 'CallExpression') add('removed call', node, ';')
  }
}

function isLeftOut(node: Node, parent: Node | undefined, key: string): boolean {
  if (node.type.startsWith('TS') && !transparent.has(node.type)) return true
  if (node.type === 'ImportDeclaration' || (key === 'typeAnnotation' && parent !== undefined)) return true
  // Text for developers: errors, logs, and the names and texts of statements.
  if (node.type === 'NewExpression' && String((node['callee'] as Node)['name']).endsWith('Error')) return true
  if (node.type === 'CallExpression' && isLog(node['callee'] as Node)) return true
  if (parent?.type === 'Property' && key === 'key') return true
  if (parent?.type === 'Property' && key === 'value' && isUnnamed(parent)) return true
  return node.type === 'TaggedTemplateExpression'
}

function isUnnamed(property: Node): boolean {
  const { key, value } = property as unknown as { key: Node; value: Node }
  return unnamed.has(String(key['name'])) && (value.type === 'Literal' || value.type === 'TemplateLiteral')
}

function isLog(callee: Node): boolean {
  if (callee.type !== 'MemberExpression') return false
  const { object, property } = callee as unknown as { object: Node; property: Node }
  return (
    ['debug', 'info', 'warn', 'error'].includes(String(property['name'])) &&
    String(object['name'] ?? (object['property'] as Node | undefined)?.['name']).endsWith('log')
  )
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
const isComparison = ({ type, operator }: Node) => type === 'BinaryExpression' && String(operator) in opposite
const isField = ({ type }: Node) => type === 'Identifier' || type === 'MemberExpression'

function named(source: string, { start, end, text }: Found): Pick<Mutant, 'line' | 'code' | 'becomes'> {
  const from = source.lastIndexOf('\n', start - 1) + 1
  const lineEnd = source.indexOf('\n', end)
  const to = lineEnd < 0 ? source.length : lineEnd
  const short = (words: string) => words.replace(/\s+/g, ' ').trim()
  return {
    line: source.slice(0, start).split('\n').length,
    code: short(source.slice(from, to)),
    becomes: short(source.slice(from, start) + text + source.slice(end, to)),
  }
}

/** The file with the mistake. */
export function withMutant(source: string, { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>): string {
  return source.slice(0, start) + text + source.slice(end)
}

/** The file with a probe at each mutant, which records that it was reached: `purlinHit(index)`. */
export function withProbes(source: string, mutants: readonly Mutant[]): string {
  const inserts = mutants.flatMap(({ start, end, kind }, index) => {
    const hit = `globalThis.purlinHit(${index})`
    // Two properties: the probe comes before them, in an empty spread.
    if (kind === 'swapped field') return [{ at: start, opens: true, order: end, text: `...(${hit}, {}), ` }]
    const [open, close] = kind === 'removed call' ? [`{${hit};`, '}'] : [`(${hit},`, ')']
    return [
      { at: start, opens: true, order: end, text: open },
      { at: end, opens: false, order: start, text: close },
    ]
  })
  // Applied from the end: at one position the outer range opens left of the inner one and closes right of it.
  const sorted = inserts.toSorted((a, b) => b.at - a.at || Number(b.opens) - Number(a.opens) || a.order - b.order)
  return sorted.reduce((text, { at, text: more }) => text.slice(0, at) + more + text.slice(at), source)
}
