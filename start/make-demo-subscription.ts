import { demoPeople } from '@purlin/demo/people.ts'
import { invoiceSubscription } from '@purlin/server/after-sale/invoices/index.ts'
import { applySetup, noteAttempt, noteSetup, renewDue, startSubscription } from '@purlin/server/selling/subscriptions/index.ts'
import type { Db, Scope } from '@purlin/server/foundation/platform/index.ts'

type Act = <Value>(operation: (scope: Scope) => Promise<Value>) => Promise<Value>

const statement = (name: string, text: string) => ({ name: `demo.${name}`, text })
const setup = statement(
  'subscription-setup',
  `select u.id from subscriptions.setup u join subscriptions.subscription s on s.id = u.subscription_id where s.company_id = $1`,
)
const charge = statement(
  'subscription-charge',
  `select c.id, c.gross, c.currency from subscriptions.charge c join subscriptions.subscription s on s.id = c.subscription_id
    where s.company_id = $1 and c.state = 'due'`,
)
const forgetMails = statement('forget-subscription-mails', `delete from mail.mail where template like 'subscription%'`)
const forgetJobs = statement('forget-subscription-jobs', `delete from platform.job where name like 'subscriptions.%'`)
const dayMs = 86_400_000

/** The British company subscribed fifty days ago; its trial is over, and its first month is paid and invoiced. */
export async function makeDemoSubscription({ db }: { db: Db }, admin: Act): Promise<void> {
  const boss = demoPeople.find(({ email }) => email === 'priya@hartley.example')
  if (boss?.kind !== 'member') return
  const companyId = boss.company.id
  const began = new Date(Date.now() - 50 * dayMs)
  // After the trial of thirty days, also where the clocks went back an hour in the meantime.
  const paid = new Date(began.getTime() + 30 * dayMs + 2 * 3_600_000)
  const started = await admin((scope) => startSubscription({ ...scope, now: began }, 'monthly'))
  const [form] = await db.rows<{ id: string }>(setup, [companyId])
  if (!started.ok || !form) return
  const card = {
    reference: 'card_past_company',
    brand: 'visa',
    last4: '0002',
    expiryYear: paid.getUTCFullYear() + 2,
    expiryMonth: 6,
    savedAt: began,
  }
  const done = { reference: 'setup_past_company', status: 'done', failureCode: null, card, frameUrl: null } as const
  await admin(async (scope) => {
    const then = { ...scope, now: began }
    await noteSetup(then, form.id, { seen: done, customer: 'cus_past_company' })
    await applySetup(then, form.id, done)
    await renewDue({ ...scope, now: paid })
  })
  const [due] = await db.rows<{ id: string; gross: number; currency: 'GBP' }>(charge, [companyId])
  if (!due) return
  const { id, gross: amount, currency } = due
  const reference = `pi_subscription_${id}`
  const money = {
    amount,
    currency,
    captured: amount,
    refunded: 0,
    failureCode: null,
    card: { brand: 'visa', last4: '0002' },
    frameUrl: null,
  }
  await admin(async (scope) => {
    const now = paid
    const emit: Scope['emit'] = (type, payload) => {
      if (type === 'subscription.charged') charged.push(payload as (typeof charged)[number])
    }
    const charged: Parameters<typeof invoiceSubscription>[1][] = []
    const seen = { reference, paymentId: id, status: 'captured', ...money } as const
    await noteAttempt({ ...scope, now, emit }, id, { number: 1, reference, seen })
    for (const each of charged) await invoiceSubscription({ db: scope.db, now }, each)
  })
  // The past sends nothing, and asks nobody.
  await db.run(forgetMails)
  await db.run(forgetJobs)
}
