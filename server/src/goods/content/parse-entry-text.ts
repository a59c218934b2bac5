import { lexer, type Token, type Tokens } from 'marked'
import type { Language } from '@purlin/contract/markets.ts'
import * as v from 'valibot'
import type { BlockKind, EntryBlock, EntryLine, EntryPart, EntrySpan, PlainBlock } from './entry-blocks.ts'
import { entryTextInput, type EntryText } from './entry.ts'

/**
 * Parses Markdown with front matter (`title: …`) into the text of an entry. Headings, steps and questions carry ids
 * (`## Paying {#paying}`); the part between `:::tip` and `:::` is a block of that kind. `demo/content/README.md` is the
 * manual. Anything the blocks cannot represent is an error that quotes it, never dropped.
 */
export function parseEntryText(source: string, language: Language): EntryText {
  const [, head, body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(typeset(source.replaceAll('\r\n', '\n'), language)) ?? []
  if (head === undefined || body === undefined) throw new Error('The file begins with a head between two lines of ---')
  const fields = Object.fromEntries(
    head.split('\n').map((line) => {
      const [, name, value] = /^([a-z]+): (.+)$/.exec(line) ?? []
      if (!name || !value) throw new Error(`A line of the head reads "name: words", not: ${line}`)
      return [name, value.trim()]
    }),
  )
  const read = v.safeParse(entryTextInput, { ...fields, blocks: parseEntryBlocks(body) })
  if (!read.success) throw new Error(read.issues.map((issue) => `${v.getDotPath(issue) ?? 'text'}: ${issue.message}`).join('; '))
  return read.output
}

const units = 'm²|m³|mm|cm|km|m|kg|g|l|ml|W|kW|kWh|V|bar|Ah|Nm|°C|%|€|£|h|min'
const figureAndUnit = new RegExp(`(\\d) (?=(?:${units})(?![\\p{L}\\d]))`, 'gu')

/** Non-breaking spaces: before units, and in French before high punctuation and within guillemets. */
function typeset(source: string, language: Language): string {
  const kept = source.replace(figureAndUnit, '$1\u00a0')
  return language === 'fr' ? kept.replace(/ (?=[:;?!»])/g, '\u00a0').replace(/« /g, '«\u00a0') : kept
}

/** The blocks of a text without its front matter. */
export function parseEntryBlocks(markdown: string): EntryBlock[] {
  return piecesOf(markdown).flatMap((piece) =>
    piece.fence === null ? blocksOf(piece.lines.join('\n')) : [fenced(piece.fence, piece.lines)],
  )
}

interface Piece {
  /** The words after the colons, such as "tip" or "products adhesives"; null for plain Markdown. */
  fence: string | null
  lines: string[]
}

/** Splits at `:::name` and `:::`; nested fences stay with the outer one. */
function piecesOf(markdown: string): Piece[] {
  const pieces: Piece[] = [{ fence: null, lines: [] }]
  let depth = 0
  for (const line of markdown.split('\n')) {
    const [, name] = /^:::\s*(.*)$/.exec(line) ?? []
    if (name) depth += 1
    if (name && depth === 1) pieces.push({ fence: name.trim(), lines: [] })
    else if (name === '' && depth === 1) pieces.push({ fence: null, lines: [] })
    else pieces.at(-1)?.lines.push(line)
    if (name === '') depth -= 1
    if (depth < 0) throw new Error('A line ::: closes nothing')
  }
  if (depth > 0) throw new Error(`:::${pieces.at(-1)?.fence ?? ''} has no end`)
  return pieces.filter(({ fence, lines }) => fence !== null || lines.some((line) => line.trim() !== ''))
}

function fenced(fence: string, lines: string[]): EntryBlock {
  const [name = '', id = null, ...rest] = fence.split(/\s+/)
  const text = lines.join('\n').trim()
  if (rest.length > 0) throw new Error(`:::${fence} has too many words`)
  switch (name) {
    case 'tip':
    case 'warning':
      return block(name, { lines: paragraphsOf(text) })
    case 'steps':
    case 'faq':
      return block(name, { parts: titledParts(text) })
    case 'shopping':
    case 'comparison':
      return block(name, { parts: listedParts(text) })
    case 'picture':
    case 'products':
    case 'calculator':
      if (!id || !text || text.includes('\n')) throw new Error(`:::${name} has a name behind it and one line of words below`)
      return block(name, { id, title: text })
    case 'links': {
      const [list, ...more] = blocksOf(text)
      if (list?.kind !== 'bullets' || more.length > 0) throw new Error(':::links holds one list of links')
      return block('links', { lines: list.lines })
    }
    default:
      throw new Error(`There is no block :::${name}`)
  }
}

/** `### Title {#name}` and the content after it. */
function titledParts(text: string): EntryPart[] {
  const [before = '', ...parts] = text.split(/^### /m)
  if (before.trim()) throw new Error(`Steps and questions begin with ### Title {#name}, not: ${before.trim()}`)
  return parts.map((part) => {
    const [first = '', ...rest] = part.split('\n')
    const { words, id } = named(first)
    return { id, title: words, blocks: piecesOf(rest.join('\n')).flatMap(plainOf) }
  })
}

/** `- name: Title | a note`. */
function listedParts(text: string): EntryPart[] {
  return text.split('\n').map((line) => {
    const [, id, title, note] = /^- ([a-z0-9-]+): ([^|]+?)(?:\s*\|\s*(.+))?$/.exec(line.trim()) ?? []
    if (!id || !title) throw new Error(`A line of the list reads "- name: words | note", not: ${line}`)
    return { id, title, blocks: note ? [{ kind: 'paragraph', lines: paragraphsOf(note) }] : [] }
  })
}

function plainOf({ fence, lines }: Piece): PlainBlock[] {
  if (fence !== null) {
    const { kind, lines: words } = fenced(fence, lines)
    if (kind !== 'tip' && kind !== 'warning') throw new Error(`A step or an answer cannot hold :::${fence}`)
    return [{ kind, lines: words }]
  }
  return blocksOf(lines.join('\n')).map(({ kind, lines: words }) => {
    if (kind !== 'paragraph' && kind !== 'bullets' && kind !== 'numbers') throw new Error(`A step or an answer cannot hold a ${kind}`)
    return { kind, lines: words }
  })
}

const block = (kind: BlockKind, more: Partial<EntryBlock>): EntryBlock => ({
  kind,
  id: null,
  level: null,
  title: null,
  lines: [],
  rows: [],
  parts: [],
  ...more,
})

function blocksOf(markdown: string): EntryBlock[] {
  return lexer(markdown)
    .filter(({ type }) => type !== 'space')
    .map((token) => {
      switch (token.type) {
        case 'heading': {
          const { depth, text } = token as Tokens.Heading
          const { words, id } = named(text)
          if (depth !== 2 && depth !== 3) throw new Error(`A heading has two or three #: ${text}`)
          return block('heading', { level: depth, id, title: words })
        }
        case 'paragraph':
          return block('paragraph', { lines: [lineOf((token as Tokens.Paragraph).tokens)] })
        case 'list': {
          const { ordered, items } = token as Tokens.List
          return block(ordered ? 'numbers' : 'bullets', { lines: items.map((item) => lineOf(item.tokens.flatMap(inlineOf))) })
        }
        case 'table': {
          const { header, rows } = token as Tokens.Table
          return block('table', { rows: [header, ...rows].map((cells) => ({ cells: cells.map((cell) => lineOf(cell.tokens)) })) })
        }
        default:
          throw new Error(`A text cannot hold this: ${token.raw}`)
      }
    })
}

const paragraphsOf = (text: string): EntryLine[] =>
  blocksOf(text).map(({ kind, lines: [line] }) => {
    if (kind !== 'paragraph' || !line) throw new Error(`Only paragraphs may stand here: ${text}`)
    return line
  })

function named(heading: string): { words: string; id: string } {
  const [, words, id] = /^(.+?)(?<!\s)\s*\{#([a-z0-9-]+)\}\s*$/.exec(heading) ?? []
  if (!words || !id) throw new Error(`A title needs a name, {#so}: ${heading}`)
  return { words, id }
}

/** The text of an item, which the lexer wraps in a token of its own. */
function inlineOf(token: Token): Token[] {
  if (token.type === 'list') throw new Error(`A list within a list: ${token.raw}`)
  return 'tokens' in token && token.tokens && (token.type === 'text' || token.type === 'paragraph') ? token.tokens : [token]
}

const lineOf = (tokens: readonly Token[]): EntryLine => ({ spans: tokens.flatMap((token) => spansOf(token, { strong: false, to: null })) })

function spansOf(token: Token, look: Pick<EntrySpan, 'strong' | 'to'>): EntrySpan[] {
  switch (token.type) {
    case 'strong':
      return (token as Tokens.Strong).tokens.flatMap((inner) => spansOf(inner, { ...look, strong: true }))
    case 'link': {
      const { href, tokens } = token as Tokens.Link
      return tokens.flatMap((inner) => spansOf(inner, { ...look, to: href }))
    }
    case 'text':
    case 'escape':
    case 'codespan':
      return [{ ...look, text: (token as Tokens.Text).text.replace(/(?<!\s)\s*\n\s*/g, ' ') }]
    case 'br':
      return [{ ...look, text: ' ' }]
    default:
      throw new Error(`A paragraph cannot hold this: ${token.raw}`)
  }
}
