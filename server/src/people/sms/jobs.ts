import { forgetPhoneCodes, offerChannels, phoneCodeToSend } from '#profile'
import { enqueue, every, job, on, type Work } from '#platform'
import type { SendResult } from './provider.ts'
import { smsProvider } from './provider-of-shop.ts'
import { asPlainText } from './segments.ts'
import { forgetOldSms, removeAtProvider, transitMs } from './forget-sms.ts'
import { findQueued, findUnknown, markDropped, markRefused, markSent } from './store.ts'

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

/** The code that confirms a number: at any hour, since its customer waits for it, and without a record of the message. Sent twice it is the same. */
const sendCode: Work<{ codeId: string }, SendResult | null> = {
  call: async ({ db, now, signal }, { codeId }) => {
    const code = await phoneCodeToSend(db, codeId, now)
    const provider = smsProvider()
    return code && provider ? provider.send({ to: code.phone.replaceAll(' ', ''), body: asPlainText(code.text) }, signal) : null
  },
  commit: async ({ db, now }, _job, result) => {
    if (result && 'reference' in result) await removeAtProvider(db, [result.reference], new Date(now.getTime() + transitMs))
  },
}

const remove: Work<{ reference: string }, null> = {
  call: async ({ signal }, { reference }) => {
    await smsProvider()?.remove(reference, signal)
    return null
  },
  commit: async () => undefined,
}

export const handlers = [
  on('phone-code.requested', 'sms.send-code', {
    commit: ({ db }, { codeId }) => enqueue(db, { name: 'sms.send-code', key: codeId, payload: { codeId }, priority: 1 }),
  }),
]

export const jobs = [job('sms.send', send, 'services'), job('sms.send-code', sendCode, 'services'), job('sms.remove', remove, 'services')]

export const schedules = [
  every(3_600_000, 'sms.forget', async ({ db, now }) => {
    await forgetOldSms(db)
    await forgetPhoneCodes(db, now)
  }),
]
