import { SaxesParser } from 'saxes'

/** An element of a small document. */
export interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

const maxDepth = 32
const maxElements = 20_000

/**
 * Parses a document of bounded depth and size; null if it is not well-formed. The parser loads no DTD and knows the five predefined
 * entities alone; a document that declares entities of its own is refused.
 */
export function parseXml(text: string): Element | null {
  const parser = new SaxesParser({ xmlns: false })
  const path: Element[] = []
  let root: Element | null = null
  let elements = 0
  const refuse = (reason: string) => {
    throw new Error(reason)
  }
  parser.on('error', (error) => refuse(error.message))
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) refuse('An internal DTD is not accepted')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > maxElements || path.length >= maxDepth) refuse('The document is too large')
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: '' }
    path.at(-1)?.children.push(element)
    path.push(element)
    root ??= element
  })
  const append = (part: string) => {
    const open = path.at(-1)
    if (open) open.text += part
  }
  parser.on('text', append)
  parser.on('cdata', append)
  parser.on('closetag', () => void path.pop())
  try {
    parser.write(text).close()
    return root
  } catch {
    return null
  }
}

/** The first descendant on a path of element names. */
export function at(element: Element | null | undefined, ...names: string[]): Element | undefined {
  return names.reduce<Element | undefined>((found, name) => found?.children.find((child) => child.name === name), element ?? undefined)
}

export function all(element: Element | undefined, name: string): Element[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

export function textAt(element: Element | null | undefined, ...names: string[]): string {
  return at(element, ...names)?.text.trim() ?? ''
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text and attribute values; characters that XML cannot contain are dropped. */
export function escapeXml(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]|\p{Cs}/gu, '').replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
