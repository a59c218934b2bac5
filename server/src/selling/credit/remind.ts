import { creditProvider, type ProviderClaim, readPayment } from '#payments'
import { enqueue, type JobScope, type CallContext } from '#platform'
import { localDay, showMoney } from '#pricing'
import { dueReminder, localDays, openAmount } from './claim.ts'
import { followClaim } from './follow-claim.ts'
import { mailAccounting, readAccounting } from './mail-accounting.ts'
import { reminderMail } from './mails.ts'
import { readClaim, readDueClaims, writeReminder } from './store.ts'

const atOnce = 500

/** One job per reminder that is due: a failing one does not block the others. */
export async function planReminders({ db, now }: JobScope): Promise<void> {
  for (const claimId of await readDueClaims(db, localDays(now), atOnce)) {
    await enqueue(db, { name: 'credit.remind', key: claimId, payload: { claimId } })
  }
}

/**
 * The claim as the provider sees it now: nobody is reminded of an invoice whose payment we have not heard of. Null, without asking, if
 * no reminder is due, or nobody could receive it.
 */
export async function askBeforeReminder(
  context: Pick<CallContext, 'db' | 'signal' | 'now'>,
  { claimId }: { claimId: string },
): Promise<ProviderClaim | null> {
  const claim = await readClaim(context.db, claimId)
  if (!claim || dueReminder(claim, localDay(claim.market, context.now)) === 0) return null
  return (await readAccounting(context.db, claim.companyId)).length > 0 ? askClaim(context, { claimId }) : null
}

/** The claim as the provider sees it now. */
export async function askClaim(
  { db, signal, now }: Pick<CallContext, 'db' | 'signal' | 'now'>,
  { claimId }: { claimId: string },
): Promise<ProviderClaim | null> {
  const claim = await readClaim(db, claimId)
  const payment = claim && (await readPayment(db, claim.paymentId))
  if (!claim || !payment?.providerReference) return null
  const { number, sellerOrderId, amount, currency, issuedOn } = claim
  const invoice = { claimId, number, sellerOrderId, amount, currency, issuedOn }
  return creditProvider().invoice(payment.providerReference, invoice, { key: `claim-${claimId}-seen-${now.getTime()}`, signal })
}

/** Sends the reminder that is due to the company's administrators and accountants, each at most once; one that nobody received does not count. */
export async function remind(scope: JobScope, seen: ProviderClaim | null): Promise<void> {
  const claim = seen && (await followClaim(scope, seen))
  if (!claim) return
  const { id, number, customerOrderId, market, dueOn } = claim
  const step = dueReminder(claim, localDay(market, scope.now))
  if (step === 0 || dueOn === null) return
  const payload = { step, number, order: customerOrderId, due: dueOn, amount: showMoney(market, openAmount(claim)).formatted }
  const mailed = await mailAccounting(scope, claim, reminderMail, payload, `credit-reminder:${id}:${step}`)
  if (mailed > 0) await writeReminder(scope.db, id, step)
}
