import { demoPeople } from '@purlin/demo/people.ts'
import { markets } from '@purlin/contract/markets.ts'
import { payeeOf } from '@purlin/services/index.ts'
import { addDays, localDay } from '@purlin/server/goods/pricing/index.ts'
import { chooseStatements, followClaim, keepReported, keepStatement, openStatements } from '@purlin/server/selling/credit/index.ts'
import { readPayment } from '@purlin/server/selling/payments/index.ts'
import type { Db, Scope } from '@purlin/server/foundation/platform/index.ts'

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

const statement = (name: string, text: string) => ({ name: `demo.${name}`, text })
const invoices = statement(
  'credit-invoices',
  `select i.id as "invoiceId", i.number, i.customer_order_id as "customerOrderId", i.seller_order_id as "sellerOrderId", i.market, i.gross,
      i.document ->> 'issuedOn' as "issuedOn", p.id as "paymentId"
    from invoices.invoice i join payments.payment p on p.customer_order_id = i.customer_order_id and p.method = 'invoice' and p.captured > 0
    where i.company_id = $1 and i.kind = 'sale' order by i.issued_at, i.id`,
)
type Issued = Parameters<typeof keepReported>[1] & { paymentId: string }
const waiting = statement('open-statements', 'select id, number from credit.statement where company_id = $1 and document is null')
const claims = statement(
  'claims-of-statement',
  `select c.id as "claimId", c.reference, greatest(c.due_on, s.due_on)::text as "dueOn", c.credited, c.repaid, c.reversed, c.amount
    from credit.claim c join credit.statement_claim sc on sc.claim_id = c.id join credit.statement s on s.id = sc.statement_id where s.id = $1`,
)
const forgetMails = statement('forget-statement-mails', `delete from mail.mail where key like 'statement:%'`)
const forgetJobs = statement('forget-statement-jobs', `delete from platform.job where name = 'credit.issue-statement'`)

/** Months that the company has paid by statement. */
const months = 4

/**
 * The British company pays once a month: what was invoiced to it became claims and, on the first of the following months, statements.
 * Every statement but the last has been paid.
 */
export async function makeDemoStatements({ db }: { db: Db }, admin: Act): Promise<void> {
  const boss = demoPeople.find(({ email }) => email === 'priya@hartley.example')
  if (boss?.kind !== 'member') return
  const { company, market } = boss
  const today = localDay(market, new Date())
  const on = (day: string) => new Date(`${day}T09:00:00Z`)
  await admin((scope) => chooseStatements({ ...scope, now: on(addDays(today, -31 * months)) }, true))
  for (const { paymentId, ...issued } of await db.rows<Issued>(invoices, [company.id])) {
    const payment = await readPayment(db, paymentId)
    const claim = {
      claimId: issued.invoiceId,
      reference: `ci-past-${issued.invoiceId}`,
      dueOn: addDays(issued.issuedOn, 30),
      credited: 0,
      repaid: 0,
      reversed: 0,
    }
    if (payment) await admin((scope) => keepReported(scope, issued, { payment, claim }))
  }
  let month = `${addDays(`${today.slice(0, 7)}-15`, -30 * months).slice(0, 7)}-01`
  const paid: string[] = []
  for (; month <= today; month = `${addDays(month, 32).slice(0, 7)}-01`) {
    const now = on(month)
    await admin((scope) => openStatements({ ...scope, now }))
    for (const { id, number } of await db.rows<{ id: string; number: string }>(waiting, [company.id])) {
      const seen = await db.rows<Parameters<typeof followClaim>[1] & { amount: number }>(claims, [id])
      await admin(async (scope) => {
        await keepStatement({ ...scope, now }, id, { payee: payeeOf(markets[market].currency, number), claims: seen })
        for (const claim of paid.length > 0 ? await scope.db.rows<(typeof seen)[number]>(claims, [paid.at(-1)]) : [])
          await followClaim(scope, { ...claim, repaid: claim.amount })
      })
      paid.push(id)
    }
  }
  // The past sends nothing, and asks nobody.
  await db.run(forgetMails)
  await db.run(forgetJobs)
}
