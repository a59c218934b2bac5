import { readCartAge } from '#cart'
import { sendMail } from '#mail'
import { hasOrderedSince } from '#orders'
import { settings, type JobScope } from '#platform'
import { whenAwake } from '#sms'
import { goodsLeft } from './goods-left.ts'
import { endGuest, guestUnsubscribeUrl, lookAgain, reminderKey } from './guest-reminder.ts'
import { claimReminder, consentDays, noteGuestReminder, readGuest } from './guest-store.ts'
import { guestMail } from './mails.ts'

/**
 * Reminds a guest who has agreed of the goods they have left in a basket, once, when it has been left alone for the time of the
 * setting and nobody is asleep. What was agreed to is about this basket: it ends with an order, when the basket has been emptied,
 * and when it has moved to an account.
 */
export async function remindGuest(scope: JobScope, { id }: { id: string }): Promise<void> {
  const { db, now } = scope
  const guest = await readGuest(db, id)
  if (!guest || guest.email === null) return
  const { owner, market, mode, email, emailHash, token, agreedAt, confirmedAt } = guest
  const { afterHours } = settings().reminders
  const age = await readCartAge(db, owner, market)
  // If all lines are younger, the basket was emptied and filled anew.
  const isOver = afterHours === 0 || !age || age.oldestLineAt > agreedAt || now.getTime() - agreedAt.getTime() > consentDays * 86_400_000
  if (isOver || (await hasOrderedSince(db, { owner, email, market }, agreedAt))) return endGuest(db, id)
  // The link of the confirmation mail has the basket looked at again.
  if (confirmedAt === null) return
  const due = age.changedAt.getTime() + afterHours * 3_600_000
  const awake = whenAwake(market, new Date(Math.max(due, now.getTime())))
  if (awake > now) return lookAgain(db, id, awake)
  const { origin } = settings().hosts.site(market, mode)
  const principal = { kind: 'guest', id: owner.slice(2), email } as const
  const goods = await goodsLeft({ ...scope, market, mode, origin, principal, session: null, prefersVat: false }, owner)
  if (goods.sellers.length === 0 || !(await claimReminder(db, emailHash, now))) return endGuest(db, id)
  await noteGuestReminder(db, id, now)
  await sendMail(scope, guestMail, {
    to: email,
    site: { market, mode, origin },
    payload: { ...goods, token },
    unsubscribeUrl: guestUnsubscribeUrl(origin, token),
    key: reminderKey(id),
  })
}
