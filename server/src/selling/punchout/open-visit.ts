import { randomBytes } from 'node:crypto'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { readCompany, readMember, startPunchOutSession } from '#accounts'
import { addLines, cartLimits } from '#cart'
import { offersForSale } from '#catalogue'
import { newId, takeQuota, type JobScope, type Scope, type SiteScope } from '#platform'
import { hookUrlOf, isSecret, tokenHash, type Credential, type Protocol } from './credential.ts'
import { orderingRoles } from './manage-credentials.ts'
import { enterVisit, findCredential, findOpenVisit, insertVisit, lockOpenVisit, noteUse } from './store.ts'

/** From the purchasing system's call to the buyer's first click. */
const linkMinutes = 10
/** A buyer has this long to fill a basket. */
const visitHours = 4
const maxBuyer = 120

type Site = Pick<SiteScope, 'market' | 'origin'>

/** Where a visit takes place, and the origins that are the shop's own. */
export interface Place extends Site {
  ownOrigins: readonly string[]
}

export interface Call extends Site {
  protocol: Protocol
  identity: string
  secret: string
}

export type Admitted = { ok: true; credential: Credential } | { ok: false; reason: 'unknown-credential' | 'too-many-calls' }

/** Whether a network may call once more; asked before anything of the call is read. */
export async function mayCall(address: string): Promise<boolean> {
  return (await takeQuota('punch-out', { address })).ok
}

/**
 * Decides whether a call of a purchasing system is admitted: its secret must fit, and the member in whose name it acts must still be
 * one who orders. Unknown, revoked and wrong are one answer.
 */
export async function admit({ db, now }: Pick<JobScope, 'db' | 'now'>, { protocol, market, ...call }: Call): Promise<Admitted> {
  const found = await findCredential(db, call.identity, protocol, market)
  if (!found || !isSecret(call.secret, found.secretHash)) return { ok: false, reason: 'unknown-credential' }
  const { secretHash: _, ...credential } = found
  if (!(await takeQuota('punch-out', { key: credential.id })).ok) return { ok: false, reason: 'too-many-calls' }
  const member = await readMember(db, credential.memberId, credential.companyId)
  if (!member || !orderingRoles.includes(member.role)) return { ok: false, reason: 'unknown-credential' }
  await noteUse(db, credential.id, now)
  return { ok: true, credential }
}

export interface OpenVisit {
  hookUrl: string
  echoed: Record<string, string>
  buyer: string
  items?: { offerId: string; quantity: number }[]
}

/** Opens a visit; returns the address of its start page, which works once and for a short time. Null if the basket may not go to this address. */
export async function openVisit(scope: JobScope, place: Place, credential: Credential, visit: OpenVisit): Promise<string | null> {
  const hookUrl = hookUrlOf(visit.hookUrl, place)
  if (hookUrl === null) return null
  const token = randomBytes(32).toString('base64url')
  const link = {
    credentialId: credential.id,
    tokenHash: tokenHash(token),
    expiresAt: new Date(scope.now.getTime() + linkMinutes * 60_000),
  }
  const items = (visit.items ?? []).filter(isItem).slice(0, cartLimits.lines)
  const buyer = visit.buyer.replace(/\p{Cc}/gu, ' ').slice(0, maxBuyer)
  await insertVisit(scope.db, { id: newId(), hookUrl, echoed: visit.echoed, buyer, items }, link)
  return place.origin + publicUrl('punchOutStart', { token })
}

function isItem({ offerId, quantity }: { offerId: string; quantity: number }): boolean {
  return /^\d{1,18}$/.test(offerId) && Number.isInteger(quantity) && quantity > 0
}

const isToken = (token: string) => /^[\w-]{43}$/.test(token)

/** The visit that a start link opens; null for one that was used, has expired, or belongs to another storefront. */
export async function showStart({ db, now, market, mode }: SiteScope, token: string) {
  const visit = isToken(token) && mode === 'b2b' ? await findOpenVisit(db, tokenHash(token), now) : undefined
  if (visit?.credential.market !== market) return null
  const company = await readCompany(db, visit.credential.companyId)
  return company ? { companyName: company.name, buyer: visit.buyer, returnsTo: new URL(visit.hookUrl).host } : null
}

/** Enters a visit: its link is used up, and a session of its own begins. Returns the value of the session's cookie. */
export async function enter(scope: JobScope & Site & Pick<SiteScope, 'prefersVat'>, token: string): Promise<string | null> {
  const visit = isToken(token) ? await lockOpenVisit(scope.db, tokenHash(token), scope.now) : undefined
  if (visit?.credential.market !== scope.market) return null
  const { memberId, companyId } = visit.credential
  const member = await readMember(scope.db, memberId, companyId)
  if (!member || !orderingRoles.includes(member.role)) return null
  const until = new Date(scope.now.getTime() + visitHours * 3_600_000)
  const session = await startPunchOutSession(scope.db, { memberId, companyId, until })
  await enterVisit(scope.db, visit.id, session.id)
  if (visit.items.length > 0) {
    const principal = { ...member, punchOut: session.id }
    await fill({ ...scope, mode: 'b2b', principal, session: { id: session.id } }, visit.items)
  }
  return session.token
}

/** The items of an edited requisition; those that are no longer sold are left out. */
async function fill(scope: Scope, items: readonly { offerId: string; quantity: number }[]): Promise<void> {
  const offers = await offersForSale(
    scope.db,
    items.map(({ offerId }) => offerId),
  )
  const wishes = items.flatMap(({ offerId, quantity }) => {
    const offer = offers.get(offerId)
    return offer?.onSale && offer.market === scope.market ? [{ offer, quantity }] : []
  })
  await addLines(scope, wishes)
}
