import { offerChannels } from '#profile'
import { every, job } from '#platform'
import type { SendResult } from './provider.ts'
import { smsProvider } from './provider-of-shop.ts'
import { findQueued, forgetOldSms, markDropped, markRefused, markSent } from './store.ts'

export const jobs = [
  job<{ smsId: string }, SendResult | null>('sms.send', {
    // A crash between sending and recording sends a second message: such providers have no idempotency keys.
    call: async ({ db, signal }, { smsId }) => {
      const message = await findQueued(db, smsId)
      const provider = smsProvider()
      // It may have waited for the morning: consent that has been withdrawn since, or given for another number, counts.
      if (!message || !provider) return null
      const phone = (await offerChannels(db, message.customerId)).sms?.replaceAll(' ', '')
      if (phone !== message.phone) return null
      return provider.send({ to: message.phone, body: message.body }, signal)
    },
    commit: ({ db }, { smsId }, result) => {
      if (!result) return markDropped(db, smsId)
      return 'refused' in result ? markRefused(db, smsId, result.refused) : markSent(db, smsId, result.reference)
    },
  }),
]

export const schedules = [every(3_600_000, 'sms.forget', ({ db }) => forgetOldSms(db))]
