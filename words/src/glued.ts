/**
 * Finds sentences concatenated from messages. A message must stand alone in a line of text: next to another message, a value or
 * literal text it is part of a sentence that other languages order differently. Separate boxes are not a sentence: in
 * JSX they have no whitespace between them, in HTML a tag.
 */
import { childrenOf, nameOf, nodeAt, nodesOf, type Node } from './syntax.ts'

interface Glued {
  node: Node
  why: string
}

/** Separators that are not part of a sentence. */
const separators = /^[\s·|•]*$/
/** Inline elements, which continue the same line of text. */
const phrasing = new Set('a abbr b bdi cite code del dfn em i ins kbd mark q s small span strong sub sup time u var'.split(' '))

export function gluedIn(nodes: readonly Node[], keys: ReadonlySet<string>, path: string): Glued[] {
  const isUi = path.startsWith('ui/')
  const named = new Set<string>()
  const isMessage = (node: Node | undefined): boolean => {
    if (!node) return false
    switch (node.type) {
      case 'CallExpression':
        return (
          isCallOfMessage(node, keys, isUi) ||
          childrenOf(node['arguments'])
            .slice(0, 1)
            .some((first) => isMessage(first))
        )
      case 'MemberExpression':
        return isUi && nameOf(nodeAt(node, 'object')) === 'words'
      case 'ConditionalExpression':
        return isMessage(nodeAt(node, 'consequent')) || isMessage(nodeAt(node, 'alternate'))
      case 'LogicalExpression':
        return isMessage(nodeAt(node, 'right')) || (node['operator'] !== '&&' && isMessage(nodeAt(node, 'left')))
      case 'Identifier':
        return named.has(nameOf(node))
      default:
        return false
    }
  }
  for (const node of nodes) {
    const name = nameOf(nodeAt(node, 'id'))
    if (node.type === 'VariableDeclarator' && name && isMessage(nodeAt(node, 'init'))) named.add(name)
  }
  return nodes.flatMap((node): Glued[] => {
    if (node.type === 'TemplateLiteral' && isGluedTemplate(node, isMessage))
      return [{ node, why: 'a message is glued into a text; make the whole text one message' }]
    if (
      node.type === 'BinaryExpression' &&
      node['operator'] === '+' &&
      (isMessage(nodeAt(node, 'left')) || isMessage(nodeAt(node, 'right')))
    )
      return [{ node, why: 'a message is added to a text; make the whole text one message' }]
    if (node.type === 'CallExpression' && isGluedJoin(node, isMessage))
      return [{ node, why: 'messages are joined in one line; make the whole text one message' }]
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      return gluedChildren(node, isMessage).map((child) => ({
        node: child,
        why: 'a message stands in one line with other text; make it one message, with tags for links',
      }))
    return []
  })
}

/** `t('…')`, `context.t('…')`, `t.rich('…')`, `wordsFor(market)('…')`, or any call with a key. */
function isCallOfMessage(call: Node, keys: ReadonlySet<string>, isUi: boolean): boolean {
  const callee = nodeAt(call, 'callee')
  const [first] = childrenOf(call['arguments'])
  if (first?.type === 'Literal' && typeof first['value'] === 'string' && keys.has(first['value'])) return true
  if (nameOf(callee) === 't') return true
  if (callee?.type === 'CallExpression') return /^(?:words|html)For$/.test(nameOf(nodeAt(callee, 'callee')))
  if (callee?.type !== 'MemberExpression') return false
  const property = nameOf(nodeAt(callee, 'property'))
  return (
    property === 't' ||
    (property === 'rich' && nameOf(nodeAt(callee, 'object')) === 't') ||
    (isUi && nameOf(nodeAt(callee, 'object')) === 'words')
  )
}

type Asks = (node: Node | undefined) => boolean

/** Tags, quotes and line breaks split the template into runs of text. */
function isGluedTemplate(template: Node, isMessage: Asks): boolean {
  const texts = childrenOf(template['quasis']).map(({ value }) =>
    typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '',
  )
  const expressions = childrenOf(template['expressions'])
  return expressions.some((expression, index) => {
    if (!isMessage(expression)) return false
    const before = texts[index] ?? ''
    const after = texts[index + 1] ?? ''
    const isParted = (text: string) => /[<>"\n·|•]/.test(text)
    const near = `${before.split(/[<>"\n]/).at(-1) ?? ''}${after.split(/[<>"\n]/)[0] ?? ''}`
    if (!separators.test(near)) return true
    return (index > 0 && !isParted(before)) || (index < expressions.length - 1 && !isParted(after))
  })
}

function isGluedJoin(call: Node, isMessage: Asks): boolean {
  const callee = nodeAt(call, 'callee')
  const list = nodeAt(callee, 'object')
  if (nameOf(nodeAt(callee, 'property')) !== 'join' || list?.type !== 'ArrayExpression') return false
  const [by] = childrenOf(call['arguments'])
  if (typeof by?.['value'] === 'string' && /[\n<·|•]/.test(by['value'])) return false
  const items = childrenOf(list['elements'])
  return items.length > 1 && items.some((item) => isMessage(item))
}

type Token = { node: Node } & ({ kind: 'text'; text: string } | { kind: 'message' | 'value'; isBox: boolean } | { kind: 'box' })

/** Children of an element that are concatenated with a neighbour. */
function gluedChildren(element: Node, isMessage: Asks): Node[] {
  const tokens = childrenOf(element['children']).flatMap((child): Token[] => tokenOf(child, isMessage))
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'message') return []
    return [-1, 1].some((step) => isGluedTo(token, tokens[index + step], tokens[index + 2 * step])) ? [token.node] : []
  })
}

function isGluedTo(token: Token & { kind: 'message' | 'value' }, next: Token | undefined, beyond: Token | undefined): boolean {
  if (next?.kind === 'text') {
    if (!separators.test(next.text)) return true
    return /^\s*$/.test(next.text) && (beyond?.kind === 'message' || beyond?.kind === 'value')
  }
  // Elements without whitespace between them are separate boxes; two texts form one.
  return (next?.kind === 'message' || next?.kind === 'value') && !token.isBox && !next.isBox
}

function tokenOf(child: Node, isMessage: Asks): Token[] {
  if (child.type === 'JSXText') {
    const text = shownText(typeof child['value'] === 'string' ? child['value'] : '')
    return text ? [{ node: child, kind: 'text', text }] : []
  }
  if (child.type === 'JSXExpressionContainer') {
    const expression = nodeAt(child, 'expression')
    if (!expression || expression.type === 'JSXEmptyExpression') return []
    if (expression.type === 'Literal' && typeof expression['value'] === 'string')
      return [{ node: child, kind: 'text', text: expression['value'] }]
    if (isMessage(expression)) return [{ node: child, kind: 'message', isBox: false }]
    return [rendersElements(expression) ? { node: child, kind: 'box' } : { node: child, kind: 'value', isBox: false }]
  }
  if (child.type !== 'JSXElement') return [{ node: child, kind: 'box' }]
  const name = nameOf(nodeAt(nodeAt(child, 'openingElement'), 'name'))
  if (!phrasing.has(name)) return [{ node: child, kind: 'box' }]
  const inner = childrenOf(child['children']).flatMap((each) => tokenOf(each, isMessage))
  if (inner.every(({ kind }) => kind === 'box')) return [{ node: child, kind: 'box' }]
  return [{ node: child, kind: inner.some(({ kind }) => kind === 'message') ? 'message' : 'value', isBox: true }]
}

/** A bare identifier may hold anything: it counts as elements, as do conditionals and lists of them. */
function rendersElements(expression: Node): boolean {
  return expression.type === 'Identifier' || nodesOf(expression).some(({ type }) => type === 'JSXElement' || type === 'JSXFragment')
}

/** Whitespace as in JSX: a line break with its surrounding blanks disappears. */
function shownText(raw: string): string {
  if (!raw.includes('\n')) return raw
  return raw
    .split('\n')
    .map((line, index, lines) => (index === 0 ? line.trimEnd() : index === lines.length - 1 ? line.trimStart() : line.trim()))
    .filter(Boolean)
    .join(' ')
}
