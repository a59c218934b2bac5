/** Texts of law and help, as blocks a page shows without knowing where they were written. */

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

/** Pages a text may link to, by the names of the contract. */
const textPages = ['home', 'cart', 'goodDeals', ...textNames, 'ranking', 'brands', 'sitemap'] as const
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
export interface TextParagraph {
  __typename: 'TextParagraph'
  spans: TextSpan[]
}
export type TextBlock =
  | { __typename: 'TextHeading'; level: number; id: string; text: string }
  | TextParagraph
  | { __typename: 'TextList'; ordered: boolean; items: TextParagraph[] }
  | { __typename: 'TextTable'; head: TextParagraph[]; rows: { cells: TextParagraph[] }[] }
  | { __typename: 'TextSheet'; paragraphs: TextParagraph[] }
  | { __typename: 'TextPart'; part: TextPartKind }

/** One version of a text in one market. */
export interface Text {
  /** Names text, market and version for good: `gb/terms/1`. */
  id: string
  name: TextName
  version: number
  /** First day it is in force, "2026-11-23". */
  validFrom: string
  title: string
  description: string
  blocks: TextBlock[]
}
