import { countAttempt } from './attempts.ts'
import { LaterError } from './later.ts'
import type { Visit } from './visit.ts'

/**
 * Counts a form with a password by its network, before anything is hashed or looked up for it.
 * @throws LaterError when the network has sent too many
 */
export async function countForm({ context, address }: Pick<Visit, 'context' | 'address'>): Promise<void> {
  const wait = await countAttempt(context.pool.db, [{ quota: 'form', subject: address }])
  if (wait !== undefined) throw new LaterError(429, wait)
}
