/** Legal and help texts, as blocks that a page can render without knowing their source. */

export const textNames = [
  'terms',
  'withdrawal',
  'privacy',
  'legal',
  'consumer',
  'accessibility',
  'delivery',
  'contact',
  'help',
  'pro',
] as const
export type TextName = (typeof textNames)[number]

/** Pages a text may link to, by their names in the contract. */
const textPages = ['home', 'cart', 'goodDeals', ...textNames, 'ranking', 'brands', 'sitemap', 'advice', 'comparisons', 'projects'] as const
export type TextPage = (typeof textPages)[number]
export const isTextPage = (name: string): name is TextPage => (textPages as readonly string[]).includes(name)

const parts = ['operator', 'contactForm', 'withdrawalForm'] as const
export type TextPartKind = (typeof parts)[number]
export const isTextPart = (name: string): name is TextPartKind => (parts as readonly string[]).includes(name)

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
  /** Level and anchor of a heading. */
  level: number | null
  id: string | null
  /** One for a heading or paragraph; the items of a list; the paragraphs of a sheet. */
  lines: TextLine[]
  /** For a table; the first row is its header. */
  rows: { cells: TextLine[] }[]
  part: TextPartKind | null
}

/** One version of a text in one market. */
export interface Text {
  /** Permanent id of text, market and version: `gb/terms/1`. */
  id: string
  name: TextName
  version: number
  /** First day it is in force, "2026-11-23". */
  validFrom: string
  title: string
  description: string
  blocks: TextBlock[]
}
