import { countAttempt } from './attempts.ts'
import { LaterError, LinkLaterError } from './later.ts'
import type { Link } from './opened-link.ts'
import type { Visit } from './visit.ts'

/**
 * Counts a form with a password by its network, before anything is hashed or looked up for it.
 * @throws LaterError when the network has sent too many
 */
export async function countForm({ context, address }: Pick<Visit, 'context' | 'address'>): Promise<void> {
  const wait = await countAttempt(context.pool.db, [{ quota: 'form', subject: address }])
  if (wait !== undefined) throw new LaterError(429, wait)
}

/**
 * Counts a form with a password or another address that a mailed link has opened: by the link, which its reader alone has, not by the network.
 * @throws LaterError when the link has been used too often
 */
export async function countLinkForm({ context, realm, value }: Link): Promise<void> {
  const wait = await countAttempt(context.pool.db, [{ quota: 'link', subject: `${realm}\n${value}` }])
  if (wait !== undefined) throw new LinkLaterError(wait)
}
