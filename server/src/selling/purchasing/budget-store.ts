import type { Db } from '#platform'
import type { Budget, BudgetKind, Spent } from './budget.ts'

/** The subjects an order is charged to. */
export interface Charged {
  companyId: string
  customerId: string
  siteId: string | null
  costCentreId: string | null
}

const columns = `id, kind, subject_id as "subjectId", currency, monthly, per_order as "perOrder"`
const all = { name: 'purchasing.budgets', text: `select ${columns} from purchasing.budget where company_id = $1` }
const ofSubjects = `from purchasing.budget where company_id = $1
  and ((kind = 'member' and subject_id = $2) or (kind = 'cost-centre' and subject_id = $3) or (kind = 'site' and subject_id = $4))`
const lock = { name: 'purchasing.lock-budgets', text: `select ${columns} ${ofSubjects} order by id for update` }
const applying = { name: 'purchasing.budgets-of', text: `select ${columns} ${ofSubjects}` }
const put = {
  name: 'purchasing.put-budget',
  text: `insert into purchasing.budget (id, company_id, kind, subject_id, currency, monthly, per_order, changed_by) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (company_id, kind, subject_id) do update set currency = excluded.currency, monthly = excluded.monthly, per_order = excluded.per_order,
      changed_by = excluded.changed_by, changed_at = now()`,
}
const remove = {
  name: 'purchasing.remove-budget',
  text: `delete from purchasing.budget where company_id = $1 and kind = $2 and subject_id = $3`,
}
const spentOf = {
  name: 'purchasing.spent',
  text: `select coalesce(sum(amount - returned) filter (where customer_id = $2), 0)::float8 as member,
      coalesce(sum(amount - returned) filter (where cost_centre_id = $3), 0)::float8 as "cost-centre",
      coalesce(sum(amount - returned) filter (where site_id = $4), 0)::float8 as site
    from purchasing.spend where company_id = $1 and currency = $5 and month = $6 and customer_order_id <> $7`,
}
const spentInMonth = {
  name: 'purchasing.spent-in-month',
  text: `select subject as "subjectId", kind, sum(amount - returned)::float8 as used from purchasing.spend,
      lateral (values ('member', customer_id), ('cost-centre', cost_centre_id), ('site', site_id)) as charged (kind, subject)
    where company_id = $1 and currency = $2 and month = $3 and subject is not null group by subject, kind`,
}
const write = {
  name: 'purchasing.write-spend',
  text: `insert into purchasing.spend (customer_order_id, company_id, customer_id, site_id, cost_centre_id, currency, month, amount, categories, net)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (customer_order_id) do update set company_id = excluded.company_id, customer_id = excluded.customer_id, site_id = excluded.site_id,
      cost_centre_id = excluded.cost_centre_id, currency = excluded.currency, month = excluded.month, amount = excluded.amount,
      categories = excluded.categories, net = excluded.net, returned = 0, returned_goods = '[]', returned_counted = 0, placed_at = now()`,
}
const release = { name: 'purchasing.release-spend', text: 'delete from purchasing.spend where customer_order_id = $1' }
const giveBack = {
  name: 'purchasing.return-spend',
  text: `update purchasing.spend set returned = least(amount, $2), returned_goods = $3, returned_counted = least(amount, $2)
    where customer_order_id = $1`,
}
const spendOf = {
  name: 'purchasing.spend-of-order',
  text: `select company_id as "companyId", customer_id as "customerId", site_id as "siteId", cost_centre_id as "costCentreId", currency,
    to_char(month, 'YYYY-MM-DD') as month, amount - returned as amount from purchasing.spend where customer_order_id = $1`,
}
const moveSpendTo = {
  name: 'purchasing.move-spend',
  text: 'update purchasing.spend set cost_centre_id = $2, site_id = $3 where customer_order_id = $1',
}
// Bounded by months, which the index of a company's charges has.
const latestCentre = {
  name: 'purchasing.latest-cost-centre',
  text: `select cost_centre_id as id from purchasing.spend where company_id = $1 and customer_id = $2 and cost_centre_id is not null
      and month >= ($3::timestamptz - interval '4 months')::date
    order by placed_at desc limit 1`,
}
/** The cost centre of a member's latest order of the last months that named one; null without any. */
export async function readLatestCostCentre(db: Db, companyId: string, customerId: string, now: Date): Promise<string | null> {
  return (await db.row<{ id: string }>(latestCentre, [companyId, customerId, now]))?.id ?? null
}

export function readBudgets(db: Db, companyId: string): Promise<Budget[]> {
  return db.rows<Budget>(all, [companyId])
}

const subjects = ({ companyId, customerId, costCentreId, siteId }: Charged) => [companyId, customerId, costCentreId, siteId]

/** The limits that apply to an order; orders that share one are decided one after the other until the transaction ends. */
export function lockBudgets(db: Db, charged: Charged): Promise<Budget[]> {
  return db.rows<Budget>(lock, subjects(charged))
}

export function readBudgetsOf(db: Db, charged: Charged): Promise<Budget[]> {
  return db.rows<Budget>(applying, subjects(charged))
}

export async function putBudget(db: Db, companyId: string, budget: Budget, changedBy: string): Promise<void> {
  const { id, kind, subjectId, currency, monthly, perOrder } = budget
  await db.run(put, [id, companyId, kind, subjectId, currency, monthly, perOrder, changedBy])
}

export async function removeBudget(db: Db, companyId: string, kind: BudgetKind, subjectId: string): Promise<void> {
  await db.run(remove, [companyId, kind, subjectId])
}

/** Committed in a month by other orders that are charged to the same member, cost centre or site. */
export async function readSpent(db: Db, charged: Charged, { currency, month }: SpendPeriod, orderId: string): Promise<Spent> {
  const row = await db.row<Spent>(spentOf, [...subjects(charged), currency, month, orderId])
  return row ?? { member: 0, 'cost-centre': 0, site: 0 }
}

export interface SpendPeriod {
  currency: string
  /** YYYY-MM-01 */
  month: string
}

export function readUsed(
  db: Db,
  companyId: string,
  { currency, month }: SpendPeriod,
): Promise<{ subjectId: string; kind: BudgetKind; used: number }[]> {
  return db.rows(spentInMonth, [companyId, currency, month])
}

export interface Spend extends Charged, SpendPeriod {
  orderId: string
  amount: number
  /** The same without VAT. */
  net: number
  categories: readonly { category: number; amount: number }[]
}

export async function writeSpend(db: Db, spend: Spend): Promise<void> {
  const { orderId, companyId, customerId, siteId, costCentreId, currency, month, amount, categories, net } = spend
  await db.run(write, [orderId, companyId, customerId, siteId, costCentreId, currency, month, amount, JSON.stringify(categories), net])
}

/** The order is not placed after all. */
export async function releaseSpend(db: Db, orderId: string): Promise<void> {
  await db.run(release, [orderId])
}

const lockCharge = { name: 'purchasing.lock-spend', text: 'select 1 from purchasing.spend where customer_order_id = $1 for update' }
/** Refunds of one order are counted one after the other until the transaction ends. False for one that is charged to no company. */
export async function lockSpend(db: Db, orderId: string): Promise<boolean> {
  return (await db.rows(lockCharge, [orderId])).length > 0
}

const lockUncounted = {
  name: 'purchasing.lock-uncounted-spend',
  text: `select customer_order_id as id from purchasing.spend where returned <> returned_counted order by customer_order_id limit 100
    for update skip locked`,
}
/** Some of the orders whose refunded goods have not been counted since their last refund. */
export async function lockUncountedSpend(db: Db): Promise<string[]> {
  return (await db.rows<{ id: string }>(lockUncounted, [])).map(({ id }) => id)
}

/** @param returned refunded in all, in minor units, and the goods among it by category */
export async function returnSpend(db: Db, orderId: string, returned: { amount: number; goods: Spend['categories'] }): Promise<void> {
  await db.run(giveBack, [orderId, returned.amount, JSON.stringify(returned.goods)])
}

/** The charge of an order that is placed, without what was refunded. */
export function readSpendOf(db: Db, orderId: string): Promise<(Charged & SpendPeriod & { amount: number }) | undefined> {
  return db.row(spendOf, [orderId])
}

export async function moveSpend(
  db: Db,
  orderId: string,
  { costCentreId, siteId }: Pick<Charged, 'costCentreId' | 'siteId'>,
): Promise<void> {
  await db.run(moveSpendTo, [orderId, costCentreId, siteId])
}
