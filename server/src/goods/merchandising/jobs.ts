import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { untilForVisitor } from '#events'
import { enqueue, every, job, on, onPatiently, purgePages } from '#platform'
import { searchEngine } from '#listing'
import { forgetOldSearches, forgetSearchesOf } from './analytics-store.ts'
import { applyLevers } from './apply-levers.ts'
import { dayToLearn, forgetRankerDays, learnFromDay } from './learn-ranking.ts'

const forget = onPatiently('consent.withdrawn', 'merchandising.forget-visitor', {
  commit: async ({ db }, withdrawal) => {
    const { visitorId, withdrawn } = withdrawal
    if (visitorId !== null && withdrawn.includes('userPreferences')) await forgetSearchesOf(db, visitorId, untilForVisitor(withdrawal))
  },
})

export const handlers = [
  on('search-levers.changed', 'merchandising.apply-levers', {
    call: async ({ db }, { leversOf }: { leversOf: Market }) => {
      await applyLevers({ db, engine: searchEngine() }, leversOf)
    },
    commit: (scope) => purgePages(scope.db, ['listing']),
  }),
  forget.handler,
]

export const jobs = [
  forget.job,
  job<{ market: Market }, boolean>('merchandising.restore-levers', {
    call: ({ db }, { market }) => applyLevers({ db, engine: searchEngine() }, market),
    commit: async (scope, _payload, changed) => {
      if (changed) await purgePages(scope.db, ['listing'])
    },
  }),
  job<{ market: Market; day: string }, void>('merchandising.learn-day', {
    call: ({ db }, { market, day }) => learnFromDay({ db, engine: searchEngine() }, market, day),
    commit: async ({ db }, { market }) => {
      await enqueue(db, { name: 'merchandising.restore-levers', key: market, payload: { market } })
    },
  }),
]

const hour = 3_600_000

export const schedules = [
  every(hour, 'merchandising.learn', async ({ db, now }) => {
    const day = await dayToLearn(db, now)
    if (day)
      for (const market of marketCodes)
        await enqueue(db, { name: 'merchandising.learn-day', key: `${market}:${day}`, payload: { market, day } })
  }),
  every(24 * hour, 'merchandising.forget', async ({ db, now }) => {
    await forgetOldSearches(db)
    await forgetRankerDays(db, now)
  }),
  // A newly built index lacks the operators' settings.
  every(hour, 'merchandising.levers', async ({ db }) => {
    for (const market of marketCodes) await enqueue(db, { name: 'merchandising.restore-levers', key: market, payload: { market } })
  }),
]
