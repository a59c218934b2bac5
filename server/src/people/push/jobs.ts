import { untilForVisitor } from '#events'
import { job, onPatiently } from '#platform'
import type { PersonalPush, PushMessage } from './message.ts'
import { personalSubscriptions } from './push-to.ts'
import { noteSent, sendMessages } from './send-messages.ts'
import { claimSubscriptions, endSubscriptionsOfVisitor, readSubscriptions } from './store.ts'
import { vapidKey } from './vapid.ts'

const pageSize = 100

const endForVisitor = onPatiently('consent.withdrawn', 'push.end-for-visitor', {
  commit: async ({ db }, withdrawal) => {
    const { visitorId, withdrawn } = withdrawal
    if (visitorId !== null && withdrawn.includes('userPreferences'))
      await endSubscriptionsOfVisitor(db, visitorId, untilForVisitor(withdrawal))
  },
})

export const handlers = [endForVisitor.handler]

/** Sends one message to all subscriptions of a storefront to offers that have not had their share of the week; those their services no longer know, or that take nothing any more, are deleted. */
export const jobs = [
  endForVisitor.job,
  job<PushMessage>('push.send', {
    run: async (context, message) => {
      const jwk = await vapidKey(context.db)
      let after = typeof context.state === 'string' ? context.state : null
      let isOnline = false
      for (;;) {
        const page = await readSubscriptions(context.db, { ...message, after, limit: pageSize })
        const last = page.at(-1)
        if (!last) return
        const claimed = await claimSubscriptions(
          context.db,
          page.map(({ id }) => id),
          message.key,
        )
        const due = page.filter(({ id }) => claimed.has(id))
        const sent = await sendMessages(due, message, jwk, isOnline)
        isOnline ||= sent.taken.length > 0
        after = last.id
        await context.checkpoint(after, ({ db }) => noteSent(db, sent))
      }
    },
  }),
  job<PersonalPush>('push.send-to', {
    run: async (context, message) => {
      // A crash after sending must not send again: the attempt is recorded first.
      if (context.state !== null && context.state !== undefined) return
      const to = await personalSubscriptions(context.db, message)
      const claimed = await claimSubscriptions(
        context.db,
        to.map(({ id }) => id),
        message.key,
      )
      // News about an order is awaited: the cap is for what the shop would like to say.
      const due = message.topic === 'orders' ? to : to.filter(({ id }) => claimed.has(id))
      await context.checkpoint('sent', async () => undefined)
      const jwk = await vapidKey(context.db)
      const sent = await sendMessages(due, message, jwk)
      await context.checkpoint('done', ({ db }) => noteSent(db, sent))
    },
  }),
]
