import { randomUUID } from 'node:crypto'
import { startPaymentProvider, type PaymentProviderServer } from '@purlin/services/payment-provider/index.ts'
import type { TestDatabase } from '#platform/testing'
import { readPaymentOfOrder } from '../payments/store.ts'
import { embeddedProvider } from '../payments/embedded-provider.ts'
import { usePaymentProvider } from '../payments/settings.ts'
import type { PlaceOrder } from '../checkout/place-order.ts'
import { draftOrder, must, place, type Buyer } from '../checkout/testing.ts'

/** For tests: orders paid for with a card at the embedded payment provider. */

export interface TestProvider extends PaymentProviderServer {
  /** Places an order and pays it; runs the given work between the steps. */
  paidOrder(buyer: Buyer, lines: { offerId: string; quantity: number }[], card?: string, choices?: PlaceOrder['choices']): Promise<string>
  refundedOf(customerOrderId: string): Promise<number>
}

export const cards = {
  approved: '4000000000000002',
  refusesRefunds: '4000000000000176',
  chargedBack: '4000000000000184',
  chargebackLost: '4000000000000192',
  chargebackWon: '4000000000000242',
}

export async function testProvider(
  database: TestDatabase,
  shopUrl: string,
  work: () => Promise<unknown>,
  more: { disputeMs?: number } = {},
): Promise<TestProvider> {
  const secrets = { secret: 'secret-of-the-tests', webhookSecret: 'webhook-secret-of-the-tests' }
  const server = await startPaymentProvider({ port: 0, file: ':memory:', webhookUrl: `${shopUrl}/webhooks/payment`, ...secrets, ...more })
  const provider = embeddedProvider({ url: `http://127.0.0.1:${server.port}`, timeoutMs: 2_000, ...secrets })
  usePaymentProvider(provider)
  const paymentOf = async (id: string) => {
    const payment = await readPaymentOfOrder(database.db, id)
    if (!payment) throw new Error(`The order ${id} has no payment`)
    return payment
  }
  return {
    ...server,
    refundedOf: async (id) => (await provider.retrieve((await paymentOf(id)).providerReference ?? '', {})).refunded,
    paidOrder: async (buyer, lines, card = cards.approved, choices) => {
      const id = await draftOrder(buyer, lines)
      must(await place(buyer, id, randomUUID(), choices))
      await work()
      const frame = new URL((await paymentOf(id)).frameUrl ?? '')
      const body = new URLSearchParams({ number: card, expiry: '12 / 39', code: '123', name: 'Robin Field' })
      await fetch(`http://127.0.0.1:${server.port}${frame.pathname}${frame.search}`, { method: 'POST', body, redirect: 'manual' })
      for (let turn = 0; turn < 200 && (await paymentOf(id)).captured === 0; turn++) {
        await work()
        await new Promise((resolve) => setTimeout(resolve, 15))
      }
      if ((await paymentOf(id)).captured === 0) throw new Error('The payment was not captured')
      return id
    },
  }
}
