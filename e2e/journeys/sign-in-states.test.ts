import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markets } from '@purlin/contract/markets.ts'
import { startJourney } from '../support/journey.ts'
import { stateChecks, walksOf } from '../support/page-states.ts'
import { changeCredentials, forgetAttempts, meetErrors, register, signInByMail, useSecondStep } from '../support/provider-tour.ts'

/** The identity provider's pages in each of their states: as opened, refused, sent, expired, opened in another browser; one walk is without scripts; `--all` adds further markets. */

const journey = startJourney()

for (const { market, mode, scripts } of walksOf([
  { market: 'gb', mode: 'b2c', scripts: true, always: false },
  { market: 'fr', mode: 'b2b', scripts: true, always: true },
  { market: 'de', mode: 'b2c', scripts: false, always: false },
  { market: 'gb', mode: 'b2b', scripts: true, always: false },
  { market: 'de', mode: 'b2b', scripts: true, always: false },
] as const))
  test(`R-291 in ${market}.${mode} every state of the provider's pages ${scripts ? 'has no axe violations, ' : 'works without JavaScript, '}fits every width and says what is wrong at its field`, async () => {
    await forgetAttempts(journey.shop.databaseUrl())
    const { locale } = markets[market]
    const visitor = await journey.visit({ market, mode, javaScript: scripts, locale })
    const elsewhere = await journey.visit({ market, mode, javaScript: scripts, locale })
    const tour = { visitor, realm: mode, checks: stateChecks(visitor, { scripts }), shop: journey.shop }
    const other = { visitor: elsewhere, realm: mode, checks: stateChecks(elsewhere, { scripts }), shop: journey.shop }
    const email = await register(tour, other)
    await changeCredentials(tour, other, email)
    await signInByMail(tour, other, email)
    await useSecondStep(tour, email)
    await meetErrors(tour)
    assert.equal([...tour.checks.faults, ...other.checks.faults].join('\n'), '')
    await visitor.leave()
    await elsewhere.leave()
  })
