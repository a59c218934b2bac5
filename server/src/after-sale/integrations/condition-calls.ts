import * as v from 'valibot'
import { sellerIdOf } from '#accounts'
import { createCompanyGroup, givePriceList, readGroups, readLists, setGroupCompanies, writeListEnd } from '#conditions'
import { requireQuota, type Scope } from '#platform'
import { endpoint, found } from './endpoint.ts'
import { amount, cursor, id, market, next, note, time } from './schemas.ts'

const pageSize = 50
/** Units of the quotas for each list and each change of a group, in addition to those for its rules or companies. */
const unitsOfCall = 100
/** Reasons that are found before groups and lists are counted company by company, which costs more than writing them. */
const refusedEarly: ReadonlySet<string> = new Set([
  'validity-invalid',
  'list-for-nobody',
  'too-many-lists',
  'unknown-company',
  'unknown-group',
])
const tag = 'Prices'
const common = { tag, action: 'sellerPrice.set' } as const
const name = v.pipe(note(80), v.minLength(1))
const company = v.union([
  v.strictObject({ companyId: id }),
  v.strictObject({ vatNumber: v.pipe(v.string(), v.minLength(4), v.maxLength(20)) }),
])
const companies = v.pipe(v.array(company), v.maxLength(500))
const percentBp = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(9000),
  v.description('Hundredths of a percent off the price of one piece'),
)
const productId = v.pipe(v.string(), v.regex(/^[1-9]\d{0,17}$/))
const categoryId = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(999_999_999))
const rule = v.union([
  v.strictObject({ productId, price: amount }),
  v.strictObject({ productId, percentBp }),
  v.strictObject({ categoryId, percentBp }),
])
const listed = v.object({
  id,
  market,
  name: v.string(),
  validFrom: time,
  validTo: v.nullable(time),
  endedAt: v.nullable(time),
  companies: v.array(id),
  groups: v.array(id),
  rules: v.array(
    v.object({
      productId: v.nullable(v.string()),
      categoryId: v.nullable(v.number()),
      percentBp: v.nullable(v.number()),
      price: v.nullable(v.number()),
    }),
  ),
})
const ruleOf = (given: v.InferOutput<typeof rule>) => ({
  productId: 'productId' in given ? given.productId : null,
  categoryId: 'categoryId' in given ? given.categoryId : null,
  percentBp: 'percentBp' in given ? given.percentBp : null,
  price: 'price' in given ? given.price : null,
})
const dateOf = (text: string | undefined) => (text === undefined ? null : new Date(text))

/** Takes units of a seller's quota before the work, and returns them if it was refused early. */
async function counted<Done extends { ok: true } | { ok: false; reason: string }>(
  name: 'price-list' | 'company-group',
  scope: Pick<Scope, 'principal'>,
  units: number,
  work: (sellerId: number) => Promise<Done>,
): Promise<Done> {
  const sellerId = sellerIdOf(scope) ?? 0
  const taken = await requireQuota(name, { key: String(sellerId) }, unitsOfCall + units)
  const done = await work(sellerId)
  if (!done.ok && refusedEarly.has(done.reason)) await taken.giveBack()
  return done
}

export const conditionCalls = [
  endpoint({
    ...common,
    id: 'listCompanyGroups',
    method: 'get',
    path: '/company-groups',
    summary: 'Groups of companies that the seller treats alike',
    scope: 'prices:read',
    result: v.object({ groups: v.array(v.object({ id, name: v.string(), companies: v.array(id) })) }),
    handle: async (scope) => ({ ok: true, body: { groups: await readGroups(scope.db, sellerIdOf(scope) ?? 0) } }),
  }),
  endpoint({
    ...common,
    id: 'createCompanyGroup',
    method: 'post',
    path: '/company-groups',
    status: 201,
    summary: 'Creates a group of companies',
    scope: 'prices:write',
    body: v.strictObject({ name, companies }),
    result: v.object({ id }),
    handle: async (scope, { body }) => {
      const made = await counted('company-group', scope, body.companies.length, (sellerId) => createCompanyGroup(scope, sellerId, body))
      return made.ok ? { ok: true, body: { id: made.id } } : made
    },
  }),
  endpoint({
    ...common,
    id: 'setGroupCompanies',
    method: 'put',
    path: '/company-groups/{groupId}/companies',
    summary: 'Replaces the companies of a group; its price lists follow at once',
    scope: 'prices:write',
    params: v.strictObject({ groupId: id }),
    body: v.strictObject({ companies }),
    result: v.object({ id }),
    handle: async (scope, { params: { groupId }, body }) => {
      const set = await counted('company-group', scope, body.companies.length, (sellerId) =>
        setGroupCompanies(scope, sellerId, { groupId, ...body }),
      )
      return set.ok ? { ok: true, body: { id: groupId } } : set
    },
  }),
  endpoint({
    ...common,
    id: 'listPriceLists',
    method: 'get',
    path: '/price-lists',
    summary: 'Price lists of the seller, newest first, fifty at a time',
    scope: 'prices:read',
    query: v.strictObject({ after: cursor }),
    result: v.object({ lists: v.array(listed), next }),
    handle: async (scope, { query: { after } }) => {
      if (after !== undefined && !v.is(id, after)) return { ok: false, reason: 'input-invalid' }
      const rows = await readLists(scope.db, sellerIdOf(scope) ?? 0, after ?? null, pageSize + 1)
      const lists = rows.slice(0, pageSize).map(({ validFrom, validTo, endedAt, ...list }) => ({
        ...list,
        validFrom: validFrom.toISOString(),
        validTo: validTo?.toISOString() ?? null,
        endedAt: endedAt?.toISOString() ?? null,
      }))
      return { ok: true, body: { lists, next: rows.length > pageSize ? (lists.at(-1)?.id ?? null) : null } }
    },
  }),
  endpoint({
    ...common,
    id: 'givePriceList',
    method: 'post',
    path: '/price-lists',
    status: 201,
    summary: 'Gives a price list to companies and groups, in one market',
    description:
      'Among the public price, the quantity breaks and all rules that cover an offer the lowest price applies; they do not add up. A list is not changed: end it and give another one. A company has twenty lists of a seller in a market at most, in force now or later, by itself and by its groups.',
    scope: 'prices:write',
    body: v.strictObject({
      market,
      name,
      validFrom: v.optional(time),
      validTo: v.optional(time),
      companies: v.optional(companies, []),
      groups: v.optional(v.pipe(v.array(id), v.maxLength(50)), []),
      rules: v.pipe(v.array(rule), v.minLength(1), v.maxLength(1000)),
    }),
    result: v.object({ id }),
    handle: async (scope, { body: { rules, validFrom, validTo, ...body } }) => {
      const dates = { validFrom: dateOf(validFrom), validTo: dateOf(validTo) }
      const given = await counted('price-list', scope, rules.length, (sellerId) =>
        givePriceList(scope, sellerId, { ...body, ...dates, rules: rules.map(ruleOf) }),
      )
      return given.ok ? { ok: true, body: { id: given.id } } : given
    },
  }),
  endpoint({
    ...common,
    id: 'endPriceList',
    method: 'post',
    path: '/price-lists/{listId}/end',
    summary: 'Ends a price list from now on',
    scope: 'prices:write',
    params: v.strictObject({ listId: id }),
    result: v.object({ id }),
    handle: async (scope, { params: { listId } }) =>
      found((await writeListEnd(scope.db, listId, sellerIdOf(scope) ?? 0, scope.now)) ? { id: listId } : null),
  }),
]
