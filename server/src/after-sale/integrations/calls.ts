import type { Endpoint } from './endpoint.ts'
import { afterSaleCalls } from './after-sale-calls.ts'
import { conditionCalls } from './condition-calls.ts'
import { orderCalls } from './order-calls.ts'
import { offerCalls } from './offer-calls.ts'
import { priceCalls } from './price-calls.ts'
import { quoteCalls } from './quote-calls.ts'
import { webhookCalls } from './webhook-calls.ts'

/** Every call of the sellers' API. */
export const calls: readonly Endpoint[] = [
  ...orderCalls,
  ...afterSaleCalls,
  ...offerCalls,
  ...priceCalls,
  ...conditionCalls,
  ...quoteCalls,
  ...webhookCalls,
]

/** The version is part of the address: a change that breaks clients gets another one. */
export const basePath = '/api/seller/v1'
