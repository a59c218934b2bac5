/** A text of law or help, as the API sends it. Types follow contract/graphql/content.graphql. */
export interface TextSpan {
  text: string
  strong: boolean
  page: TextPage | null
  anchor: string | null
  href: string | null
}
export interface TextLine {
  spans: TextSpan[]
}
export interface TextBlock {
  kind: 'heading' | 'paragraph' | 'bullets' | 'steps' | 'table' | 'sheet' | 'part'
  level: number | null
  id: string | null
  lines: TextLine[]
  rows: { cells: TextLine[] }[]
  part: TextPartKind | null
}
export type TextPartKind = 'operator' | 'contactForm' | 'withdrawalForm'
export type TextName = 'terms' | 'withdrawal' | 'privacy' | 'legal' | 'consumer' | 'accessibility' | 'delivery' | 'contact' | 'help' | 'pro'
export type TextPage = 'home' | 'cart' | 'goodDeals' | TextName | 'ranking' | 'brands' | 'sitemap'

export interface Text {
  name: TextName
  version: number
  validFrom: string
  current: boolean
  title: string
  description: string
  blocks: TextBlock[]
}

export interface Operator {
  name: string
  address: string[]
  representative: string
  register: string
  vatNumber: string
  email: string
  phone: string
  phoneFrom: string
  phoneTo: string
  isDemo: boolean
}

const line = `{ spans { text strong page anchor href } }`
export const textQuery = `query Text($name: TextName!, $version: Int) {
  text(name: $name, version: $version) {
    name version validFrom current title description
    blocks { kind level id part lines ${line} rows { cells ${line} } }
  }
  operator { name address representative register vatNumber email phone phoneFrom phoneTo isDemo }
}`
