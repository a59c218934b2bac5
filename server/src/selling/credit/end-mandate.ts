import { creditProvider, ProviderRefusal } from '#payments'
import { enqueue, type CallContext, type JobScope } from '#platform'
import { addDays, localDay, showMoney } from '#pricing'
import { openAmount } from './claim.ts'
import { debitReason } from './debit.ts'
import { dropDebits } from './debit-store.ts'
import { mailAccounting } from './mail-accounting.ts'
import { debitMail } from './mails.ts'
import { graceDays, type Mandate } from './mandate.ts'
import { readMandate, writeMandateEnd } from './mandate-store.ts'
import { owedOf, type Statement } from './statement.ts'
import { postponeDunning, readStatement, readStatementLines } from './statement-store.ts'

/** Ends a locked mandate here and at the provider. Statements whose debit was only announced are paid by transfer. */
export async function endMandate(scope: JobScope, mandate: Mandate, endedBy: string): Promise<void> {
  const { db, now } = scope
  await writeMandateEnd(db, mandate.id, endedBy, now)
  await planReportOfEnd(scope, mandate.id)
  for (const statementId of await dropDebits(db, mandate.id, now)) {
    const statement = await readStatement(db, statementId)
    if (statement) await fallBack(scope, statement, 'mandate-ended')
  }
}

/** A statement that is not collected after all: the company is asked to transfer what is open, and reminders wait a week. */
export async function fallBack(scope: JobScope, statement: Statement, reason: string): Promise<void> {
  const { id, number, market, dueOn } = statement
  const lines = await readStatementLines(scope.db, [id])
  const open = openAmount(owedOf(statement, lines))
  const earliest = addDays(localDay(market, scope.now), graceDays)
  const due = earliest > dueOn ? earliest : dueOn
  await postponeDunning(scope.db, id, due)
  if (open === 0) return
  const payload = { id, number, reason: debitReason(reason), amount: showMoney(market, open).formatted, due }
  await mailAccounting(scope, statement, debitMail, payload, `debit:${id}`)
}

export async function planReportOfEnd({ db }: Pick<JobScope, 'db'>, mandateId: string): Promise<void> {
  await enqueue(db, { name: 'credit.end-mandate', key: mandateId, payload: { mandateId } })
}

/** Ends a mandate at the provider, which may never have heard of it. */
export async function reportEnd({ db, signal }: Pick<CallContext, 'db' | 'signal'>, mandateId: string): Promise<void> {
  const mandate = await readMandate(db, mandateId)
  if (mandate?.state !== 'ended') return
  await creditProvider()
    .endMandate(mandate.reference, { key: `mandate-${mandateId}-end`, signal })
    .catch((error: unknown) => {
      if (!(error instanceof ProviderRefusal)) throw error
    })
}
