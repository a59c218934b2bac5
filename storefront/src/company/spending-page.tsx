import { ButtonLink, EmptyState, Table } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
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
  const { companySpending: spending } = await context.client.query(CompanySpendingDocument, { by: groups[by] })
  if (!spending) return notFound()
  return { data: { spending, by }, title: context.t('spending.title'), robots: 'noindex' }
}

type Spending = NonNullable<CompanySpendingQuery['companySpending']>

/** Orders of a company in twelve months: a picture of the months, and a table by site, cost centre, category or member. */
export function Page({ data: { spending, by }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame
      context={context}
      here="companyBudgets"
      back={{ to: paths.companyBudgets(), label: t('budget.title') }}
      title={t('spending.title')}
      actions={
        spending.rows.length > 0 && (
          <ButtonLink look="secondary" href={`/api/v1/company/spending.csv?by=${by}`} download>
            {t('spending.csv')}
          </ButtonLink>
        )
      }
    >
      <nav aria-label={t('spending.by')}>
        <ul className={chart.groups}>
          {groupNames.map((each) => (
            <li key={each}>
              <a href={paths.companySpending({}, { by: each })} aria-current={each === by ? 'page' : undefined}>
                {t(labels[each])}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {spending.rows.length === 0 ? (
        <EmptyState icon="info" title={t('spending.none')}>
          <p>{t('spending.none.text')}</p>
        </EmptyState>
      ) : (
        <>
          <p>{t('spending.total', { total: spending.total.formatted })}</p>
          <Months spending={spending} context={context} />
          <SpendingTable spending={spending} by={by} context={context} />
        </>
      )}
    </AccountFrame>
  )
}

const [width, height, gap] = [600, 160, 8]

/** One bar per month. The table of months below says the same in figures. */
function Months({ spending: { months, monthTotals }, context: { t } }: { spending: Spending; context: ShopContext }): ReactNode {
  const most = Math.max(1, ...monthTotals.map(({ amount }) => amount))
  const step = width / months.length
  return (
    <figure className={chart.figure}>
      <figcaption className={styles.heading}>{t('spending.months')}</figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={t('spending.picture', { count: months.length })}
        className={chart.bars}
      >
        {monthTotals.map(({ amount }, index) => {
          const bar = (amount / most) * (height - 2)
          return <rect key={months[index]} x={index * step + gap / 2} y={height - bar} width={step - gap} height={bar} rx={3} />
        })}
      </svg>
      <p className={chart.ends} aria-hidden="true">
        {[months[0], months.at(-1)].map((month) => month !== undefined && <span key={month}>{t('spending.month-of', { month })}</span>)}
      </p>
      <details>
        <summary>{t('spending.months.table')}</summary>
        <Table
          caption={t('spending.months')}
          quietCaption
          rows={months.map((month, index) => ({ month, total: monthTotals[index]?.formatted ?? '' }))}
          keyOf={({ month }) => month}
          columns={[
            { key: 'month', label: t('spending.month'), isHead: true, cell: ({ month }) => t('spending.month-of', { month }) },
            { key: 'total', label: t('spending.amount'), align: 'end', cell: ({ total }) => total },
          ]}
        />
      </details>
    </figure>
  )
}

function SpendingTable({ spending, by, context: { t } }: { spending: Spending; by: GroupName; context: ShopContext }): ReactNode {
  return (
    <Table
      caption={t('spending.table')}
      rows={spending.rows}
      keyOf={({ name }) => name ?? ''}
      columns={[
        { key: 'name', label: t(labels[by]), isHead: true, cell: ({ name }) => name ?? t('spending.other') },
        { key: 'share', label: t('spending.share'), align: 'end', cell: ({ share }) => t('spending.share-of', { share }) },
        { key: 'now', label: t('spending.this-month'), align: 'end', cell: ({ amounts }) => amounts.at(-1)?.formatted ?? '' },
        { key: 'total', label: t('spending.amount'), align: 'end', cell: ({ total }) => total.formatted },
      ]}
    />
  )
}
