import { takeQuota } from '#platform'
import type { InnerAnswer } from './execute.ts'
import { tooMany } from './graphql-answers.ts'

/** Units of `query` of a request that is refused: to read and price the longest document takes about as long as this operation. */
const refusalCost = 2_000

/**
 * Counts a request that is refused, before it is read: a network that has used up its quota is refused unread. What is
 * executed, or refused by nobody yet (null), is given back and counts by its own cost.
 */
export async function countRefusals<Answer extends InnerAnswer | null>(
  address: string,
  answer: () => Answer | Promise<Answer>,
): Promise<Answer | InnerAnswer> {
  const taken = await takeQuota('query', { address }, refusalCost)
  if (!taken.ok) return tooMany(taken.retryAfterSeconds)
  const made = await answer()
  if (!made?.isRefused) await taken.giveBack()
  return made
}
