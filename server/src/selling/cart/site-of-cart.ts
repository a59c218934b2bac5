import { companyOf } from '#accounts'
import { findSite } from '#companies'
import type { Scope } from '#platform'
import { cartOwnerOf } from './cart-owner.ts'

const name = {
  name: 'cart.name-site',
  text: `update cart.line l set site_id = case when l.site_id is null or l.site_id = $4 then $4::uuid end
    from cart.cart c where c.id = l.cart_id and c.owner = $1 and c.market = $2 and l.offer_id = any($3::bigint[])`,
}
const named = {
  name: 'cart.named-sites',
  text: `select distinct l.site_id::text as id from cart.cart c join cart.line l on l.cart_id = c.id
    where c.owner = $1 and c.market = $2 and l.site_id is not null limit 2`,
}

/** Notes that these lines came from a list of the building site; of a line that two sites added to, neither is known. */
export async function nameSiteOfLines(scope: Scope, offerIds: readonly string[], siteId: string): Promise<void> {
  const owner = cartOwnerOf(scope)
  if (owner !== null && offerIds.length > 0) await scope.db.run(name, [owner, scope.market, offerIds, siteId])
}

/** The building site from whose lists goods of the cart came, if it is one alone and the viewer may order to it. */
export async function siteOfCart(scope: Scope): Promise<string | null> {
  const owner = cartOwnerOf(scope)
  if (owner === null || companyOf(scope) === null) return null
  const [site, another] = await scope.db.rows<{ id: string }>(named, [owner, scope.market])
  return site && !another ? ((await findSite(scope, site.id))?.id ?? null) : null
}
