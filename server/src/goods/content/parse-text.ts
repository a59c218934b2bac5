import { lexer, type Token, type Tokens } from 'marked'
import { isTextPage, isTextPart, type TextBlock, type TextParagraph, type TextSpan } from './text.ts'

/** Words a text leaves to the settings, written `{{email}}`. */
export type TextValues = Readonly<Record<string, { text: string; href?: string }>>

/**
 * Markdown to blocks. Headings may name themselves (`## Paying {#paying}`), links lead to pages by name (`page:terms#law`)
 * or to https; a line `{{contactForm}}` is a part the page fills in. What the blocks cannot say is an error, not dropped.
 */
export function parseText(markdown: string, values: TextValues): TextBlock[] {
  return lexer(markdown).flatMap((token) => blockOf(token as Tokens.Generic, values))
}

function blockOf(token: Token, values: TextValues): TextBlock[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading': {
      const { depth, text } = token as Tokens.Heading
      const [, words = '', id] = /^(.*?)(?:\s*\{#([a-z-]+)\})?$/.exec(text) ?? []
      return [{ __typename: 'TextHeading', level: depth, id: id ?? slugOf(words), text: words }]
    }
    case 'paragraph': {
      const { text, tokens } = token as Tokens.Paragraph
      const part = /^\{\{(\w+)\}\}$/.exec(text)?.[1]
      return part && isTextPart(part) ? [{ __typename: 'TextPart', part }] : [paragraph(tokens, values)]
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List
      return [{ __typename: 'TextList', ordered, items: items.map((item) => paragraph(item.tokens.flatMap(inlineOf), values)) }]
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [
        {
          __typename: 'TextTable',
          head: header.map((cell) => paragraph(cell.tokens, values)),
          rows: rows.map((row) => ({ cells: row.map((cell) => paragraph(cell.tokens, values)) })),
        },
      ]
    }
    case 'blockquote': {
      const { tokens } = token as Tokens.Blockquote
      return [
        {
          __typename: 'TextSheet',
          paragraphs: tokens.filter(({ type }) => type !== 'space').map((inner) => paragraph(inlineOf(inner), values)),
        },
      ]
    }
    default:
      throw new Error(`A text cannot hold this: ${token.raw}`)
  }
}

/** The words of an item, which the lexer wraps in a token of their own. */
function inlineOf(token: Token): Token[] {
  if (token.type === 'list') throw new Error(`A list within a list: ${token.raw}`)
  return 'tokens' in token && token.tokens && (token.type === 'text' || token.type === 'paragraph') ? token.tokens : [token]
}

function paragraph(tokens: readonly Token[], values: TextValues): TextParagraph {
  return { __typename: 'TextParagraph', spans: tokens.flatMap((token) => spansOf(token, values, {})) }
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
      return filled((token as Tokens.Text).text.replace(/\s*\n\s*/g, ' '), values, look)
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

/** The words with the settings' own in place. */
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

/** An address within the page from a heading in any of the languages. */
function slugOf(words: string): string {
  return words
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z]+/g, '-')
    .replace(/^-+|-+$/g, '')
}
