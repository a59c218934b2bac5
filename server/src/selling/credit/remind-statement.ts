import { enqueue, type CallContext, type Db, type JobScope } from '#platform'
import { localDay, showMoney } from '#pricing'
import { dueReminder, localDays, openAmount } from './claim.ts'
import { followClaims } from './follow-claim.ts'
import { collect, type Collected } from './issue-statements.ts'
import { mailAccounting, readAccounting } from './mail-accounting.ts'
import { statementReminderMail } from './mails.ts'
import { owedOf, type Statement } from './statement.ts'
import { lockStatement, readLateStatements, readStatement, readStatementLines, writeStatementReminder } from './statement-store.ts'

const atOnce = 500

export async function planStatementReminders({ db, now }: JobScope): Promise<void> {
  for (const statementId of await readLateStatements(db, localDays(now), atOnce))
    await enqueue(db, { name: 'credit.remind-statement', key: statementId, payload: { statementId } })
}

/** The statement as the provider sees it now; null, without asking, if no reminder of it is due, or nobody could receive it. */
export async function askBeforeStatementReminder(
  context: Pick<CallContext, 'db' | 'signal' | 'now'>,
  statementId: string,
): Promise<Collected> {
  const { db, now } = context
  const statement = await readStatement(db, statementId)
  if (!statement || (await dueStep(db, statement, now)).step === 0) return null
  if ((await readAccounting(db, statement.companyId)).length === 0) return null
  return collect(context, statementId, `statement-${statementId}-seen-${now.getTime()}`)
}

async function dueStep(db: Db, statement: Statement, now: Date) {
  const owed = owedOf(statement, await readStatementLines(db, [statement.id]))
  const { market, reminders, dueOn, dunnedFrom } = statement
  const due = dunnedFrom ?? dueOn
  return { due, open: openAmount(owed), step: dueReminder({ ...owed, dueOn: due, reminders }, localDay(market, now)) }
}

/** Sends the reminder that is due for a statement, each at most once, after what was paid meanwhile has been applied. */
export async function remindStatement(scope: JobScope, statementId: string, seen: Collected): Promise<void> {
  const statement = seen && (await lockStatement(scope.db, statementId))
  if (!statement) return
  await followClaims(scope, statementId, seen.claims)
  const { due, open, step } = await dueStep(scope.db, statement, scope.now)
  if (step === 0) return
  const { id, number, market } = statement
  const payload = { step, id, number, due, amount: showMoney(market, open).formatted }
  const mailed = await mailAccounting(scope, statement, statementReminderMail, payload, `statement-reminder:${id}:${step}`)
  if (mailed > 0) await writeStatementReminder(scope.db, id, step)
}
