import { createHash } from 'node:crypto'
import { customerIdOf, ownerOf } from '#accounts'
import { purgePages, senderHashOf, takeQuota, type Scope } from '#platform'
import { reviewsTag } from './publish.ts'
import { isId, senderLimits } from './review.ts'
import { countVotes, keepVote, lockReview, takeTurn } from './store.ts'

export type Voted =
  | { ok: true; helpful: number; unhelpful: number }
  | { ok: false; reason: 'unknown-review' | 'own-review' | 'too-many-votes' }

/** One vote per customer and session, and one for all guests of a network; a second one replaces the first. */
export async function vote(scope: Scope, id: string, isHelpful: boolean): Promise<Voted> {
  const { db, session } = scope
  const owner = ownerOf(scope)
  if (!isId(id) || owner === null || !session) return { ok: false, reason: 'unknown-review' }
  // A visitor without cookies is a new session each time: their network counts too.
  if (!(await takeQuota('vote', { address: scope.remoteAddress })).ok) return { ok: false, reason: 'too-many-votes' }
  await takeTurn(db, `vote ${session.id}`)
  // The row lock serialises concurrent votes on one review.
  const review = await lockReview(db, id, owner)
  if (!review || review.state !== 'published') return { ok: false, reason: 'unknown-review' }
  if (review.isOwn) return { ok: false, reason: 'own-review' }
  if ((await countVotes(db, session.id)) >= senderLimits.votesPerHour) return { ok: false, reason: 'too-many-votes' }
  const voter = (customerIdOf(scope) === null && networkVoter(scope, id)) || owner
  const counts = await keepVote(db, id, { voter, sessionId: session.id, isHelpful })
  await purgePages(db, [reviewsTag(review)])
  return { ok: true, ...counts }
}

/** A guest who drops the cookie is a new session, but not a new network. By review, so that votes on several are not linked. */
function networkVoter({ remoteAddress }: Scope, reviewId: string): string | null {
  const sender = senderHashOf(remoteAddress)
  return sender && `n:${createHash('sha256').update(`${reviewId} ${sender}`).digest('base64url')}`
}
