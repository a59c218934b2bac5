import { sendMail } from '#mail'
import { every, job } from '#platform'
import type { Issue } from './issue.ts'
import { issueMail } from './mails.ts'
import { forgetOld, readConfirmed } from './store.ts'
import { askJob, unsubscribeUrl } from './subscribe.ts'

const pageSize = 200

/** Sends an issue to all confirmed subscriptions of a storefront, each once, whatever happens in between. */
export const jobs = [
  askJob,
  job<Issue>('newsletter.send', {
    run: async (context, issue) => {
      const { market, mode, origin, key } = issue
      let after = typeof context.state === 'string' ? context.state : null
      for (;;) {
        const last = (await readConfirmed(context.db, { market, mode, after, limit: pageSize })).at(-1)
        if (!last) return
        const from = after
        after = last.id
        await context.checkpoint(after, async (scope) => {
          // Read again: a subscription that has ended meanwhile gets nothing.
          for (const { id, email, token } of await readConfirmed(scope.db, { market, mode, after: from, limit: pageSize }))
            await sendMail(scope, issueMail, {
              to: email,
              site: { market, mode, origin },
              payload: { ...issue, token },
              key: `newsletter:${id}:issue:${key}`,
              unsubscribeUrl: unsubscribeUrl(origin, token),
            })
        })
      }
    },
  }),
]

export const schedules = [every(3_600_000, 'newsletter.forget', ({ db }) => forgetOld(db))]
