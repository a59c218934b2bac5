import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import styles from './table.module.css'

export interface Column<Row> {
  key: string
  label: string
  cell: (row: Row) => ReactNode
  /** Numbers, aligned below each other. */
  align?: 'start' | 'end'
  /** The row header. */
  isHead?: boolean
}

export interface TableProps<Row> {
  caption: string
  /** Visually hidden caption, if a heading says it. */
  quietCaption?: boolean
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** The last row, with the sums of the others. */
  foot?: Row
  keyOf: (row: Row) => string
  rowClass?: (row: Row) => string | undefined
}

/** Scrolls within itself if it is wider than the screen; becomes cards on phones. */
export function Table<Row>({ caption, quietCaption, columns, rows, foot, keyOf, rowClass }: TableProps<Row>): ReactNode {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={quietCaption ? 'hidden' : styles.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={styles[column.align ?? 'start']}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={rowClass?.(row)}>
              <Cells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
        {foot && (
          <tfoot>
            <tr>
              <Cells row={foot} columns={columns} />
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }): ReactNode {
  return columns.map((column) => {
    const Cell = column.isHead ? 'th' : 'td'
    return (
      <Cell
        key={column.key}
        scope={column.isHead ? 'row' : undefined}
        className={cx(styles[column.align ?? 'start'])}
        data-label={column.label}
      >
        {column.cell(row)}
      </Cell>
    )
  })
}

/** Name and value pairs: technical data. */
export function Facts({ facts }: { facts: readonly { label: string; value: ReactNode }[] }): ReactNode {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.label}>
          <dt>{fact.label}</dt>
          <dd>{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
