import type { Db } from '#platform'

export interface CostCentre {
  id: string
  code: string
  name: string
  isArchived: boolean
}

const columns = `id, code, name, archived_at is not null as "isArchived"`
const list = {
  name: 'companies.cost-centres',
  text: `select ${columns} from companies.cost_centre where company_id = $1 order by archived_at is not null, lower(code) limit 500`,
}
const byCode = {
  name: 'companies.cost-centre-by-code',
  text: `select ${columns} from companies.cost_centre where company_id = $1 and lower(code) = lower($2)`,
}
const insert = {
  name: 'companies.insert-cost-centre',
  text: `insert into companies.cost_centre (id, company_id, code, name) values ($1, $2, $3, $4) on conflict do nothing`,
}
const rename = {
  name: 'companies.rename-cost-centre',
  text: `update companies.cost_centre set name = $3 where id = $1 and company_id = $2`,
}
const archive = {
  name: 'companies.archive-cost-centre',
  text: `update companies.cost_centre set archived_at = case when $3 then coalesce(archived_at, now()) end where id = $1 and company_id = $2`,
}
const remove = { name: 'companies.delete-cost-centres', text: 'delete from companies.cost_centre where company_id = $1' }
const rule = {
  name: 'companies.free-cost-centre',
  text: `select coalesce((select allows_free_cost_centre from companies.purchasing_rule where company_id = $1), true) as "isFree"`,
}
const setRule = {
  name: 'companies.set-free-cost-centre',
  text: `insert into companies.purchasing_rule (company_id, allows_free_cost_centre) values ($1, $2)
    on conflict (company_id) do update set allows_free_cost_centre = excluded.allows_free_cost_centre`,
}
const required = {
  name: 'companies.required-cost-centre',
  text: 'select requires_cost_centre as "isRequired" from companies.purchasing_rule where company_id = $1',
}
const setRequired = {
  name: 'companies.set-required-cost-centre',
  text: `insert into companies.purchasing_rule (company_id, requires_cost_centre) values ($1, $2)
    on conflict (company_id) do update set requires_cost_centre = excluded.requires_cost_centre`,
}

/** Active ones first. */
export function readCostCentres(db: Db, companyId: string): Promise<CostCentre[]> {
  return db.rows<CostCentre>(list, [companyId])
}

export function findCostCentre(db: Db, companyId: string, code: string): Promise<CostCentre | undefined> {
  return db.row<CostCentre>(byCode, [companyId, code])
}

/** False if the company has this code already. */
export async function insertCostCentre(db: Db, companyId: string, { id, code, name }: Omit<CostCentre, 'isArchived'>): Promise<boolean> {
  return (await db.run(insert, [id, companyId, code, name])) === 1
}

export async function renameCostCentre(db: Db, companyId: string, id: string, name: string): Promise<boolean> {
  return (await db.run(rename, [id, companyId, name])) === 1
}

export async function setCostCentreArchived(db: Db, companyId: string, id: string, isArchived: boolean): Promise<boolean> {
  return (await db.run(archive, [id, companyId, isArchived])) === 1
}

/** Whether orders may name a cost centre that is not on the company's list. */
export async function allowsFreeCostCentre(db: Db, companyId: string): Promise<boolean> {
  return (await db.row<{ isFree: boolean }>(rule, [companyId]))?.isFree ?? true
}

export async function setFreeCostCentre(db: Db, companyId: string, isFree: boolean): Promise<void> {
  await db.run(setRule, [companyId, isFree])
}

/** Whether each order has to name a cost centre that is on the company's list. */
export async function requiresCostCentre(db: Db, companyId: string): Promise<boolean> {
  return (await db.row<{ isRequired: boolean }>(required, [companyId]))?.isRequired ?? false
}

export async function setCostCentreRequired(db: Db, companyId: string, isRequired: boolean): Promise<void> {
  await db.run(setRequired, [companyId, isRequired])
}

/** Cost centres of a closed company, which may be named after people. */
export async function removeCostCentresOf(db: Db, companyId: string): Promise<void> {
  await db.run(remove, [companyId])
}
