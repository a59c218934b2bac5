import { markets } from '@purlin/contract/markets.ts'
import { readCompany } from '#accounts'
import { creditProvider, hasCreditProvider } from '#payments'
import { enqueue, newId, takeNumbers, type CallContext, type JobScope } from '#platform'
import { localDay, showMoney } from '#pricing'
import { openAmount } from './claim.ts'
import { invoiceMarkets } from './eligibility.ts'
import { announceDebit } from './collect-debits.ts'
import { followClaims } from './follow-claim.ts'
import { mailAccounting } from './mail-accounting.ts'
import { statementMail } from './mails.ts'
import { dayAfter, dueDateOf, monthBefore, statementNumber, type Statement, type StatementDocument } from './statement.ts'
import {
  gatherClaims,
  insertStatement,
  issueStatement,
  lockStatement,
  readCompaniesToState,
  readStatement,
  readStatementLines,
} from './statement-store.ts'

const atOnce = 200
/** Maximum number of invoices in a statement; the rest is gathered by the next one. */
const maxClaims = 1000
const firstNumber = 10_001

/**
 * Opens a statement for every company that pays once a month and was invoiced in the last one. Its job asks the provider for the
 * due date and issues it, so that a crash at any point leaves either nothing or a statement that will be issued.
 */
export async function openStatements(scope: JobScope): Promise<void> {
  if (!hasCreditProvider()) return
  const { db, now } = scope
  for (const market of invoiceMarkets) {
    const today = localDay(market, now)
    const month = monthBefore(today)
    const before = dayAfter(month)
    for (const { companyId, origin } of await readCompaniesToState(db, { market, month, before, limit: atOnce })) {
      const id = newId()
      const number = statementNumber(month, await takeNumbers(db, 'statement', 1, firstNumber))
      if (!(await insertStatement(db, { id, number, companyId, market, origin, month, issuedOn: today, dueOn: dueDateOf(month) }))) continue
      await gatherClaims(db, { companyId, before, statementId: id, limit: maxClaims })
      await enqueue(db, { name: 'credit.issue-statement', key: id, payload: { statementId: id } })
    }
  }
}

export type Collected = Awaited<ReturnType<typeof collect>>

/** Asks the provider for one due date and for where the claims stand; null for an unknown statement. */
export async function collect({ db, signal }: Pick<CallContext, 'db' | 'signal'>, statementId: string, key: string) {
  const statement = await readStatement(db, statementId)
  if (!statement) return null
  const { number, dueOn } = statement
  const claimIds = (await readStatementLines(db, [statementId])).map(({ id }) => id)
  return creditProvider().collect({ statementId, number, dueOn, claimIds }, { key, signal })
}

/** Freezes the statement and sends it, once. */
export async function keepStatement(scope: JobScope, statementId: string, seen: Collected): Promise<void> {
  const { db } = scope
  const statement = seen && (await lockStatement(db, statementId))
  if (!statement || statement.document !== null) return
  await followClaims(scope, statementId, seen.claims)
  const company = await readCompany(db, statement.companyId)
  const lines = (await readStatementLines(db, [statementId])).map(({ statementId: _own, ...line }) => line)
  const { name = '', vatNumber = null, country = markets[statement.market].country } = company ?? {}
  const open = lines.reduce((all, line) => all + openAmount(line), 0)
  const debit = await announceDebit(scope, statement, open)
  await issueStatement(db, statementId, { company: { name, vatNumber, country }, payee: seen.payee, lines, debit })
  await announce(scope, statement, { invoices: lines.length, open, debit })
}

async function announce(
  scope: JobScope,
  statement: Statement,
  { invoices, open, debit }: { invoices: number; open: number; debit: StatementDocument['debit'] },
): Promise<void> {
  const { id, number, month, market, dueOn } = statement
  const amount = showMoney(market, open).formatted
  const payload = { id, number, month, invoices, amount, due: dueOn, isOpen: open > 0, debit: debit ?? null }
  await mailAccounting(scope, statement, statementMail, payload, `statement:${id}`)
}
