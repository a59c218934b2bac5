import { offerChannels } from '#profile'
import { every, job, type Work } from '#platform'
import type { SendResult } from './provider.ts'
import { smsProvider } from './provider-of-shop.ts'
import { findQueued, findUnknown, forgetOldSms, markDropped, markRefused, markSent } from './store.ts'

const send: Work<{ smsId: string }, SendResult | null> = {
  call: async ({ db, signal, attempt }, { smsId }) => {
    const message = await findQueued(db, smsId)
    const provider = smsProvider()
    // It may have waited for the morning: consent that has been withdrawn since, or given for another number, counts.
    if (!message || !provider) return null
    const phone = (await offerChannels(db, message.customerId)).sms?.replaceAll(' ', '')
    if (phone !== message.phone) return null
    const { phone: to, body, createdAt: since } = message
    // Such providers have no idempotency keys: an attempt that ended before it was recorded may have sent the message.
    const sent = attempt > 1 && (await findUnknown(db, await provider.findSent({ to, body, since }, signal)))
    return sent ? { reference: sent } : provider.send({ to, body }, signal)
  },
  commit: ({ db }, { smsId }, result) => {
    if (!result) return markDropped(db, smsId)
    return 'refused' in result ? markRefused(db, smsId, result.refused) : markSent(db, smsId, result.reference)
  },
}

export const jobs = [job('sms.send', send, 'services')]

export const schedules = [every(3_600_000, 'sms.forget', ({ db }) => forgetOldSms(db))]
