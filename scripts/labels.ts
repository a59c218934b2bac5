/**
 * Checks that every control in JSX has a label: it is inside a `<label>`, has `aria-label` or `aria-labelledby`, or an `id` that a
 * `htmlFor` in the same file refers to. The linter's rule about labels does not cover inputs, selects and text areas.
 */
import { parseSync } from 'vite'
import type { Source } from './walls.ts'

interface Node {
  type: string
  start: number
  end: number
}
interface Attribute {
  name: string
  /** The literal value, without quotes; null without a value. */
  value: string | null
}

const controls = new Set(['input', 'select', 'textarea'])
const unseen = new Set(['hidden', 'submit', 'button', 'reset', 'image'])

export function unlabelledControls(sources: readonly Source[]): string[] {
  return sources.filter(({ path }) => path.endsWith('.tsx') && !path.includes('.test.')).flatMap(unlabelledIn)
}

function unlabelledIn({ path, text }: Source): string[] {
  const found: { id: string | undefined; name: string; line: number }[] = []
  const named = new Set<string | null>()
  visit(parseSync(path, text).program, false)
  return found
    .filter(({ id }) => id === undefined || !named.has(id))
    .map(({ name, line }) => `${path}:${line}: <${name}> has no label: put it into a <label>, or give it an id and a <label htmlFor>`)

  function visit(node: Node, inLabel: boolean): void {
    const tag = tagOf(node)
    if (tag) {
      const attributes = attributesOf(node)
      const value = (name: string) => attributes.find((attribute) => attribute.name === name)?.value ?? undefined
      if (tag === 'label') named.add(value('htmlFor') ?? null)
      // A component that takes an id and a label renders the label.
      if (/^[A-Z]/.test(tag) && value('label') !== undefined) named.add(value('id') ?? null)
      const isNamed = inLabel || value('aria-label') !== undefined || value('aria-labelledby') !== undefined
      if (controls.has(tag) && !isNamed && !unseen.has(value('type') ?? ''))
        found.push({ id: value('id'), name: tag, line: text.slice(0, node.start).split('\n').length })
    }
    for (const child of childrenOf(node)) visit(child, inLabel || tag === 'label')
  }

  function tagOf(node: Node): string | undefined {
    if (node.type !== 'JSXElement') return undefined
    return /^<([\w.]+)/.exec(text.slice(node.start, node.start + 40))?.[1]
  }

  function attributesOf(node: Node): Attribute[] {
    const [opening] = childrenOf(node).filter(({ type }) => type === 'JSXOpeningElement')
    if (!opening) return []
    return childrenOf(opening).flatMap((attribute) => {
      if (attribute.type !== 'JSXAttribute') return []
      const [name, value] = childrenOf(attribute)
      if (!name) return []
      const written = value ? text.slice(value.start, value.end).replace(/^["'{]|["'}]$/g, '') : null
      return [{ name: text.slice(name.start, name.end), value: written }]
    })
  }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && typeof value.type === 'string')
}
