import type { Principal } from '@purlin/contract/principal.ts'
import { publicUrl } from '@purlin/contract/public-addresses.ts'
import { wordsFor } from '@purlin/words/catalogues.ts'
import { companyIdOf, readCustomer, readMember } from '#accounts'
import { cartOwnerIn, readCartAge, type CustomersCart } from '#cart'
import { sendMail } from '#mail'
import { hasOrderedSince } from '#orders'
import { settings, type JobScope } from '#platform'
import { claimNotice, offerChannels, offersUnsubscribeUrl, unsubscribeToken } from '#profile'
import { isReachedByPush, pushTo } from '#push'
import { isReachedBySms, sendSms } from '#sms'
import { goodsLeft } from './goods-left.ts'
import { basketMail } from './mails.ts'
import { noteReminder, remindedAt, type ReminderChannel } from './store.ts'

type Customer = NonNullable<Awaited<ReturnType<typeof readCustomer>>>

/**
 * Reminds a customer of the goods they have left in a basket: once per basket, by one channel they have agreed to, and not if
 * they have changed it or ordered meanwhile. A basket is another one once it holds nothing of what it held at the last reminder.
 */
export async function remindOfBasket(scope: JobScope, basket: CustomersCart): Promise<void> {
  const { db, now } = scope
  const { customerId, market, mode } = basket
  const { afterHours } = settings().reminders
  const owner = cartOwnerIn(`c:${customerId}`, mode)
  const age = await readCartAge(db, owner, market)
  if (afterHours === 0 || !age || now.getTime() - age.changedAt.getTime() < afterHours * 3_600_000) return
  const last = await remindedAt(db, basket)
  if (last && age.oldestLineAt <= last) return
  const customer = await readCustomer(db, customerId)
  if (!customer || customer.isClosed) return
  if (await hasOrderedSince(db, { owner: `c:${customerId}`, email: customer.email, market }, age.changedAt)) return
  const channel = await channelFor(scope, basket)
  if (!channel) return
  const { origin } = settings().hosts.site(market, mode)
  const goods = await goodsLeft(
    { ...scope, market, mode, origin, principal: await principalOf(scope, customer, basket), session: null, prefersVat: false },
    owner,
  )
  if (goods.sellers.length === 0) return
  const key = `basket:${market}:${mode}:${now.getTime()}`
  if (channel === 'email' && !(await claimNotice(db, { customerId, channel, key, at: now }))) return
  if (channel === 'sms') {
    const title = (goods.sellers[0]?.items[0]?.title ?? '').slice(0, 60)
    const text = wordsFor(market)('sms.basket', { title, url: origin + publicUrl('cart', {}) })
    if (!(await sendSms(scope, { customerId, market, text, key: `${key}:${customerId}` }))) return
  }
  await noteReminder(db, basket, channel, now)
  if (channel === 'sms') return
  if (channel === 'push') {
    const t = wordsFor(market)
    const body = t('reminder.push.text', { title: goods.sellers[0]?.items[0]?.title ?? '' })
    // The length that services and browsers show.
    const message = { title: t('reminder.push.title'), body: body.slice(0, 200), path: publicUrl('cart', {}) }
    return pushTo(db, { ...message, key: key.replaceAll(':', '-'), customerId, market, mode, topic: 'baskets' })
  }
  const token = await unsubscribeToken(db, customerId, market)
  await sendMail(scope, basketMail, {
    to: customer.email,
    site: { market, mode, origin },
    payload: { ...goods, token },
    unsubscribeUrl: offersUnsubscribeUrl(origin, token),
    key: `reminder:${customerId}:${key}`,
  })
}

/** A mail stays until it is read, so it comes before a push message. */
async function channelFor({ db }: JobScope, { customerId, market, mode }: CustomersCart): Promise<ReminderChannel | null> {
  if ((await offerChannels(db, customerId)).email) return 'email'
  if (await isReachedByPush(db, { customerId, market, mode, topic: 'baskets' })) return 'push'
  return (await isReachedBySms(db, customerId)) ? 'sms' : null
}

/** On the professional storefront members of a company have its prices. */
async function principalOf({ db }: JobScope, { id, email, name, market }: Customer, { mode }: CustomersCart): Promise<Principal> {
  const companyId = mode === 'b2b' ? await companyIdOf(db, id) : null
  const member = companyId === null ? undefined : await readMember(db, id, companyId)
  return member ?? { kind: 'customer', id, email, name, market }
}
