/** A node of the syntax tree, as far as the checks need it. */
export interface Node {
  type: string
  start: number
  [field: string]: unknown
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Nodes of a field that holds one, several or none. */
export function childrenOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
}

/** All nodes below one, itself included. */
export function nodesOf(root: unknown): Node[] {
  const found: Node[] = []
  const visit = (node: Node): void => {
    found.push(node)
    for (const [field, value] of Object.entries(node)) if (field !== 'type') for (const child of childrenOf(value)) visit(child)
  }
  for (const node of childrenOf(root)) visit(node)
  return found
}

/** The field of a node that holds one node. */
export function nodeAt(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field]
  return isNode(value) ? value : undefined
}

export function nameOf(node: Node | undefined): string {
  return typeof node?.['name'] === 'string' ? node['name'] : ''
}
