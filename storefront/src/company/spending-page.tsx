import { ButtonLink, EmptyState, Table } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import { queryText } from '@purlin/web/query-text.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import { CompanySpendingDocument, type CompanySpendingQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import chart from '../account/spending.module.css'

const groups = { site: 'SITE', 'cost-centre': 'COST_CENTRE', category: 'CATEGORY', member: 'MEMBER' } as const
type GroupName = keyof typeof groups
const groupNames: readonly GroupName[] = ['site', 'cost-centre', 'category', 'member']
const labels = {
  site: 'spending.by.site',
  'cost-centre': 'spending.by.centre',
  category: 'spending.by.category',
  member: 'spending.by.member',
} as const

export async function load(context: ShopContext) {
  const { by: asked = 'site' } = context.query
  const by = groupNames.find((each) => each === asked)
  if (!by) return notFound()
  const typed = queryText(context.query, 'year')
  if (typed !== '' && !/^2\d{3}$/.test(typed)) return notFound()
  const year = typed === '' ? null : Number(typed)
  const { companySpending: spending } = await context.client.query(CompanySpendingDocument, { by: groups[by], year })
  if (!spending) return notFound()
  return { data: { spending, by, year }, title: context.t('spending.title'), robots: 'noindex' }
}

type Spending = NonNullable<CompanySpendingQuery['companySpending']>

/** The report's address. */
const queryOf = (by: GroupName, year: number | null) => ({ by, ...(year !== null && { year: String(year) }) })

/** Orders of a company in twelve months: a picture of the months, and a table by site, cost centre, category or member. */
export function Page({ data: { spending, by, year }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame
      context={context}
      here="companySpending"
      back={{ to: paths.companyBudgets(), label: t('budget.title') }}
      title={t('spending.title')}
      actions={
        spending.rows.length > 0 && (
          <ButtonLink look="secondary" href={`/api/v1/company/spending.csv?${new URLSearchParams(queryOf(by, year))}`} download>
            {t('spending.csv')}
          </ButtonLink>
        )
      }
    >
      <nav aria-label={t('spending.by')}>
        <ul className={chart.groups}>
          {groupNames.map((each) => (
            <li key={each}>
              <a href={paths.companySpending({}, queryOf(each, year))} aria-current={each === by ? 'page' : undefined}>
                {t(labels[each])}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {spending.years.length > 0 && (
        <nav aria-label={t('spending.period')}>
          <ul className={chart.groups}>
            {[null, ...spending.years].map((each) => (
              <li key={each}>
                <a href={paths.companySpending({}, queryOf(by, each))} aria-current={each === year ? 'page' : undefined}>
                  {each ?? t('spending.period.latest')}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {spending.rows.length === 0 ? (
        <EmptyState icon="info" title={t('spending.none')}>
          <p>{t('spending.none.text')}</p>
        </EmptyState>
      ) : (
        <>
          <p>
            {year === null
              ? t('spending.total', { total: spending.total.formatted })
              : t('spending.total-of-year', { total: spending.total.formatted, year: String(year) })}
          </p>
          {spending.net && <p className={styles.quiet}>{t('spending.net', { net: spending.net.formatted })}</p>}
          <Months spending={spending} context={context} />
          <SpendingTable spending={spending} by={by} isOfYear={year !== null} context={context} />
        </>
      )}
    </AccountFrame>
  )
}

interface MonthRow {
  /** Null: all of them. */
  month: string | null
  total: string
}

const [width, height, gap] = [600, 160, 8]

/** One bar per month, against the highest. The table of months below says the same in figures. */
function Months({ spending: { months, monthTotals, total }, context: { t } }: { spending: Spending; context: ShopContext }): ReactNode {
  const most = Math.max(1, ...monthTotals.map(({ amount }) => amount))
  const step = width / months.length
  const highest = monthTotals.find(({ amount }) => amount === most)
  return (
    <figure className={chart.figure}>
      <figcaption className={styles.heading}>{t('spending.months')}</figcaption>
      {highest && (
        <p className={chart.scale} aria-hidden="true">
          {t('spending.most', { amount: highest.formatted })}
        </p>
      )}
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('spending.picture', { count: months.length })}
        className={chart.bars}
      >
        {monthTotals.map(({ amount, formatted }, index) => {
          const bar = (amount / most) * (height - 2)
          const month = months[index] ?? ''
          return (
            <rect key={month} x={index * step + gap / 2} y={height - bar} width={step - gap} height={bar} rx={3}>
              <title>{t('spending.bar', { month: t('spending.month-of', { month }), amount: formatted })}</title>
            </rect>
          )
        })}
      </svg>
      <p className={chart.months} aria-hidden="true">
        {months.map((month) => (
          <span key={month}>{t('spending.month-short', { month })}</span>
        ))}
      </p>
      <details>
        <summary>{t('spending.months.table')}</summary>
        <Table
          caption={t('spending.months')}
          quietCaption
          rows={months.map((month, index): MonthRow => ({ month, total: monthTotals[index]?.formatted ?? '' }))}
          foot={{ month: null, total: total.formatted }}
          keyOf={({ month }) => month ?? ''}
          columns={[
            {
              key: 'month',
              label: t('spending.month'),
              isHead: true,
              cell: ({ month }) => (month === null ? t('spending.sum') : t('spending.month-of', { month })),
            },
            { key: 'total', label: t('spending.amount'), align: 'end', cell: ({ total }) => total },
          ]}
        />
      </details>
    </figure>
  )
}

interface TableProps {
  spending: Spending
  by: GroupName
  /** The last month shown is then not the present one. */
  isOfYear: boolean
  context: ShopContext
}

/** The names, largest first, and their sum. */
function SpendingTable({ spending, by, isOfYear, context: { t } }: TableProps): ReactNode {
  return (
    <Table
      caption={t('spending.table')}
      rows={spending.rows}
      foot={{ name: t('spending.sum'), total: spending.total, share: 1, amounts: spending.monthTotals }}
      // Two colleagues may have one name.
      keyOf={(row) => String(spending.rows.indexOf(row))}
      columns={[
        { key: 'name', label: t(labels[by]), isHead: true, cell: ({ name }) => name ?? t('spending.other') },
        { key: 'share', label: t('spending.share'), align: 'end', cell: ({ share }) => t('spending.share-of', { share }) },
        ...(isOfYear
          ? []
          : [
              {
                key: 'now',
                label: t('spending.this-month'),
                align: 'end' as const,
                cell: ({ amounts }: Spending['rows'][number]) => amounts.at(-1)?.formatted ?? '',
              },
            ]),
        { key: 'total', label: t('spending.amount'), align: 'end', cell: ({ total }) => total.formatted },
      ]}
    />
  )
}
