import type { Market } from '@purlin/contract/markets.ts'
import { besideSession } from '#accounts'
import { categoryPathsOf, pricedOffersOf, type PricedOffer } from '#catalogue'
import { freeDelivery } from './ports.ts'
import {
  columnsJson,
  rowsOf,
  takeBeside,
  type Beside,
  type ColumnsOf,
  type Db,
  type Scope,
  type SiteScope,
  type Statement,
} from '#platform'

/** A rule of a price list that is in force. */
export interface PriceRule {
  sellerId: number
  productId: string | null
  categoryId: number | null
  percentBp: number | null
  price: number | null
}

/**
 * SQL: lists in force of a company, in a market, at an instant. Read by the ids of the company's own lists and those of its groups, before
 * anything else is decided (`offset 0`): a seller may have given one to each customer, and the planner would read those of all. Holders of
 * ended lists are passed over in the index.
 */
const listsInForce = (company = '$1', market = '$2', now = '$3') => `select l.id, l.seller_id from (
      select id, seller_id, market, valid_from, valid_to, ended_at from conditions.price_list where id = any(array(
        select list_id from conditions.price_list_holder where company_id = ${company} and ends_at > ${now}
        union all select list_id from conditions.price_list_holder
          where group_id = any(array(select group_id from conditions.group_company where company_id = ${company})) and ends_at > ${now}
      )) offset 0) l
  where l.market = ${market} and l.ended_at is null and l.valid_from <= ${now} and (l.valid_to is null or l.valid_to > ${now})`
// By product and list, and by list and category: `offset 0` keeps the planner from reading all rules of a product, of whichever company.
const rulesOf = (offers: string, categories: string) => `
    select l.seller_id as "sellerId", offer.product_id::text as "productId", null::integer as "categoryId", r.percent_bp as "percentBp", r.price
    from ${offers} as offer (seller_id, product_id)
    join held l on l.seller_id = offer.seller_id
    cross join lateral (
      select percent_bp, price from conditions.price_rule where list_id = l.id and product_id = offer.product_id offset 0) r
    union all
    select l.seller_id, null, r.category_id, r.percent_bp, null
    from held l
    cross join lateral (
      select category_id, percent_bp from conditions.price_rule where list_id = l.id and category_id = any(${categories}) offset 0) r`
const selectRules = {
  name: 'conditions.rules-for-offers',
  text: `with held as materialized (${listsInForce()} and l.seller_id = any($4::integer[]))
    ${rulesOf('unnest($4::integer[], $5::bigint[])', '$6::integer[]')}`,
}

export interface RulesAsked {
  companyId: string
  market: Market
  now: Date
  offers: readonly { sellerId: number; productId: string }[]
  categoryIds: readonly number[]
}

export function readRules(db: Db, { companyId, market, now, offers, categoryIds }: RulesAsked): Promise<PriceRule[]> {
  const [sellerIds, productIds] = [offers.map(({ sellerId }) => sellerId), offers.map(({ productId }) => productId)]
  return db.rows<PriceRule>(selectRules, [companyId, market, now, sellerIds, productIds, categoryIds])
}

const offerColumns = [
  'id',
  'productId',
  'sellerId',
  'market',
  'price',
  'proPrice',
  'quantityBreaks',
  'bulk',
  'isSample',
  'delivery',
  'unitMeasure',
  'unitQuantityMilli',
  'categoryId',
] as const satisfies (keyof PricedOffer)[]
const ruleColumns = ['sellerId', 'productId', 'categoryId', 'percentBp', 'price'] as const satisfies (keyof PriceRule)[]

/** SQL: offers to price, by a list of ids, their delivery if requested, with the rules for them in the company's lists of their sellers. */
const offersWithRules = (company: string, [market, now, ids, withDelivery]: readonly [string, string, string, string]) => `
    with sale as materialized (${pricedOffersOf(`string_to_array(${ids}, ',')::bigint[]`, `${withDelivery}::boolean`)}),
    held as materialized (${listsInForce(company, market, now)} and l.seller_id = any(array(select "sellerId" from sale))),
    rule as (${rulesOf('(select distinct "sellerId", "productId"::bigint from sale)', `array(${categoryPathsOf('select "categoryId" from sale')})`)})
    select 1 as id, (select ${columnsJson(offerColumns)} from sale) as offers, (select ${columnsJson(ruleColumns)} from rule) as rules,
      ${freeDelivery().facts(company)} as subscription`
/** Made on first use, when the modules are connected. */
let withRules: { ofCompany: Statement; besideSession: Statement } | undefined
const selectWithRules = () =>
  (withRules ??= {
    ofCompany: { name: 'conditions.offers-with-rules', text: offersWithRules('$1', ['$2', '$3', '$4', '$5']) },
    besideSession: besideSession('conditions.offers-with-rules-beside', offersWithRules('viewer."companyId"', ['$3', '$4', '$5', '$6'])),
  })

interface OffersWithRules {
  offers: PricedOffer[]
  rules: PriceRule[]
  /** What decides whether the company's parcels are free (`freeDelivery`). */
  subscription: object | null
}
interface Columns extends Pick<OffersWithRules, 'subscription'> {
  offers: ColumnsOf<PricedOffer>
  rules: ColumnsOf<PriceRule>
}

/** The offers of these ids with the rules for them in the price lists of the viewer's company, read beside their session. */
export function offersWithRulesBeside(
  { market, now }: Pick<SiteScope, 'market' | 'now'>,
  ids: readonly string[],
  withDelivery: boolean,
): Beside {
  return { statement: selectWithRules().besideSession, values: [market, now, ids.join(), withDelivery] }
}

/** The same for a company on the professional storefront; one statement, and none if it was read beside the session. */
export async function readOffersWithRules(
  scope: Scope,
  companyId: string,
  ids: readonly string[],
  withDelivery = true,
): Promise<OffersWithRules> {
  const beside = takeBeside<Columns>(scope, offersWithRulesBeside(scope, ids, withDelivery))
  const row = beside
    ? beside.row
    : await scope.db.row<Columns>(selectWithRules().ofCompany, [companyId, scope.market, scope.now, ids.join(), withDelivery])
  if (!row) return { offers: [], rules: [], subscription: null }
  return { offers: rowsOf(row.offers), rules: rowsOf(row.rules), subscription: row.subscription }
}

const selectAny = { name: 'conditions.has-rules', text: `select 1 as found from (${listsInForce()}) l limit 1` }

export async function hasRules(db: Db, companyId: string, market: Market, now: Date): Promise<boolean> {
  return (await db.row(selectAny, [companyId, market, now])) !== undefined
}

const selectAnyOrQuote = {
  name: 'conditions.has-rules-or-quotes',
  text: `select 1 as found where exists (${listsInForce()}) or exists (select from conditions.quoted_price q
      where q.customer_id = $4 and q.market = $2 and q.valid_until > $3 and q.order_id is null and (q.company_id = $1 or q.company_id is null))`,
}

/** Whether a company has lists in force, or the customer an accepted quote of it. */
export async function hasRulesOrQuotes(
  db: Db,
  { companyId, customerId, market, now }: Pick<RulesAsked, 'companyId' | 'market' | 'now'> & { customerId: string | null },
): Promise<boolean> {
  return (await db.row(selectAnyOrQuote, [companyId, market, now, customerId])) !== undefined
}

const insertGroup = {
  name: 'conditions.insert-group',
  text: `insert into conditions.company_group (id, seller_id, name) values ($1, $2, $3) on conflict do nothing`,
}
/** False if the seller has a group of this name. */
export async function writeGroup(db: Db, group: { id: string; sellerId: number; name: string }): Promise<boolean> {
  return (await db.run(insertGroup, [group.id, group.sellerId, group.name])) > 0
}

const ownGroups = {
  name: 'conditions.own-groups',
  text: `select g.id, g.name, coalesce((select jsonb_agg(c.company_id order by c.company_id) from conditions.group_company c
      where c.group_id = g.id), '[]') as companies
    from conditions.company_group g where g.seller_id = $1 and ($2::uuid[] is null or g.id = any($2)) order by g.name limit 500`,
}
export interface CompanyGroup {
  id: string
  name: string
  /** Their ids. */
  companies: string[]
}
/** Groups of a seller: all, or those of these ids that are the seller's own. */
export function readGroups(db: Db, sellerId: number, ids: readonly string[] | null = null): Promise<CompanyGroup[]> {
  return db.rows<CompanyGroup>(ownGroups, [sellerId, ids])
}

const setCompanies = {
  name: 'conditions.set-group-companies',
  text: `with gone as (
      delete from conditions.group_company where group_id = $1 and company_id <> all($2::uuid[])
    )
    insert into conditions.group_company (group_id, company_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
}
export async function writeGroupCompanies(db: Db, groupId: string, companyIds: readonly string[]): Promise<void> {
  await db.run(setCompanies, [groupId, companyIds])
}

export interface PriceList {
  id: string
  market: Market
  name: string
  validFrom: Date
  validTo: Date | null
  endedAt: Date | null
  companies: string[]
  groups: string[]
  rules: Omit<PriceRule, 'sellerId'>[]
}

const insertList = {
  name: 'conditions.insert-list',
  text: `with list as (
      insert into conditions.price_list (id, seller_id, market, name, valid_from, valid_to) values ($1, $2, $3, $4, $5, $6)
      returning id, coalesce(valid_to, 'infinity') as ends_at
    ), holders as (
      insert into conditions.price_list_holder (list_id, company_id, group_id, ends_at)
      select list.id, company_id, null::uuid, list.ends_at from list, unnest($7::uuid[]) company_id
      union all select list.id, null, group_id, list.ends_at from list, unnest($8::uuid[]) group_id
    )
    insert into conditions.price_rule (list_id, position, product_id, category_id, percent_bp, price)
    select list.id, r.position, r.product_id, r.category_id, r.percent_bp, r.price from list,
      unnest($9::bigint[], $10::integer[], $11::integer[], $12::integer[]) with ordinality
        as r (product_id, category_id, percent_bp, price, position)`,
}
export async function writeList(db: Db, sellerId: number, list: Omit<PriceList, 'endedAt'>): Promise<void> {
  const { id, market, name, validFrom, validTo, companies, groups, rules } = list
  await db.run(insertList, [
    id,
    sellerId,
    market,
    name,
    validFrom,
    validTo,
    companies,
    groups,
    rules.map(({ productId }) => productId),
    rules.map(({ categoryId }) => categoryId),
    rules.map(({ percentBp }) => percentBp),
    rules.map(({ price }) => price),
  ])
}

const ownLists = {
  name: 'conditions.own-lists',
  text: `select l.id, l.market, l.name, l.valid_from as "validFrom", l.valid_to as "validTo", l.ended_at as "endedAt",
      coalesce((select jsonb_agg(h.company_id) from conditions.price_list_holder h where h.list_id = l.id and h.company_id is not null), '[]') as companies,
      coalesce((select jsonb_agg(h.group_id) from conditions.price_list_holder h where h.list_id = l.id and h.group_id is not null), '[]') as groups,
      coalesce((select jsonb_agg(jsonb_build_object('productId', r.product_id::text, 'categoryId', r.category_id, 'percentBp', r.percent_bp, 'price', r.price)
        order by r.position) from conditions.price_rule r where r.list_id = l.id), '[]') as rules
    from conditions.price_list l where l.seller_id = $1 and ($2::uuid is null or l.id < $2) order by l.id desc limit $3`,
}
/** A seller's lists, newest first. */
export function readLists(db: Db, sellerId: number, after: string | null, limit: number): Promise<PriceList[]> {
  return db.rows<PriceList>(ownLists, [sellerId, after, limit])
}

const count = {
  name: 'conditions.count-lists',
  text: `select count(*)::int as n from conditions.price_list
    where seller_id = $1 and market = $2 and ended_at is null and (valid_to is null or valid_to > $3)`,
}
/** Lists of a seller in a market that are in force, or will be. */
export async function countLists(db: Db, sellerId: number, market: Market, now: Date): Promise<number> {
  return (await db.row<{ n: number }>(count, [sellerId, market, now]))?.n ?? 0
}

const countOfCompany = {
  name: 'conditions.most-lists-of-a-company',
  text: `select coalesce(max(n), 0)::int as n from (
      select count(*) as n
      from (select unnest($2::uuid[]) as id union select company_id from conditions.group_company where group_id = any($3::uuid[])) company
      cross join lateral (
        select l.market from (
          select h.list_id from conditions.price_list_holder h where h.company_id = company.id and h.ends_at > $6
          union select h.list_id from conditions.group_company g
            cross join lateral (select list_id from conditions.price_list_holder where group_id = g.group_id and ends_at > $6 offset 0) h
            where g.company_id = company.id
          union select h.list_id from conditions.price_list_holder h where h.group_id = $4 and h.ends_at > $6
        ) own join conditions.price_list l on l.id = own.list_id
        where l.seller_id = $1 and ($5::text is null or l.market = $5) and l.ended_at is null and (l.valid_to is null or l.valid_to > $6)
      ) own group by company.id, own.market) counted`,
}
export interface ListsOfCompanies {
  companies: readonly string[]
  /** The companies of these groups as well. */
  groups?: readonly string[]
  /** A group that all of them are in, or will be. */
  within?: string
  /** All markets if it is missing. */
  market?: Market
  now: Date
}
/** The lists of a seller that one of these companies has in a market, in force now or later: of the company that has most. */
export async function countListsOfCompany(
  db: Db,
  sellerId: number,
  { companies, groups = [], within, market, now }: ListsOfCompanies,
): Promise<number> {
  const row = await db.row<{ n: number }>(countOfCompany, [sellerId, companies, groups, within ?? null, market ?? null, now])
  return row?.n ?? 0
}

const countGroups = {
  name: 'conditions.most-groups-of-a-company',
  text: `select coalesce(max(n), 0)::int as n from (
      select count(*) as n from unnest($2::uuid[]) as company (id)
      cross join lateral (select group_id from conditions.group_company where company_id = company.id offset 0) own
      join conditions.company_group g on g.id = own.group_id
      where g.seller_id = $1 and g.id is distinct from $3 group by company.id) counted`,
}
/** The groups of a seller that one of these companies is in, besides this group: of the company that is in most. */
export async function countGroupsOfCompany(
  db: Db,
  sellerId: number,
  companies: readonly string[],
  besides: string | null = null,
): Promise<number> {
  return (await db.row<{ n: number }>(countGroups, [sellerId, companies, besides]))?.n ?? 0
}

const endList = {
  name: 'conditions.end-list',
  text: `with ended as (update conditions.price_list set ended_at = coalesce(ended_at, $3) where id = $1 and seller_id = $2 returning id, ended_at),
    holders as (
      update conditions.price_list_holder h set ends_at = ended.ended_at from ended where h.list_id = ended.id and h.ends_at > ended.ended_at)
    select from ended`,
}
/** False if it is no list of the seller's. Ending twice changes nothing. */
export async function writeListEnd(db: Db, id: string, sellerId: number, now: Date): Promise<boolean> {
  return (await db.run(endList, [id, sellerId, now])) > 0
}
