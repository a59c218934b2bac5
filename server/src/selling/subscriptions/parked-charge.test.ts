import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { testMember } from '@purlin/contract/testing.ts'
import { testDatabase } from '#platform/testing'
import { fillShop } from '../checkout/testing.ts'
import { noteAttempt, renewDue } from './charge.ts'
import { changeCard } from './change-subscription.ts'
import { dayMs } from './plan.ts'
import { applySetup } from './set-up-card.ts'
import { startSubscription } from './start-subscription.ts'
import { addSubscriber } from './testing.ts'

const database = await testDatabase()
before(() => fillShop(database))

test('a charge whose job was given up after a change of card is attempted again by the next round', async () => {
  const { companyId, customer } = await addSubscriber(database)
  const principal = testMember({ id: customer.id, role: 'admin', company: { id: companyId, country: 'GB' } })
  const begun = Date.now()
  const at = (days: number) => ({ principal, mode: 'b2b' as const, now: new Date(begun + days * dayMs) })
  const rows = async <Row>(text: string) => (await database.pool.query(text)).rows as Row[]
  const enterCard = async (days: number) => {
    const [setup] = await rows<{ id: string }>(`select id from subscriptions.setup where state = 'requested'`)
    const card = { reference: `card ${days}`, brand: 'visa', last4: '0002', expiryYear: 2099, expiryMonth: 4, savedAt: new Date() }
    const seen = { reference: `setup ${days}`, status: 'done' as const, failureCode: null, card, frameUrl: null }
    await database.command(at(days), (scope) => applySetup(scope, setup!.id, seen as Parameters<typeof applySetup>[2]))
  }
  await database.command(at(0), (scope) => startSubscription(scope, 'monthly'))
  await enterCard(0)
  await database.command(at(31), renewDue)
  const [charge] = await rows<{ id: string }>('select id from subscriptions.charge')
  const declined = { number: 1, reference: 'i', seen: { captured: 0, failureCode: 'declined' } } as unknown as Parameters<
    typeof noteAttempt
  >[2]
  await database.command(at(31), (scope) => noteAttempt(scope, charge!.id, declined))
  await database.command(at(32), changeCard)
  await enterCard(32)
  await database.pool.query(`delete from platform.job where name = 'subscriptions.charge'`)
  await database.command(at(32.1), renewDue)
  assert.deepEqual(await rows(`select key from platform.job where name = 'subscriptions.charge'`), [{ key: charge!.id }])
})
