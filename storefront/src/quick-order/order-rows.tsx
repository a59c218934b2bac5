import { maxCellLength, maxOrderRows, type OrderRow } from '@purlin/contract/order-rows.ts'
import { Table } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { QuickOrderFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { quickOrderField as field } from './quick-order-form.ts'
import styles from './quick-order.module.css'

type CheckedRow = QuickOrderFragment['rows'][number]
interface ShownRow extends OrderRow {
  at: number
  checked: CheckedRow | null
}

const fewestRows = 5
const spareRows = 2

interface Props {
  checked: QuickOrderFragment | null
  unread: readonly OrderRow[]
  context: ShopContext
}

/** The rows with what each of them found, and some empty ones for more. */
export function OrderRows({ checked, unread, context }: Props): ReactNode {
  const { t } = context
  const filled = checked ? checked.rows : unread
  const length = Math.min(maxOrderRows, Math.max(fewestRows, filled.length + spareRows))
  const rows = Array.from({ length }, (_, at): ShownRow => {
    const { code = '', quantity = '' } = filled[at] ?? {}
    return { at, code, quantity, checked: checked?.rows[at] ?? null }
  })
  return (
    <>
      <Table
        caption={t('quick-order.rows')}
        quietCaption
        rows={rows}
        keyOf={({ at }) => String(at)}
        rowClass={(row) => (row.checked?.problem ? styles.wrong : undefined)}
        columns={[
          { key: 'code', label: t('quick-order.code'), cell: (row) => <Cell name="code" row={row} context={context} /> },
          { key: 'quantity', label: t('quick-order.quantity'), cell: (row) => <Cell name="quantity" row={row} context={context} /> },
          { key: 'found', label: t('quick-order.article'), cell: (row) => <Found row={row} /> },
          {
            key: 'price',
            label: t('quick-order.price'),
            align: 'end',
            cell: ({ checked: row }) => <span data-price>{row?.price?.formatted}</span>,
          },
          {
            key: 'total',
            label: t('quick-order.total'),
            align: 'end',
            cell: ({ checked: row }) => <span data-total>{row?.total?.formatted}</span>,
          },
        ]}
      />
      <dl className={styles.sum} aria-live="polite" data-sum hidden={!checked}>
        <div>
          <dt>{t('quick-order.ready')}</dt>
          <dd data-ready>{checked?.ready ?? 0}</dd>
        </div>
        <div>
          <dt>{t('quick-order.wrong')}</dt>
          <dd data-wrong>{checked ? checked.rows.length - checked.ready : 0}</dd>
        </div>
        <div>
          <dt>{t(checked?.taxKey === 'with_vat' ? 'quick-order.sum-gross' : 'quick-order.sum')}</dt>
          <dd data-sum-total>{checked?.total.formatted}</dd>
        </div>
      </dl>
    </>
  )
}

function Cell({
  name,
  row: { at, checked, ...row },
  context: { t },
}: {
  name: 'code' | 'quantity'
  row: ShownRow
  context: ShopContext
}): ReactNode {
  const isWrong = checked?.problem && (checked.title === null) === (name === 'code')
  return (
    <input
      name={field(name)}
      className={name === 'code' ? styles.code : styles.quantity}
      aria-label={t(`quick-order.${name}-of`, { row: at + 1 })}
      aria-invalid={isWrong ? true : undefined}
      aria-describedby={`found-${at}`}
      defaultValue={row[name]}
      maxLength={maxCellLength}
      autoComplete="off"
      spellCheck={false}
      inputMode={name === 'quantity' ? 'numeric' : undefined}
    />
  )
}

function Found({ row: { at, checked } }: { row: ShownRow }): ReactNode {
  return (
    <span id={`found-${at}`} className={styles.found} data-found>
      {checked?.title && checked.url && <a href={checked.url}>{checked.title}</a>}
      {checked?.problem && <span className={styles.problem}>{checked.problem.message}</span>}
    </span>
  )
}
