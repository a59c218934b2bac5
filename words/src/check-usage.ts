/** Checks the use of messages: each is used, and as a sentence of its own. */
import { parseSync } from 'oxc-parser'
import { languages } from '@purlin/contract/markets.ts'
import { gluedIn } from './glued.ts'
import { childrenOf, nameOf, nodeAt, nodesOf, type Node } from './syntax.ts'

export interface Source {
  path: string
  text: string
}

/** Unused messages, and sentences concatenated from messages. */
export function checkUsage(sources: readonly Source[], keys: ReadonlySet<string>): string[] {
  const used = new Set<string>()
  const patterns: RegExp[] = []
  const glued: string[] = []
  const scattered: string[] = []
  for (const { path, text } of sources) {
    const { program } = parseSync(path, text)
    const nodes = nodesOf(program)
    const lineOf = (node: Node) => text.slice(0, node.start).split('\n').length
    for (const node of nodes) {
      if (node.type === 'Literal' && typeof node.value === 'string' && keys.has(node.value)) used.add(node.value)
      if (isOwnCatalogue(node)) scattered.push(`${path}:${lineOf(node)}: words in every language stand in the catalogues (words/README.md)`)
      const pattern = patternOf(node)
      if (pattern) patterns.push(pattern)
    }
    for (const { node, why } of gluedIn(nodes, keys, path)) glued.push(`${path}:${lineOf(node)}: ${why}`)
  }
  const unused = [...keys].filter((key) => !used.has(key) && !patterns.some((pattern) => pattern.test(key)))
  return [...unused.map((key) => `${key} is said nowhere: delete it in every language`), ...glued, ...scattered]
}

/** An object with a text per language: a second catalogue. */
function isOwnCatalogue(node: Node): boolean {
  if (node.type !== 'ObjectExpression') return false
  const texts = childrenOf(node['properties']).filter((property) =>
    /^(?:TemplateLiteral|Literal|ArrowFunctionExpression)$/.test(nodeAt(property, 'value')?.type ?? ''),
  )
  const names = new Set(texts.map((property) => nameOf(nodeAt(property, 'key'))))
  return languages.every((language) => names.has(language))
}

/** `search.tip.${tip}` matches every message of that form; each placeholder matches one word between dots. */
function patternOf(node: Node): RegExp | undefined {
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis) || node.quasis.length < 2) return undefined
  const parts = node.quasis.map(({ value }: { value: { cooked: string } }) => value.cooked)
  if (!/^[a-z][\w-]*\./.test(String(parts[0])) || !parts.every((part) => /^[\w.-]*$/.test(String(part)))) return undefined
  return new RegExp(`^${parts.map((part) => String(part).replaceAll('.', '\\.')).join('[^.]+')}$`)
}
