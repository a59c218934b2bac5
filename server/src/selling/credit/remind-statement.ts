import { enqueue, type JobScope } from '#platform'
import { localDay, showMoney } from '#pricing'
import { dueReminder, openAmount } from './claim.ts'
import { followClaims } from './follow-claim.ts'
import type { Collected } from './issue-statements.ts'
import { mailAccounting } from './mail-accounting.ts'
import { statementReminderMail } from './mails.ts'
import { owedOf } from './statement.ts'
import { lockStatement, readLateStatements, readStatementLines, writeStatementReminder } from './statement-store.ts'

const atOnce = 500

export async function planStatementReminders({ db, now }: JobScope): Promise<void> {
  for (const statementId of await readLateStatements(db, now.toISOString().slice(0, 10), atOnce))
    await enqueue(db, { name: 'credit.remind-statement', key: statementId, payload: { statementId } })
}

/** Sends the reminder that is due for a statement, each at most once, after what was paid meanwhile has been applied. */
export async function remindStatement(scope: JobScope, statementId: string, seen: Collected): Promise<void> {
  const statement = seen && (await lockStatement(scope.db, statementId))
  if (!statement) return
  await followClaims(scope, statementId, seen.claims)
  const owed = owedOf(statement, await readStatementLines(scope.db, [statementId]))
  const { id, number, market, reminders, dueOn, dunnedFrom } = statement
  const due = dunnedFrom ?? dueOn
  const step = dueReminder({ ...owed, dueOn: due, reminders }, localDay(market, scope.now))
  if (step === 0) return
  const payload = { step, id, number, due, amount: showMoney(market, openAmount(owed)).formatted }
  const mailed = await mailAccounting(scope, statement, statementReminderMail, payload, `statement-reminder:${id}:${step}`)
  if (mailed > 0) await writeStatementReminder(scope.db, id, step)
}
