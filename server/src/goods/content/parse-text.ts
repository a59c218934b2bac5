import { lexer, type Token, type Tokens } from 'marked'
import { isTextPage, isTextPart, type TextBlock, type TextLine, type TextSpan } from './text.ts'

/** Placeholders filled from the settings, written `{{email}}`. */
export type TextValues = Readonly<Record<string, { text: string; href?: string }>>

/**
 * Parses Markdown into blocks. Headings carry ids (`## Paying {#paying}`), links point to pages by name (`page:terms#law`)
 * or to https; a line `{{contactForm}}` is a part the page fills in. Anything the blocks cannot represent is an error.
 */
export function parseText(markdown: string, values: TextValues): TextBlock[] {
  return lexer(markdown)
    .filter(({ type }) => type !== 'space')
    .map((token) => ({ level: null, id: null, lines: [], rows: [], part: null, ...blockOf(token, values) }))
}

function blockOf(token: Token, values: TextValues): Pick<TextBlock, 'kind'> & Partial<TextBlock> {
  switch (token.type) {
    case 'heading': {
      const { depth, text } = token as Tokens.Heading
      const [, words = '', id] = /^(.*?)(?<!\s)\s*\{#([a-z-]+)\}$/.exec(text) ?? []
      if (!id) throw new Error(`A heading needs a name, {#so}: ${text}`)
      return { kind: 'heading', level: depth, id, lines: [{ spans: filled(words, values, {}) }] }
    }
    case 'paragraph': {
      const { text, tokens } = token as Tokens.Paragraph
      const part = /^\{\{(\w+)\}\}$/.exec(text)?.[1]
      return part && isTextPart(part) ? { kind: 'part', part } : { kind: 'paragraph', lines: [line(tokens, values)] }
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List
      return { kind: ordered ? 'steps' : 'bullets', lines: items.map((item) => line(item.tokens.flatMap(inlineOf), values)) }
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return { kind: 'table', rows: [header, ...rows].map((cells) => ({ cells: cells.map((cell) => line(cell.tokens, values)) })) }
    }
    case 'blockquote': {
      const { tokens } = token as Tokens.Blockquote
      return { kind: 'sheet', lines: tokens.filter(({ type }) => type !== 'space').map((inner) => line(inlineOf(inner), values)) }
    }
    default:
      throw new Error(`A text cannot hold this: ${token.raw}`)
  }
}

/** The text of an item, which the lexer wraps in a token of its own. */
function inlineOf(token: Token): Token[] {
  if (token.type === 'list') throw new Error(`A list within a list: ${token.raw}`)
  return 'tokens' in token && token.tokens && (token.type === 'text' || token.type === 'paragraph') ? token.tokens : [token]
}

function line(tokens: readonly Token[], values: TextValues): TextLine {
  return { spans: tokens.flatMap((token) => spansOf(token, values, {})) }
}

function spansOf(token: Token, values: TextValues, look: Partial<TextSpan>): TextSpan[] {
  switch (token.type) {
    case 'strong':
      return (token as Tokens.Strong).tokens.flatMap((inner) => spansOf(inner, values, { ...look, strong: true }))
    case 'link': {
      const { href, tokens } = token as Tokens.Link
      return tokens.flatMap((inner) => spansOf(inner, values, { ...look, ...targetOf(href) }))
    }
    case 'text':
    case 'escape':
    case 'codespan':
      return filled((token as Tokens.Text).text.replace(/(?<!\s)\s*\n\s*/g, ' '), values, look)
    case 'br':
      return filled(' ', values, look)
    default:
      throw new Error(`A paragraph cannot hold this: ${token.raw}`)
  }
}

function targetOf(href: string): Pick<TextSpan, 'page' | 'anchor' | 'href'> {
  const [, page, anchor = null] = /^page:(\w+)(?:#([a-z-]+))?$/.exec(href) ?? []
  if (page === undefined) {
    if (!/^https:\/\/|^tel:/.test(href)) throw new Error(`A link leads to a page by its name, or to https: ${href}`)
    return { page: null, anchor: null, href }
  }
  if (!isTextPage(page)) throw new Error(`There is no page named ${page}`)
  return { page, anchor, href: null }
}

/** Replaces the placeholders with the values of the settings. */
function filled(words: string, values: TextValues, look: Partial<TextSpan>): TextSpan[] {
  return words
    .split(/(\{\{\w+\}\})/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const name = /^\{\{(\w+)\}\}$/.exec(piece)?.[1]
      const value = name === undefined ? { text: piece } : values[name]
      if (!value) throw new Error(`Nobody knows {{${name}}}`)
      return { strong: false, page: null, anchor: null, ...look, href: value.href ?? look.href ?? null, text: value.text }
    })
}
