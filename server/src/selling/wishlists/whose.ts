import { authorize, companyOf, ownerOf } from '#accounts'
import type { Scope } from '#platform'
import type { Whose } from './store.ts'

/** The owner key of a company, for the lists of its building sites. */
export function companyOwner(companyId: string): string {
  return `k:${companyId}`
}

/** The company for whose building sites the viewer may keep lists; null for everybody who does not order for one. */
export function companyOfLists(scope: Scope, action: 'site-list.use' | 'site-list.manage' = 'site-list.use'): string | null {
  const companyId = companyOf(scope)
  return companyId !== null && authorize(scope, action, { companyId }) ? companyId : null
}

/** The viewer's own lists. */
export function own(scope: Scope): Whose & { owner: string } {
  const owner = ownerOf(scope)
  if (owner === null) throw new Error('A wishlist needs a session: the gateway starts one for this command')
  return { owner, owners: [owner], market: scope.market }
}

/** The viewer's own lists and those of their company's building sites; without an owner key none. */
export function within(scope: Scope, action: 'site-list.use' | 'site-list.manage' = 'site-list.use'): Whose {
  const owner = ownerOf(scope)
  const companyId = companyOfLists(scope, action)
  return { owners: [...(owner === null ? [] : [owner]), ...(companyId === null ? [] : [companyOwner(companyId)])], market: scope.market }
}
