import { markets } from '@purlin/contract/markets.ts'
import { authorize, companyOf, readCompany } from '#accounts'
import { checkPostalAddress, type AddressInput, type FieldRefusals } from '#addresses'
import { isId, newId, type Scope } from '#platform'
import {
  allowsFreeCostCentre,
  findCostCentre,
  insertCostCentre,
  readCostCentres,
  renameCostCentre,
  setCostCentreArchived,
  setFreeCostCentre,
} from './cost-centre-store.ts'
import { insertSite, readSite, readSites, setSiteArchived, updateSite, type Site } from './site-store.ts'

/** Of a company, archived ones included. */
export const maxSites = 200
export const maxCostCentres = 300

export interface SiteInput extends AddressInput {
  name: string
  deliveryHours?: string | null
}

export type SiteRefusal =
  | { ok: false; reason: 'unknown-site' | 'unknown-cost-centre' | 'too-many-sites' | 'too-many-cost-centres' }
  | { ok: false; reason: 'name-taken'; field: 'name' | 'code' }
  | { ok: false; reason: 'name-invalid'; field: 'name' | 'code' | 'deliveryHours' }
  | { ok: false; reason: 'address-invalid'; fields: FieldRefusals }
export type SiteChange = { ok: true } | SiteRefusal

/** Building sites and cost centres of the viewer's company, as all its members see them. */
export async function showSites(scope: Scope) {
  const companyId = companyOf(scope)
  if (companyId === null) return null
  const [sites, costCentres, isFree] = await Promise.all([
    readSites(scope.db, companyId),
    readCostCentres(scope.db, companyId),
    allowsFreeCostCentre(scope.db, companyId),
  ])
  return {
    sites: sites.map(({ address, ...site }) => ({ ...site, ...address })),
    costCentres,
    isFree,
    canManageSites: authorize(scope, 'building-site.manage', { companyId }),
    canManageCostCentres: authorize(scope, 'cost-centre.manage', { companyId }),
  }
}

/** Adds a building site, or changes the one with this id. */
export async function saveSite(scope: Scope, id: string | null, input: SiteInput): Promise<SiteChange> {
  const companyId = ownCompany(scope)
  const [name, deliveryHours] = [tidy(input.name), tidy(input.deliveryHours ?? '')]
  if (!isText(name, 80)) return { ok: false, reason: 'name-invalid', field: 'name' }
  if (deliveryHours !== '' && !isText(deliveryHours, 100)) return { ok: false, reason: 'name-invalid', field: 'deliveryHours' }
  const company = await readCompany(scope.db, companyId)
  // Goods are delivered within the market's country; parcels carry the company's name.
  const checked = checkPostalAddress(markets[scope.market].country, {
    ...input,
    company: company?.name ?? null,
    instructions: deliveryHours,
  })
  if ('fields' in checked) return { ok: false, reason: 'address-invalid', fields: checked.fields }
  const site = { name, address: checked.address, deliveryHours: deliveryHours || null }
  if (id !== null) {
    if (!isId(id) || !(await readSite(scope.db, companyId, id))) return { ok: false, reason: 'unknown-site' }
    return (await updateSite(scope.db, companyId, { id, ...site })) ? { ok: true } : { ok: false, reason: 'name-taken', field: 'name' }
  }
  if ((await readSites(scope.db, companyId)).length >= maxSites) return { ok: false, reason: 'too-many-sites' }
  const isAdded = await insertSite(scope.db, companyId, { id: newId(), ...site })
  return isAdded ? { ok: true } : { ok: false, reason: 'name-taken', field: 'name' }
}

/** Archived sites are offered no longer; orders and reports keep their names. */
export async function archiveSite(scope: Scope, id: string, isArchived: boolean): Promise<SiteChange> {
  const isDone = isId(id) && (await setSiteArchived(scope.db, ownCompany(scope), id, isArchived))
  return isDone ? { ok: true } : { ok: false, reason: 'unknown-site' }
}

export async function addCostCentre(scope: Scope, input: { code: string; name: string }): Promise<SiteChange> {
  const companyId = ownCompany(scope)
  const [code, name] = [tidy(input.code), tidy(input.name)]
  if (!isText(code, 40)) return { ok: false, reason: 'name-invalid', field: 'code' }
  if (name !== '' && !isText(name, 80)) return { ok: false, reason: 'name-invalid', field: 'name' }
  if ((await readCostCentres(scope.db, companyId)).length >= maxCostCentres) return { ok: false, reason: 'too-many-cost-centres' }
  const isAdded = await insertCostCentre(scope.db, companyId, { id: newId(), code, name })
  return isAdded ? { ok: true } : { ok: false, reason: 'name-taken', field: 'code' }
}

/** The code stays: it is printed on invoices. An empty name is one: the code alone is shown. */
export async function changeCostCentre(
  scope: Scope,
  id: string,
  { name, isArchived }: { name?: string | null; isArchived?: boolean | null },
): Promise<SiteChange> {
  const companyId = ownCompany(scope)
  if (!isId(id)) return { ok: false, reason: 'unknown-cost-centre' }
  const typed = typeof name === 'string' ? tidy(name) : null
  if (typed && !isText(typed, 80)) return { ok: false, reason: 'name-invalid', field: 'name' }
  const isRenamed = typed === null || (await renameCostCentre(scope.db, companyId, id, typed))
  const isMoved = typeof isArchived !== 'boolean' || (await setCostCentreArchived(scope.db, companyId, id, isArchived))
  return isRenamed && isMoved ? { ok: true } : { ok: false, reason: 'unknown-cost-centre' }
}

export async function changeCostCentreRule(scope: Scope, isFree: boolean): Promise<SiteChange> {
  await setFreeCostCentre(scope.db, ownCompany(scope), isFree)
  return { ok: true }
}

/** A site of the viewer's company that goods can be delivered to from here; undefined for others' and archived ones. */
export async function findSite(scope: Scope, id: string): Promise<Site | undefined> {
  const companyId = companyOf(scope)
  const site = companyId !== null && isId(id) ? await readSite(scope.db, companyId, id) : undefined
  return site && !site.isArchived && site.address.country === markets[scope.market].country ? site : undefined
}

/** Whether an order of the company may name this cost centre from now on; with the id of one on its list, archived ones included. */
export async function checkCostCentre(
  db: Scope['db'],
  companyId: string,
  code: string,
): Promise<{ isAllowed: boolean; code: string; id: string | null }> {
  const listed = await findCostCentre(db, companyId, code)
  if (listed) return { isAllowed: !listed.isArchived, code: listed.code, id: listed.id }
  return { isAllowed: await allowsFreeCostCentre(db, companyId), code, id: null }
}

function ownCompany(scope: Scope): string {
  const companyId = companyOf(scope)
  if (companyId === null) throw new Error('Only members of companies manage sites and cost centres')
  return companyId
}

function tidy(typed: string): string {
  return typed.normalize('NFC').replace(/\s+/g, ' ').trim()
}

/** It is printed on parcels and invoices. */
function isText(value: string, longest: number): boolean {
  return value !== '' && value.length <= longest && !/[\p{Cc}\p{Cf}<>]/u.test(value)
}
