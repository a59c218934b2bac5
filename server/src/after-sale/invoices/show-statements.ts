import type { Market } from '@purlin/contract/markets.ts'
import { reachOf } from '@purlin/contract/actions.ts'
import { authorize, companyOf } from '#accounts'
import {
  claimState,
  debitReason,
  openAmount,
  owedOf,
  readDebit,
  readStatement,
  readStatementLines,
  readStatements,
  type DebitOfMandate,
  type IssuedStatement,
} from '#credit'
import { isId, type Scope } from '#platform'
import { localDay, showMoney } from '#pricing'
import { sheetPdf } from './draw-sheet.ts'
import { accountLines, describeStatement, statementColumns } from './describe-statement.ts'
import { readInvoices, type Invoice } from './store.ts'

/** Three years. */
const maxStatements = 36

/** The statements of the principal's company, newest first, and what is open of each now. */
export async function showStatements(scope: Scope) {
  const { db, principal, market, now } = scope
  const companyId = companyOf(scope)
  if (companyId === null || reachOf(principal, 'statement.see', market) !== 'company') return []
  const statements = await readStatements(db, companyId, market, maxStatements)
  const lines = await readStatementLines(
    db,
    statements.map(({ id }) => id),
  )
  const today = localDay(market, now)
  return statements.map((statement) => {
    const owed = owedOf(
      statement,
      lines.filter(({ statementId }) => statementId === statement.id),
    )
    return { ...summary(statement), open: showMoney(market, openAmount(owed)), state: claimState(owed, today) }
  })
}

function summary({ id, number, month, issuedOn, dueOn, market, document }: IssuedStatement) {
  const amount = document.lines.reduce((all, line) => all + openAmount(line), 0)
  const pdfUrl = `/api/v1/statements/${id}/pdf`
  return { id, number, month, issuedOn, dueOn, amount: showMoney(market, amount), invoices: document.lines.length, pdfUrl }
}

/** An issued statement of the principal's company. Otherwise undefined, whether it exists or not. (A3) */
export async function findStatement(scope: Scope, id: string): Promise<IssuedStatement | undefined> {
  const statement = isId(id) ? await readStatement(scope.db, id) : undefined
  if (!statement || statement.document === null || statement.market !== scope.market) return undefined
  return authorize(scope, 'statement.see', { companyId: statement.companyId }) ? { ...statement, document: statement.document } : undefined
}

/** A statement with its account and invoices, as issued, and what is open now. */
export async function showStatement(scope: Scope, id: string) {
  const statement = await findStatement(scope, id)
  if (!statement) return null
  const { market, document } = statement
  const [invoices, now, debit] = await Promise.all([
    invoicesOf(scope, statement),
    readStatementLines(scope.db, [id]),
    readDebit(scope.db, id),
  ])
  const current = new Map(now.map((line) => [line.id, line]))
  const owed = owedOf(statement, now)
  const today = localDay(market, scope.now)
  const money = (amount: number) => showMoney(market, amount)
  const { holder, remittance } = document.payee
  return {
    ...summary(statement),
    companyName: document.company.name,
    sum: money(document.lines.reduce((all, { amount }) => all + amount, 0)),
    open: money(openAmount(owed)),
    state: claimState(owed, today),
    payee: { holder, ...accountLines(document.payee.iban, document.payee.bic), remittance },
    debit: debit ? showDebit(debit, market) : null,
    lines: document.lines.map((line) => {
      const invoice = invoices.get(line.id)
      const live = current.get(line.id) ?? line
      const { id: claimId, number, customerOrderId, issuedOn, dueOn } = line
      return {
        id: claimId,
        number,
        customerOrderId,
        issuedOn,
        dueOn,
        sellerName: invoice?.document.seller.name ?? '',
        purchaseOrder: invoice?.document.reference?.purchaseOrder ?? null,
        amount: money(line.amount),
        open: money(openAmount(live)),
        state: claimState(live, today),
      }
    }),
  }
}

function showDebit({ state, collectOn, reference, ibanEnd, ...debit }: DebitOfMandate, market: Market) {
  const amount = debit.collected !== null && state !== 'dropped' ? debit.collected : debit.amount
  const reason = debit.reason === null ? null : debitReason(debit.reason)
  return { state, collectOn, reference, ibanEnd, reason, amount: showMoney(market, amount) }
}

/** The statement as PDF. It depends on what was frozen alone, so that every download is the same. */
export async function statementPdf(scope: Scope, statement: IssuedStatement): Promise<Buffer> {
  return sheetPdf(describeStatement(statement, await invoicesOf(scope, statement)), statementColumns, statement)
}

async function invoicesOf({ db }: Scope, { document }: IssuedStatement): Promise<Map<string, Invoice>> {
  const invoices = await readInvoices(
    db,
    document.lines.map(({ id }) => id),
  )
  return new Map(invoices.map((invoice) => [invoice.id, invoice]))
}
