import { createHash } from 'node:crypto'
import type { Realm } from '@purlin/contract/identity.ts'
import { hostCookie } from './context.ts'
import { readCookie } from './forms.ts'
import { issueToken, peekToken, spendToken } from './tokens.ts'
import type { PageRequest } from './visit.ts'

type Browser = Pick<PageRequest, 'context' | 'request' | 'server'>

/** Identifies the browser that requested a link; undefined if it has cookies disabled. */
export function browserOf({ context, request }: Pick<Browser, 'context' | 'request'>): string | undefined {
  const value = readCookie(request, hostCookie(context.url, 'form'))
  return value && createHash('sha256').update(`ticket\n${value}`).digest('base64url')
}

interface TicketData {
  browser: string
  interaction: string
  amr: string[]
}

/** Leads from a mail link back into the interaction that requested it: once, within minutes, in the same browser. */
export async function issueTicket(
  { context }: Pick<Browser, 'context'>,
  { realm, accountId, email, ...data }: TicketData & { realm: Realm; accountId: string; email: string },
): Promise<string> {
  return issueToken(context.pool.db, { realm, purpose: 'continue', accountId, email, data }, 5)
}

export async function spendTicket(
  visit: Browser,
  interaction: string,
  value: string,
): Promise<{ accountId: string; amr: string[] } | undefined> {
  const { db } = visit.context.pool
  const { realm } = visit.server
  const token = await peekToken<TicketData>(db, realm, value)
  if (token?.purpose !== 'continue' || !token.accountId) return undefined
  if (token.data.interaction !== interaction || token.data.browser !== browserOf(visit)) return undefined
  if (!(await spendToken(db, realm, 'continue', value))) return undefined
  return { accountId: token.accountId, amr: token.data.amr }
}
