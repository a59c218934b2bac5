/** Elements of XML; texts are escaped, elements without content are left out. */
export interface Xml {
  xml: string
}
export type Content = string | readonly (Xml | null)[] | null

export function el(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Xml | null {
  if (content === null || content === '') return null
  const inner = typeof content === 'string' ? escaped(content) : content.map((child) => child?.xml ?? '').join('')
  if (inner === '') return null
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`)
  return { xml: `<${name}${given.join('')}>${inner}</${name}>` }
}

export function xmlDocument(root: Xml | null): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root?.xml ?? ''}\n`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML 1.0 has no place for are left out. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}
