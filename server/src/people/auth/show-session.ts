import { sessionRole, showSession, type SessionFamily, type ShownSession } from '#accounts'
import type { Db } from '#platform'

/** The session as its owner's browser sees it, without tokens. */
export interface SessionAnswer {
  user: { id: string; name: string; email: string | null; given_name: string }
  role: 'b2c' | 'b2b' | 'staff'
  provider: string | null
  /** ISO 8601. */
  expires: string
  error?: string
}

/** Body of `GET session`; empty for guests, because the client does not accept null. */
export async function sessionAnswer(
  db: Db,
  id: string | null,
  family: SessionFamily,
): Promise<{ answer: SessionAnswer | Record<string, never>; session: ShownSession | null }> {
  const session = id === null ? null : await showSession(db, id, family)
  return { answer: session ? answerOf(session) : {}, session }
}

function answerOf({ principal, provider, error, expiresAt }: ShownSession): SessionAnswer | Record<string, never> {
  const role = sessionRole(principal)
  if (role === 'guest' || !('name' in principal)) return {}
  const { id, name, email } = principal
  return {
    user: { id, name, email, given_name: name.split(' ', 1)[0] ?? '' },
    role,
    provider,
    expires: expiresAt.toISOString(),
    ...(error !== null && { error }),
  }
}
