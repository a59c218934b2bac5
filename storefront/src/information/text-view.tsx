import { Alert, Breadcrumb, Container, Table } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ShopContext } from '../shell/context.ts'
import type { TextBlockFragment, TextFragment, TextLineFragment, TextName, TextPartKind } from '../generated/documents.ts'
import { spansOf, wordsOf } from '../advice/lines.tsx'
import { textPages } from './text-pages.ts'
import styles from './text.module.css'

/** Texts a buyer agrees to or relies on, whose version matters. */
const accepted: ReadonlySet<TextName> = new Set(['terms', 'withdrawal', 'privacy'])

type Parts = Partial<Record<TextPartKind, ReactNode>>

/** A legal or help text: its headings first, then block after block. Parts are content that only the page can render, such as a form. */
interface TextViewProps {
  text: TextFragment
  context: ShopContext
  parts: Parts
  /** Below the title, before the text. */
  below?: ReactNode
}

export function TextView({ text, context, parts, below }: TextViewProps): ReactNode {
  const { t, formats } = context
  const sections = text.blocks.filter(({ kind, level }) => kind === 'heading' && level === 2)
  return (
    <Container>
      <article className={styles.page}>
        <header className={styles.head}>
          <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={text.title} />
          <h1>{text.title}</h1>
          <p className={styles.version}>
            {t(accepted.has(text.name) ? 'text.version' : 'text.changed', { number: text.version, date: formats.date(text.validFrom) })}
          </p>
          {!text.current && (
            <Alert severity="info">{t.rich('text.earlier', { current: (words) => <a href={textPages[text.name]()}>{words}</a> })}</Alert>
          )}
          {below}
        </header>
        {sections.length > 2 && (
          <nav className={styles.contents} aria-labelledby="contents">
            <h2 id="contents">{t('text.contents')}</h2>
            <ol>
              {sections.map(({ id, lines }) => (
                <li key={id}>
                  <a href={`#${id}`}>{lines.map(wordsOf)}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className={styles.body}>
          <TextBlocks text={text} parts={parts} />
        </div>
      </article>
    </Container>
  )
}

/** The text without its title and contents. */
export function TextBlocks({ text: { blocks }, parts = {} }: { text: Pick<TextFragment, 'blocks'>; parts?: Parts }): ReactNode {
  return blocks.map((block, index) => <Block key={index} block={block} caption={headingBefore(blocks, index)} parts={parts} />)
}

function Block({
  block: { kind, level, id, lines, rows, part },
  caption,
  parts,
}: {
  block: TextBlockFragment
  caption: string
  parts: Parts
}): ReactNode {
  switch (kind) {
    case 'heading': {
      const Heading = level === 3 ? 'h3' : 'h2'
      return <Heading id={id ?? undefined}>{lines.map(wordsOf)}</Heading>
    }
    case 'paragraph':
      return lines.map((line, index) => <p key={index}>{spansOf(line)}</p>)
    case 'bullets':
    case 'steps': {
      const List = kind === 'steps' ? 'ol' : 'ul'
      return (
        <List className={styles[kind]}>
          {lines.map((line, index) => (
            <li key={index}>{spansOf(line)}</li>
          ))}
        </List>
      )
    }
    case 'table':
      return <Rows rows={rows} caption={caption} />
    case 'sheet':
      return (
        <div className={styles.sheet}>
          {lines.map((line, index) => (
            <p key={index}>{spansOf(line)}</p>
          ))}
        </div>
      )
    case 'part':
      return part && parts[part]
  }
}

function Rows({ rows: [head, ...rows], caption }: { rows: TextBlockFragment['rows']; caption: string }): ReactNode {
  return (
    <Table
      caption={caption}
      quietCaption
      columns={(head?.cells ?? []).map((label, column) => ({
        key: String(column),
        label: wordsOf(label),
        isHead: column === 0,
        // One box, so that words and links flow as a sentence when rows become cards.
        cell: ({ cells }: { cells: TextLineFragment[] }) => <div>{cells[column] && spansOf(cells[column])}</div>,
      }))}
      rows={rows}
      keyOf={({ cells: [first] }) => (first ? wordsOf(first) : '')}
    />
  )
}

/** The subject of a table: its heading. */
function headingBefore(blocks: readonly TextBlockFragment[], index: number): string {
  const heading = blocks.slice(0, index).findLast(({ kind }) => kind === 'heading')
  return heading ? heading.lines.map(wordsOf).join('') : ''
}
