import { buildUrl, type ParamsOf, type QueryInput } from '@purlin/contract/path-helper.ts'
import { routes, type PageName } from './routes.ts'

/**
 * Every link of the shop: `paths.product({ slug: 'hammer', id: 12 })`, `paths.cart()`, `paths.search({ query }, { page: 2 })`.
 * Built from the route table, so that each address is written once.
 */

type RowOf<Name extends PageName> = Extract<(typeof routes)[number], { name: Name }>
/** A route with several addresses is linked by any of them: `/orders` and `/orders/page/{pageNumber}`. */
type ParamsOfRow<Name extends PageName> = RowOf<Name>['addresses'] extends readonly [
  infer First extends string,
  ...infer Others extends string[],
]
  ? Others extends readonly []
    ? ParamsOf<First>
    : ParamsOf<First> & Partial<ParamsOf<Others[number]> & object>
  : never
type PathOf<Name extends PageName> =
  object extends ParamsOfRow<Name>
    ? (params?: ParamsOfRow<Name>, query?: QueryInput) => string
    : (params: ParamsOfRow<Name>, query?: QueryInput) => string

export type Paths = { [Name in PageName]: PathOf<Name> }

export const paths = Object.fromEntries(
  routes.map(({ name, addresses }) => [
    name,
    (params: Record<string, string | number> = {}, query?: QueryInput) => buildUrl(bestAddress(addresses, params), params, query),
  ]),
) as unknown as Paths

/** The address that uses most of the given parameters. */
function bestAddress(addresses: readonly string[], params: object): string {
  const taken = (address: string) => [...address.matchAll(/\{(\w+)/g)].filter(([, name]) => name !== undefined && name in params).length
  return addresses.reduce((best, address) => (taken(address) > taken(best) ? address : best))
}
