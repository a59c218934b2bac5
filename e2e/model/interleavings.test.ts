import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { encounters, playEncounter } from './interleavings.ts'
import { openModelShop } from './shop-on-postgres.ts'

/** `npm run model -- --interleavings` plays every order of the statements. */
const stride = Number(process.env['MODEL_STRIDE'] ?? 4)
const shop = await openModelShop()
after(() => shop.close())

for (const encounter of encounters)
  test(`V-60 A25 I1 I6 ${encounter.name}: whatever the order of their statements, each is allowed or refused, and nothing is done by half`, async () => {
    assert.ok((await playEncounter(shop, encounter, stride)) >= 4)
  })
