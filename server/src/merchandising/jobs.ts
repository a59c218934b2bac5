import { marketCodes, type Market } from '@purlin/contract/markets.ts'
import { every, on, purgePages } from '#platform'
import { raisePopularity } from '#catalogue'
import { searchEngine } from '#listing'
import { forgetOldSearches, takeEventWeights } from './analytics-store.ts'
import { applyLevers } from './apply-levers.ts'

export const handlers = [
  on('search-levers.changed', 'merchandising.apply-levers', {
    call: ({ db }, { leversOf }: { leversOf: Market }) => applyLevers({ db, engine: searchEngine() }, leversOf),
    commit: (scope) => purgePages(scope.db, ['listing']),
  }),
]

const hour = 3_600_000

export const schedules = [
  every(hour, 'merchandising.popularity', async (scope) => {
    await raisePopularity(scope, await takeEventWeights(scope.db))
  }),
  every(24 * hour, 'merchandising.forget', async ({ db }) => {
    await forgetOldSearches(db)
  }),
  // An index built anew begins without what operators taught it.
  every(hour, 'merchandising.levers', async ({ emit }) => {
    for (const market of marketCodes) emit('search-levers.changed', { leversOf: market })
  }),
]
