import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendMail } from '@purlin/server/foundation/mail/index.ts'
import { asCommand, type Db, newId } from '@purlin/server/foundation/platform/index.ts'
import { secondStepEndsMail } from '@purlin/server/people/identity/index.ts'
import * as v from 'valibot'
import { type Account, findAccount } from './accounts.ts'
import type { IdentityContext } from './context.ts'
import { readBody, sendText } from './http.ts'
import { mailKeyOf } from './mail-links.ts'
import { notifyOwner } from './notify-owner.ts'
import { hasSecondFactor, turnOffTotp } from './second-factor.ts'
import { endSessionsOf } from './sessions.ts'
import { mailSiteOf } from './visit.ts'

/**
 * An app that a thief has added locks the owner out. Whoever reads the mails must not be able to remove it, so staff request it, after
 * checking the person by other means. It takes a week, in which a code of the second step proves that its owner is there.
 */
const waitDays = 7

type Owner = Pick<Account, 'realm' | 'id'>
type At = Pick<IdentityContext, 'pool' | 'url' | 'hosts'>

const insert = {
  name: 'identity.removal-request',
  text: `insert into identity.second_step_removal (id, realm, account_id, requested_by, reference, due_at)
    values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))
    on conflict (realm, account_id) where ended_at is null do nothing`,
}
const list = {
  name: 'identity.removals',
  text: `select requested_by as "by", reference, requested_at as "requestedAt", due_at as "dueAt", ended_at as "endedAt", outcome
    from identity.second_step_removal where realm = $1 and account_id = $2 order by requested_at desc, id desc limit 20`,
}
const pending = {
  name: 'identity.removal-pending',
  text: `select r.due_at as "dueAt" from identity.second_step_removal r join identity.totp t using (realm, account_id)
    where r.realm = $1 and r.account_id = $2 and r.ended_at is null and t.created_at < r.requested_at`,
}
const end = {
  name: 'identity.removal-end',
  text: `update identity.second_step_removal set ended_at = now(), outcome = $3 where realm = $1 and account_id = $2 and ended_at is null`,
}
const callOffSince = {
  name: 'identity.removals-call-off-since',
  text: `update identity.second_step_removal set ended_at = now(), outcome = 'called-off'
    where realm = $1 and account_id = $2 and ended_at is null and requested_at >= $3::timestamptz`,
}
// A second step that was set up anew since is the owner's.
const takeDue = {
  name: 'identity.removal-take-due',
  text: `update identity.second_step_removal r set ended_at = now(), outcome = case when exists (select 1 from identity.totp t
      where t.realm = r.realm and t.account_id = r.account_id and t.created_at < r.requested_at) then 'removed' else 'kept' end
    where id = (select id from identity.second_step_removal where ended_at is null and due_at <= now() order by due_at limit 1
      for update skip locked)
    returning realm, account_id as "id", outcome`,
}

const body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    by: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
    reference: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  }),
)

/** `PUT …/users/{id}/second-step-removal` requests it, once; `DELETE` calls it off; `GET` lists the requests, the newest first. */
export async function secondStepRemoval(context: At, account: Account, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { db } = context.pool
  const answer = (status: number, content: object) => sendText(response, status, JSON.stringify(content), 'application/json')
  if (request.method === 'DELETE')
    return (await endRemoval(db, account, 'called-off')) ? answer(200, {}) : answer(409, { error: 'none-requested' })
  if (request.method === 'PUT') {
    const input = v.safeParse(body, await readBody(request))
    if (!input.success) return answer(400, { error: 'by and reference are needed' })
    // Staff must have a second step, and have codes for its loss.
    if (account.realm === 'staff' || !(await hasSecondFactor(db, account))) return answer(409, { error: 'no-second-step' })
    const { by, reference } = input.output
    await asCommand(context.pool, async (unit) => {
      const isNew = (await unit.db.run(insert, [newId(), account.realm, account.id, by, reference, waitDays])) === 1
      if (isNew) await warnOwner(context, unit.db, account)
    })
  }
  return answer(200, await db.rows(list, [account.realm, account.id]))
}

/** When the account's second step is removed; undefined if it is not going to be. */
export async function removalDueAt(db: Db, { realm, id }: Owner): Promise<Date | undefined> {
  return (await db.row<{ dueAt: Date }>(pending, [realm, id]))?.dueAt
}

/** The link leads to the page on which a code prevents the removal. */
async function warnOwner(context: At, db: Db, account: Account): Promise<void> {
  const { realm, email, givenName } = account
  const site = siteOf(context, account)
  const shop = site ? `?shop=${encodeURIComponent(site.origin)}` : ''
  const payload = { name: givenName, url: `${context.url}/realms/${realm}/account${shop}`, minutes: waitDays * 24 * 60 }
  await sendMail({ db }, secondStepEndsMail, { to: email, site: mailSiteOf({ site, context }), payload, key: mailKeyOf(account, newId()) })
}

/** Somebody has proved to have the second step: it is not removed. */
export async function keepSecondStep(db: Db, owner: Owner): Promise<void> {
  await endRemoval(db, owner, 'kept')
}

/** Calls off a removal requested since then (ISO 8601): whoever moved the account's mails has the warning, and may have deceived support. */
export async function callOffRemovalSince(db: Db, { realm, id }: Owner, at: string): Promise<void> {
  await db.run(callOffSince, [realm, id, at])
}

async function endRemoval(db: Db, { realm, id }: Owner, outcome: 'kept' | 'called-off'): Promise<boolean> {
  return (await db.run(end, [realm, id, outcome])) > 0
}

/** Removes the second steps whose wait has ended, each in a transaction of its own, with all sessions of the account. */
export async function removeDueSteps(context: At): Promise<void> {
  while (await removeNext(context));
}

/** False when none is due. */
function removeNext(context: At): Promise<boolean> {
  return asCommand(context.pool, async ({ db }) => {
    const due = await db.row<Owner & { outcome: string }>(takeDue, [])
    if (!due) return false
    const account = due.outcome === 'removed' ? await findAccount(db, due.realm, due.id) : undefined
    if (!account) return true
    await turnOffTotp(db, account)
    await endSessionsOf(db, context, account)
    await notifyOwner({ context, site: siteOf(context, account) }, db, account, 'second-off')
    return true
  })
}

/** The storefront of the account's language and realm. */
function siteOf({ hosts }: At, { realm, locale }: Account) {
  const mode = realm === 'b2b' ? 'b2b' : 'b2c'
  return hosts.sites.find((site) => site.locale === locale && site.mode === mode)
}
