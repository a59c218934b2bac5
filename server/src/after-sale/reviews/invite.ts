import { sendMail } from '#mail'
import { readReceived } from '#orders'
import { enqueue, settings, type JobScope } from '#platform'
import { insertInvitation, invitationHash, invitationToken } from './invitation.ts'
import { invitationMail } from './mails.ts'

const dayMs = 86_400_000
/** Long enough to have used it, short enough to remember. */
export const invitedAfterDays = 5
const validDays = 180

/** Plans the invitation to review a seller order; when more of it arrives, the later day counts. */
export async function inviteLater({ db, now }: Pick<JobScope, 'db' | 'now'>, { sellerOrderId }: { sellerOrderId: string }): Promise<void> {
  const runAt = new Date(now.getTime() + invitedAfterDays * dayMs)
  await enqueue(db, { name: 'reviews.invite', key: sellerOrderId, payload: { sellerOrderId }, runAt })
}

/** Invites the buyer of what has arrived, once per seller order, unless the address wants no invitations. */
export async function invite(scope: JobScope, { sellerOrderId }: { sellerOrderId: string }): Promise<void> {
  const order = await readReceived(scope.db, sellerOrderId)
  const token = invitationToken(settings().mail.linkSecret, sellerOrderId)
  const tokenHash = invitationHash(token)
  if (!order?.origin || !tokenHash || !order.email.includes('@')) return
  const { email, market, mode, origin, firstName, sellerName } = order
  const { now } = scope
  const expiresAt = new Date(now.getTime() + validDays * dayMs)
  if (!(await insertInvitation(scope.db, { sellerOrderId, tokenHash, email, market, sentAt: now, expiresAt }))) return
  const goods = new Set(order.lines.map(({ title }) => title))
  await sendMail(scope, invitationMail, {
    to: email,
    site: { market, mode, origin },
    payload: { firstName, sellerName, goods: [...goods], token },
    key: `review-invitation:${sellerOrderId}`,
    unsubscribeUrl: `${origin}/api/v1/unsubscribe-reviews/${token}`,
  })
}
