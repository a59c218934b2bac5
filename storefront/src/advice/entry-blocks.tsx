import { Alert, CardGrid, Icon, Table } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { EntryBlockFragment, EntryFragment, TextLineFragment } from '../generated/documents.ts'
import { ShopCard } from '../shell/card.tsx'
import type { ShopContext } from '../shell/context.ts'
import { CalculatorForm } from './calculator-form.tsx'
import { ComparisonTable } from './comparison-table.tsx'
import { spansOf, wordsOf } from './lines.tsx'
import type { TypedMeasures } from './load-entry.ts'
import { ShoppingList } from './shopping-list.tsx'
import styles from './entry.module.css'

interface EntryBlocksProps {
  entry: EntryFragment
  measures: TypedMeasures
  context: ShopContext
}

/** The blocks of an entry, in order. */
export function EntryBlocks({ entry, measures, context }: EntryBlocksProps): ReactNode {
  return entry.blocks.map((block, index) => (
    <Block key={index} block={block} heading={headingBefore(entry.blocks, index)} entry={entry} measures={measures} context={context} />
  ))
}

function Block({ block, heading, entry, measures, context }: EntryBlocksProps & { block: EntryBlockFragment; heading: string }): ReactNode {
  const { kind, id, level, title, lines, rows, parts } = block
  switch (kind) {
    case 'heading': {
      const Heading = level === 3 ? 'h3' : 'h2'
      return <Heading id={id ?? undefined}>{title}</Heading>
    }
    case 'table':
      return <Rows rows={rows} caption={heading} />
    case 'picture':
      return (
        block.pictureUrl && (
          <figure className={styles.figure}>
            <img src={block.pictureUrl} width={480} height={480} alt="" loading="lazy" />
            <figcaption>{title}</figcaption>
          </figure>
        )
      )
    case 'steps':
      return (
        <ol className={styles.steps}>
          {parts.map((part) => (
            <li key={part.id} id={part.id}>
              <h3>{part.title}</h3>
              <PlainBlocks blocks={part.blocks} context={context} />
            </li>
          ))}
        </ol>
      )
    case 'faq':
      return (
        <div className={styles.faq}>
          {parts.map((part) => (
            <details key={part.id} id={part.id}>
              <summary>
                <h3>{part.title}</h3>
                <Icon name="down" />
              </summary>
              <PlainBlocks blocks={part.blocks} context={context} />
            </details>
          ))}
        </div>
      )
    case 'shopping':
      return <ShoppingList entry={entry} items={parts} context={context} />
    case 'products':
      return (
        block.cards.length > 0 && (
          <section className={styles.wide} aria-label={title ?? undefined}>
            <h3>{title}</h3>
            <CardGrid>
              {block.cards.map((card) => (
                <li key={card.offerId}>
                  <ShopCard card={card} context={context} heading="h4" />
                </li>
              ))}
            </CardGrid>
          </section>
        )
      )
    case 'calculator':
      return <CalculatorForm block={block} entry={entry} measures={measures} context={context} />
    case 'comparison':
      return <ComparisonTable block={block} caption={heading || entry.title} context={context} />
    case 'links':
      return (
        <ul className={styles.links}>
          {lines.map((line, index) => (
            <li key={index}>
              {spansOf(line)}
              <Icon name="right" size={18} />
            </li>
          ))}
        </ul>
      )
    default:
      return <PlainBlocks blocks={[block]} context={context} />
  }
}

function PlainBlocks({
  blocks,
  context: { t },
}: {
  blocks: readonly { kind: EntryBlockFragment['kind']; lines: TextLineFragment[] }[]
  context: ShopContext
}): ReactNode {
  return blocks.map(({ kind, lines }, index) => {
    if (kind === 'bullets' || kind === 'numbers') {
      const List = kind === 'numbers' ? 'ol' : 'ul'
      return (
        <List key={index} className={styles[kind]}>
          {lines.map((line, at) => (
            <li key={at}>{spansOf(line)}</li>
          ))}
        </List>
      )
    }
    const paragraphs = lines.map((line, at) => <p key={at}>{spansOf(line)}</p>)
    if (kind === 'paragraph') return paragraphs
    return (
      <Alert key={index} severity={kind === 'warning' ? 'warning' : 'info'} title={t(kind === 'warning' ? 'advice.warning' : 'advice.tip')}>
        {paragraphs}
      </Alert>
    )
  })
}

function Rows({ rows: [head, ...rows], caption }: { rows: EntryBlockFragment['rows']; caption: string }): ReactNode {
  return (
    <Table
      caption={caption}
      quietCaption
      columns={(head?.cells ?? []).map((label, column) => ({
        key: String(column),
        label: wordsOf(label),
        isHead: column === 0,
        cell: ({ cells }: { cells: TextLineFragment[] }) => <div>{cells[column] && spansOf(cells[column])}</div>,
      }))}
      rows={rows}
      keyOf={({ cells: [first] }) => (first ? wordsOf(first) : '')}
    />
  )
}

function headingBefore(blocks: readonly EntryBlockFragment[], index: number): string {
  return blocks.slice(0, index).findLast(({ kind }) => kind === 'heading')?.title ?? ''
}
