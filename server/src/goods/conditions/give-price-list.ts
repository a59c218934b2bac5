import type { Market } from '@purlin/contract/markets.ts'
import { findCompanies } from '#accounts'
import { newId, type Db, type Scope } from '#platform'
import {
  countGroupsOfCompany,
  countLists,
  countListsOfCompany,
  readGroups,
  writeGroup,
  writeGroupCompanies,
  writeList,
  type PriceList,
} from './store.ts'

/** A company as a seller names it: by its id, which quotes and orders show, or by its VAT number. */
export type NamedCompany = { companyId: string } | { vatNumber: string }

type Refused = {
  ok: false
  reason:
    | 'unknown-company'
    | 'unknown-group'
    | 'group-exists'
    | 'validity-invalid'
    | 'list-for-nobody'
    | 'too-many-lists'
    | 'too-many-lists-of-company'
    | 'too-many-groups-of-company'
}
type WriteScope = Pick<Scope, 'db' | 'now'>

/**
 * Of a seller in a market, in force now or later. Each page of a company looks for its goods in all lists that it has of their sellers, by
 * itself or by its groups; how many other companies have costs it nothing.
 */
export const maxLists = { ofCompany: 20, ofSeller: 10_000 }
const maxGroupsOfCompany = 20

export async function createCompanyGroup(
  { db }: WriteScope,
  sellerId: number,
  { name, companies }: { name: string; companies: readonly NamedCompany[] },
): Promise<{ ok: true; id: string } | Refused> {
  const ids = await idsOf(db, companies)
  if (!ids) return { ok: false, reason: 'unknown-company' }
  if ((await countGroupsOfCompany(db, sellerId, ids)) >= maxGroupsOfCompany) return { ok: false, reason: 'too-many-groups-of-company' }
  const id = newId()
  if (!(await writeGroup(db, { id, sellerId, name }))) return { ok: false, reason: 'group-exists' }
  await writeGroupCompanies(db, id, ids)
  return { ok: true, id }
}

/** Replaces the companies of a group; its lists apply to them from the next request on. */
export async function setGroupCompanies(
  { db, now }: WriteScope,
  sellerId: number,
  { groupId, companies }: { groupId: string; companies: readonly NamedCompany[] },
): Promise<{ ok: true } | Refused> {
  const [group] = await readGroups(db, sellerId, [groupId])
  if (!group) return { ok: false, reason: 'unknown-group' }
  const ids = await idsOf(db, companies)
  if (!ids) return { ok: false, reason: 'unknown-company' }
  if ((await countGroupsOfCompany(db, sellerId, ids, groupId)) >= maxGroupsOfCompany)
    return { ok: false, reason: 'too-many-groups-of-company' }
  const lists = await countListsOfCompany(db, sellerId, { companies: ids, within: groupId, now })
  if (lists > maxLists.ofCompany) return { ok: false, reason: 'too-many-lists-of-company' }
  await writeGroupCompanies(db, groupId, ids)
  return { ok: true }
}

export interface GivePriceList extends Pick<PriceList, 'name' | 'validTo' | 'rules'> {
  market: Market
  validFrom: Date | null
  companies: readonly NamedCompany[]
  groups: readonly string[]
}

/** Gives a price list to companies and groups. A list is never changed: a seller ends it and gives another one. */
export async function givePriceList(
  { db, now }: WriteScope,
  sellerId: number,
  given: GivePriceList,
): Promise<{ ok: true; id: string } | Refused> {
  const validFrom = given.validFrom ?? now
  if (given.validTo && (given.validTo <= validFrom || given.validTo <= now)) return { ok: false, reason: 'validity-invalid' }
  if (given.companies.length + given.groups.length === 0) return { ok: false, reason: 'list-for-nobody' }
  if ((await countLists(db, sellerId, given.market, now)) >= maxLists.ofSeller) return { ok: false, reason: 'too-many-lists' }
  const companies = await idsOf(db, given.companies)
  if (!companies) return { ok: false, reason: 'unknown-company' }
  const groups = [...new Set(given.groups)]
  if ((await readGroups(db, sellerId, groups)).length !== groups.length) return { ok: false, reason: 'unknown-group' }
  const { market, name, validTo, rules } = given
  const lists = await countListsOfCompany(db, sellerId, { companies, groups, market, now })
  if (lists >= maxLists.ofCompany) return { ok: false, reason: 'too-many-lists-of-company' }
  const id = newId()
  await writeList(db, sellerId, { id, market, name, validFrom, validTo, companies, groups, rules })
  return { ok: true, id }
}

/** Ids of all the named companies, each once; null if one of them is unknown. */
async function idsOf(db: Db, named: readonly NamedCompany[]): Promise<string[] | null> {
  const ids = new Set(named.flatMap((each) => ('companyId' in each ? each.companyId : [])))
  const vatNumbers = new Set(named.flatMap((each) => ('vatNumber' in each ? each.vatNumber.replaceAll(/[\s.-]/g, '').toUpperCase() : [])))
  const found = await findCompanies(db, { ids: [...ids], vatNumbers: [...vatNumbers] })
  const known = new Set(found.flatMap(({ id, vatNumber }) => [id, vatNumber]))
  const areKnown = [...ids, ...vatNumbers].every((each) => known.has(each))
  return areKnown ? [...new Set(found.map(({ id }) => id))] : null
}
