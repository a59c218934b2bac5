import type { Endpoint } from './endpoint.ts'
import { orderCalls } from './order-calls.ts'

/** Every call of the sellers' API. */
export const calls: readonly Endpoint[] = [...orderCalls]

/** The version is part of the address: a change that breaks clients gets another one. */
export const basePath = '/api/seller/v1'
