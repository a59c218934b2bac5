import { SaxesParser } from 'saxes'

/** Articles of Google's feed: its attributes by name. @throws for a document that is not well-formed */
export function readGoogleFeed(xml: string): Record<string, string>[] {
  const items: Record<string, string>[] = []
  const path: string[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    path.push(name)
    if (name === 'item') items.push({})
  })
  const text = (value: string) => {
    const [item, name] = [items.at(-1), path.slice(path.indexOf('item') + 1).join('.')]
    if (item && path.includes('item') && name) item[name] = (item[name] ?? '') + value
  }
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', () => path.pop())
  parser.write(xml).close()
  return items
}

/** Addresses of a sitemap or of the index of sitemaps. @throws for a document that is not well-formed */
export function readLocations(xml: string): string[] {
  const found: string[] = []
  let inside = false
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    inside = name === 'loc'
    if (inside) found.push('')
  })
  parser.on('text', (value) => inside && found.push((found.pop() ?? '') + value))
  parser.on('closetag', () => (inside = false))
  parser.write(xml).close()
  return found
}

const money = /^\d+\.\d\d [A-Z]{3}$/
/** Google's limits: https://support.google.com/merchants/answer/7052112 */
const rules: readonly [name: string, isRight: (value: string) => boolean, isRequired: boolean][] = [
  ['g:id', (value) => value.length <= 50, true],
  ['g:title', (value) => value.length <= 150, true],
  ['g:description', (value) => value.length <= 5_000, true],
  ['g:link', (value) => URL.canParse(value), true],
  ['g:image_link', (value) => URL.canParse(value) && !/\.svg(?:\?|$)/.test(value), true],
  ['g:availability', (value) => ['in_stock', 'out_of_stock', 'preorder', 'backorder'].includes(value), true],
  ['g:condition', (value) => ['new', 'refurbished', 'used'].includes(value), true],
  ['g:price', (value) => money.test(value) && parseFloat(value) > 0, true],
  ['g:sale_price', (value) => money.test(value), false],
  ['g:brand', (value) => value.length <= 70, true],
  // Numbers that begin with 2 are for use within a company and identify nothing outside it.
  ['g:gtin', (value) => /^\d{8}(?:\d{4,6})?$/.test(value) && !/^0*2\d{12}$/.test(value), false],
  ['g:mpn', (value) => value.length <= 70, false],
  ['g:product_type', (value) => value.length <= 750, false],
  ['g:shipping.g:price', (value) => money.test(value), true],
  ['g:shipping.g:country', (value) => /^[A-Z]{2}$/.test(value), true],
]

/** Mistakes for which Google would refuse the feed or an article of it. */
export function feedProblems(items: readonly Record<string, string>[]): string[] {
  const problems: string[] = []
  const known = new Set<string>()
  for (const item of items) {
    const id = item['g:id'] ?? ''
    if (known.has(id)) problems.push(`${id}: listed twice`)
    known.add(id)
    for (const [name, isRight, isRequired] of rules) {
      const value = item[name]
      if (value === undefined ? isRequired : !isRight(value)) problems.push(`${id}: ${name} is ${value ?? 'missing'}`)
    }
    if (!item['g:gtin'] && !(item['g:mpn'] && item['g:brand'])) problems.push(`${id}: no identifier`)
    if (item['g:sale_price'] && parseFloat(item['g:sale_price']) >= parseFloat(item['g:price'] ?? '0'))
      problems.push(`${id}: the sale price is no reduction`)
  }
  return problems
}
