import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  enter,
  lookAsGuest,
  lookAtAccount,
  lookAtCompany,
  lookAtConversion,
  lookAtLastAdmin,
  lookAtReview,
} from '../support/account-states.ts'
import { startJourney } from '../support/journey.ts'
import { stateChecks, walksOf } from '../support/page-states.ts'

/**
 * The account and the company in the states that account-accessibility.test.ts does not meet: refused, waiting, expired, forbidden,
 * empty. Two walks are without scripts; `--all` adds the visitors that not every run includes.
 */

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })

for (const { market, mode, scripts } of walksOf([
  { market: 'gb', mode: 'b2c', scripts: true, always: true },
  { market: 'de', mode: 'b2c', scripts: false, always: false },
  { market: 'fr', mode: 'b2b', scripts: true, always: false },
  { market: 'de', mode: 'b2b', scripts: false, always: true },
  { market: 'gb', mode: 'b2b', scripts: true, always: false },
  { market: 'de', mode: 'b2c', scripts: true, always: false },
  { market: 'fr', mode: 'b2c', scripts: true, always: false },
  { market: 'de', mode: 'b2b', scripts: true, always: false },
] as const))
  test(`R-291 in ${market}.${mode} refused, waiting and empty pages of the account ${scripts ? 'have no axe violations, ' : 'work without JavaScript, '}fit every width and say what is wrong at its field`, async () => {
    const visitor = await journey.visit({ market, mode, javaScript: scripts })
    const guest = await journey.visit({ market, mode, javaScript: scripts })
    const tour = { visitor, checks: stateChecks(visitor, { scripts }) }
    const other = { visitor: guest, checks: stateChecks(guest, { scripts }) }
    const entered = await enter(journey.shop.databaseUrl(), visitor)
    if (mode === 'b2b') {
      await lookAtCompany(tour, other, journey.shop)
      await lookAtReview(tour, journey.shop.databaseUrl(), entered)
      await lookAtLastAdmin(tour, journey.shop.databaseUrl(), entered)
    } else {
      await lookAsGuest(other)
      await lookAtAccount(tour, other)
      await lookAtConversion(tour)
    }
    assert.equal([...tour.checks.faults, ...other.checks.faults].join('\n'), '')
    await visitor.leave()
    await guest.leave()
  })
