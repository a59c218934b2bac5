import { creditProvider, ProviderRefusal, type ProviderDebit } from '#payments'
import { enqueue, type CallContext, type JobScope } from '#platform'
import { localDay } from '#pricing'
import { canMove, type Debit, type DebitState } from './debit.ts'
import { insertDebit, lockDebit, readDebit, readSilentDebits, submitDebits, writeDebit } from './debit-store.ts'
import { invoiceMarkets } from './eligibility.ts'
import { endMandate, fallBack } from './end-mandate.ts'
import { followClaims } from './follow-claim.ts'
import { collectionDay, endsMandate, hasDirectDebit } from './mandate.ts'
import { lockMandate, lockOpenMandate } from './mandate-store.ts'
import type { Statement, StatementDocument } from './statement.ts'
import { lockStatement } from './statement-store.ts'

const atOnce = 500

/**
 * Announces the direct debit of a statement that is being issued, if the company has a mandate: its mail is the notice. The mandate
 * stays locked until the statement is issued, so that a revocation finds the debit or prevents it.
 */
export async function announceDebit(scope: JobScope, statement: Statement, open: number): Promise<StatementDocument['debit']> {
  const { companyId, market, id, dueOn } = statement
  const mandate = open > 0 ? await lockOpenMandate(scope.db, companyId, market) : undefined
  if (mandate?.state !== 'active') return null
  const collectOn = collectionDay(market, dueOn, localDay(market, scope.now))
  await insertDebit(scope.db, { statementId: id, mandateId: mandate.id, amount: open, collectOn }, scope.now)
  const { reference, creditorId, ibanEnd } = mandate
  return { collectOn, reference, creditorId, ibanEnd }
}

/** Takes the debits whose day has come, and looks up those nothing was heard of. One job each: a failing one does not block the others. */
export async function planDebits({ db, now }: JobScope): Promise<void> {
  const due: string[] = []
  for (const market of invoiceMarkets)
    if (hasDirectDebit(market)) due.push(...(await submitDebits(db, market, localDay(market, now), { now, limit: atOnce })))
  for (const statementId of [...due, ...(await readSilentDebits(db, now, atOnce))])
    await enqueue(db, { name: 'credit.collect-debit', key: statementId, payload: { statementId } })
}

/** Has the provider collect a statement, or asks where its debit stands; null for a debit that is not under way. */
export async function collectDebit(
  { db, signal, now }: Pick<CallContext, 'db' | 'signal' | 'now'>,
  statementId: string,
): Promise<ProviderDebit | null> {
  const debit = await readDebit(db, statementId)
  if (debit?.state !== 'submitted' && debit?.state !== 'settled') return null
  const key = debit.collected === null ? `debit-${statementId}` : `debit-${statementId}-seen-${now.getTime()}`
  const { reference: mandateReference, amount } = debit
  return creditProvider()
    .debit({ statementId, mandateReference, amount }, { key, signal })
    .catch((error: unknown): ProviderDebit => {
      if (!(error instanceof ProviderRefusal) || !refusals.has(error.code)) throw error
      return { statementId, amount: 0, state: 'canceled', reason: error.code, claims: [] }
    })
}

/** Refusals of the debit itself; any other, such as that of the shop's key, does not say that nothing is collected. */
const refusals: ReadonlySet<string> = new Set(['unknown_collection', 'invalid_debit'])

const stateOf = (state: ProviderDebit['state']): DebitState => (state === 'canceled' ? 'dropped' : state)

/** Applies what the provider reports about a debit and its claims, in any order and any number of times. Undefined for an unknown one. */
export async function followDebit(scope: JobScope, seen: ProviderDebit): Promise<Debit | undefined> {
  const { db, now } = scope
  const { statementId, amount: collected, reason } = seen
  const statement = await lockStatement(db, statementId)
  const debit = statement && (await lockDebit(db, statementId))
  if (!statement || !debit) return undefined
  await followClaims(scope, statementId, seen.claims)
  const reported = stateOf(seen.state)
  const state = canMove(debit.state, reported) ? reported : debit.state
  const isOld = state !== reported
  await writeDebit(
    db,
    { statementId, state, ...(isOld ? { collected: debit.collected ?? 0, reason: debit.reason } : { collected, reason }) },
    now,
  )
  if (state === debit.state || (state !== 'returned' && state !== 'dropped')) return debit
  await fallBack(scope, statement, reason ?? state)
  const mandate = state === 'returned' && endsMandate(reason) ? await lockMandate(db, debit.mandateId) : undefined
  if (mandate && mandate.state !== 'ended' && reason !== null) await endMandate(scope, mandate, reason)
  return debit
}
