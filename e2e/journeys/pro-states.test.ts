import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startJourney, type Journey } from '../support/journey.ts'
import { stateChecks } from '../support/page-states.ts'
import { lookAtState, proStates } from '../support/pro-states.ts'
import { proThings } from '../support/pro-things.ts'
import { proMarkets, withoutNotes, type ProMarket } from '../support/professionals.ts'

/** The pages for professionals in each state of the table, by role. Walked with `--all` alone. */

async function walk(journey: Journey, market: ProMarket): Promise<void> {
  const visitor = await journey.visit({ market, mode: 'b2b' })
  await withoutNotes(visitor.page)
  const checks = stateChecks(visitor)
  const things = await proThings(journey.shop.databaseUrl(), visitor)
  const wrong: string[] = []
  // The United Kingdom has no SEPA direct debit.
  const states = proStates().filter(({ name }) => market !== 'gb' || !name.startsWith('directDebit'))
  for (const state of states) wrong.push(...(await lookAtState({ visitor, checks, things }, state)))
  assert.equal([...wrong, ...checks.faults].join('\n'), '')
  await visitor.leave()
}

if (process.env['ALL_STATES'] !== undefined) {
  const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
  for (const market of proMarkets)
    test(`R-291 in ${market} the pages for professionals have no axe violations and fit every width: filled, empty, failing and forbidden`, () =>
      walk(journey, market))
}
