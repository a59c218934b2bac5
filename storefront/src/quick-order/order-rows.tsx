import { maxCellLength, maxOrderRows } from '@purlin/contract/order-limits.ts'
import type { OrderRow } from '@purlin/contract/order-rows.ts'
import { Icon, Table } from '@purlin/ui'
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
/** With more of them those to be corrected are shown alone at first. */
const manyRows = 20

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
      <WrongOnly checked={checked} context={context} />
      <Table
        caption={t('quick-order.rows')}
        quietCaption
        rows={rows}
        keyOf={({ at }) => String(at)}
        rowClass={(row) => (row.checked?.problem ? styles.wrong : undefined)}
        columns={[
          { key: 'code', label: t('quick-order.code'), cell: (row) => <Code row={row} context={context} /> },
          { key: 'quantity', label: t('quick-order.quantity'), cell: (row) => <Quantity row={row} context={context} /> },
          { key: 'found', label: t('quick-order.article'), cell: (row) => <Found row={row} context={context} /> },
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
    </>
  )
}

/** How many rows are to be corrected. */
export const wrongIn = ({ rows, ready }: QuickOrderFragment): number => rows.length - ready

/** Hides the other rows by style alone: they are sent all the same, and a row stays while somebody types in it. */
function WrongOnly({ checked, context: { t } }: Omit<Props, 'unread'>): ReactNode {
  const hasWrong = checked !== null && wrongIn(checked) > 0
  return (
    <label className={styles.filter} data-filter hidden={!hasWrong}>
      <input type="checkbox" data-only-wrong defaultChecked={hasWrong && checked.rows.length > manyRows} />
      {t('quick-order.only-wrong')}
    </label>
  )
}

/** How many rows can be ordered, and what they cost. */
export function OrderSum({ checked, context: { t } }: Omit<Props, 'unread'>): ReactNode {
  const isGross = checked?.taxKey === 'with_vat'
  const firstWrong = checked?.rows.findIndex(({ problem }) => problem !== null) ?? -1
  return (
    <dl className={styles.sum} aria-live="polite" data-sum hidden={!checked}>
      <div>
        <dt>{t('quick-order.ready')}</dt>
        <dd data-ready>{checked?.ready ?? 0}</dd>
      </div>
      <div>
        <dt>{t('quick-order.wrong')}</dt>
        <dd>
          <a data-wrong href={firstWrong === -1 ? undefined : `#row-${firstWrong}`}>
            {checked ? wrongIn(checked) : 0}
          </a>
        </dd>
      </div>
      <div>
        {/* Both labels are there: a script that checks the rows chooses by the tax mode of their sum. */}
        <dt data-gross hidden={!isGross}>
          {t('quick-order.sum-gross')}
        </dt>
        <dt data-net hidden={isGross}>
          {t('quick-order.sum')}
        </dt>
        <dd data-sum-total>{checked?.total.formatted}</dd>
      </div>
    </dl>
  )
}

interface CellProps {
  row: ShownRow
  context: ShopContext
}

function Code({ row, context }: CellProps): ReactNode {
  return (
    <span className={styles.first}>
      <span aria-hidden="true" className={styles.at} data-at>
        {row.at + 1}
      </span>
      <Cell name="code" row={row} context={context} />
    </span>
  )
}

function Quantity({ row, context }: CellProps): ReactNode {
  const { t } = context
  return (
    <span className={styles.first}>
      <Cell name="quantity" row={row} context={context} />
      {/* By a script; without one a row whose fields are emptied is left out. */}
      <button type="button" className={styles.remove} data-remove hidden aria-label={t('quick-order.remove', { row: row.at + 1 })}>
        <Icon name="trash" />
      </button>
    </span>
  )
}

function Cell({ name, row: { at, checked, ...row }, context: { t } }: CellProps & { name: 'code' | 'quantity' }): ReactNode {
  const isWrong = checked?.problem && (checked.title === null) === (name === 'code')
  return (
    <input
      id={name === 'code' ? `row-${at}` : undefined}
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

function Found({ row: { at, checked }, context: { t } }: CellProps): ReactNode {
  return (
    <span id={`found-${at}`} className={styles.found} data-found>
      {checked?.title && checked.url && <a href={checked.url}>{checked.title}</a>}
      {checked?.sameAsRow && <span>{t('quick-order.same-as', { row: checked.sameAsRow })}</span>}
      {checked?.problem && <span className={styles.problem}>{checked.problem.message}</span>}
    </span>
  )
}
