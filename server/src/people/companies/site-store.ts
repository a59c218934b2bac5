import type { PostalAddress } from '#addresses'
import type { Db } from '#platform'

/** A building site of a company. The names of its address are those of the contact on site. */
export interface Site {
  id: string
  name: string
  address: PostalAddress
  deliveryHours: string | null
  isArchived: boolean
}

const columns = `id, name, address, delivery_hours as "deliveryHours", archived_at is not null as "isArchived"`
const list = {
  name: 'companies.sites',
  text: `select ${columns} from companies.site where company_id = $1 order by archived_at is not null, lower(name) limit 300`,
}
const one = { name: 'companies.site', text: `select ${columns} from companies.site where company_id = $1 and id = $2` }
const insert = {
  name: 'companies.insert-site',
  text: `insert into companies.site (id, company_id, name, address, delivery_hours) values ($1, $2, $3, $4, $5) on conflict do nothing`,
}
const update = {
  name: 'companies.update-site',
  text: `update companies.site s set name = $3, address = $4, delivery_hours = $5 where id = $1 and company_id = $2
    and not exists (select 1 from companies.site o where o.company_id = $2 and o.id <> $1 and lower(o.name) = lower($3))`,
}
const archive = {
  name: 'companies.archive-site',
  text: `update companies.site set archived_at = case when $3 then coalesce(archived_at, now()) end where id = $1 and company_id = $2`,
}

const remove = { name: 'companies.delete-sites', text: 'delete from companies.site where company_id = $1' }

/** Active ones first. */
export function readSites(db: Db, companyId: string): Promise<Site[]> {
  return db.rows<Site>(list, [companyId])
}

export function readSite(db: Db, companyId: string, id: string): Promise<Site | undefined> {
  return db.row<Site>(one, [companyId, id])
}

export type SiteToKeep = Pick<Site, 'id' | 'name' | 'address' | 'deliveryHours'>

/** False if the company has another site of that name. */
export async function insertSite(db: Db, companyId: string, { id, name, address, deliveryHours }: SiteToKeep): Promise<boolean> {
  return (await db.run(insert, [id, companyId, name, JSON.stringify(address), deliveryHours])) === 1
}

/** False if the company has another site of that name. */
export async function updateSite(db: Db, companyId: string, { id, name, address, deliveryHours }: SiteToKeep): Promise<boolean> {
  return (await db.run(update, [id, companyId, name, JSON.stringify(address), deliveryHours])) === 1
}

/** False if the company has no such site. */
export async function setSiteArchived(db: Db, companyId: string, id: string, isArchived: boolean): Promise<boolean> {
  return (await db.run(archive, [id, companyId, isArchived])) === 1
}

/**
 * The sites of a closed company go, with the contacts they name. Those of a company that goes on are its own, also where the contact
 * has the name or phone of somebody who erases their account: the company decides who is called on its site.
 */
export async function removeSitesOf(db: Db, companyId: string): Promise<void> {
  await db.run(remove, [companyId])
}
