import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testOperator } from '@purlin/contract/testing.ts'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { runWork } from '../../edges/worker/testing.ts'
import * as checkoutJobs from '../checkout/jobs.ts'
import { addOffer, fillShop, newBuyer } from '../checkout/testing.ts'
import { readChargeback } from '../payments/chargeback-store.ts'
import * as paymentJobs from '../payments/jobs.ts'
import { paymentProvider } from '../payments/settings.ts'
import { listChargebacks } from './bear-chargeback.ts'
import { handlers } from './jobs.ts'
import { cards, testProvider } from './testing.ts'

/** Test cards of the embedded provider whose payments are charged back. */

const database = await testDatabase()
await fillShop(database)
await addOffer(database, { id: '7301', stock: 1000, price: 6000 })
const work = () => runWork(database, [...paymentJobs.handlers, ...handlers], [...checkoutJobs.jobs, ...paymentJobs.jobs])
const gateway = await testGateway(database.pool)
const provider = await testProvider(database, gateway.url, work, { disputeMs: 300 })
after(() => provider.close())
const operator = { principal: testOperator({ roles: [{ role: 'support', market: null }] }) }

for (const [card, end] of [
  ['chargedBack', 'open'],
  ['chargebackLost', 'lost'],
  ['chargebackWon', 'won'],
] as const)
  test(`the shop hears by signed messages that a payment is charged back, and of its end: ${end}`, async () => {
    const orderId = await provider.paidOrder(newBuyer(database), [{ offerId: '7301', quantity: 1 }], cards[card])
    const found = async () => (await listChargebacks(database.scope(operator))).find(({ customerOrderId }) => customerOrderId === orderId)
    for (let turn = 0; turn < 400 && (await found())?.state !== end; turn++) await sleep(20)
    await work()
    const { state, amount, unborne, reason } = (await found()) ?? {}
    assert.deepEqual([state, amount?.amount, unborne?.amount, reason], [end, 6000, end === 'lost' ? 6000 : 0, 'fraudulent'])
    const { reference = '' } = (await readChargeback(database.db, (await found())?.id ?? '')) ?? {}
    assert.equal((await paymentProvider().retrieveChargeback(reference, {}))?.state, end, 'its API says the same')
  })
