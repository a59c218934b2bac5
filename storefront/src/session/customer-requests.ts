import { GetCustomerSegmentsDocument, GetOptInStatusDocument } from '../generated/documents.ts'
import { callApi } from './api-client.ts'
import type { AuthState, CustomerSegments } from './auth-state.ts'
import { ask } from './graphql-client.ts'
import { reportToServer } from './session-client.ts'

/** Requests about a customer, sent once they are signed in. */

/** The customer's segments; null, with a line in the server's log, when they are unavailable. */
export async function fetchSegments(): Promise<CustomerSegments | null> {
  try {
    return (await ask(GetCustomerSegmentsDocument, {}, { prefersGet: true })).customerSegments ?? null
  } catch (error) {
    reportToServer('CUSTOMER_SEGMENTS', error)
    return null
  }
}

export async function loadSegments(): Promise<Partial<AuthState>> {
  const segments = await fetchSegments()
  return { segments, cluster: segments?.cluster ?? null, hasRetrievedCustomerSegments: segments !== null }
}

export async function loadOptInStatus(): Promise<Partial<AuthState>> {
  return { optin_status: (await ask(GetOptInStatusDocument, {}, { prefersGet: true })).optInStatus ?? null }
}

/** Fields a customer may set; omitted ones are not sent. */
export type SegmentPatch = Partial<Pick<CustomerSegments, 'b2b_suspected_pro' | 'b2b_welcome' | 'b2b_vat_modal'>>

/** True when the change was accepted, false on any failure. */
export async function updateSegments({ b2b_suspected_pro, b2b_welcome, b2b_vat_modal }: SegmentPatch): Promise<boolean> {
  const body = { b2b_suspected_pro, b2b_welcome, b2b_vat_modal }
  try {
    const answer = await callApi('/api/v2/customer-segment/customers', { method: 'PATCH', body })
    return answer.ok && (await answer.json()) === true
  } catch {
    return false
  }
}
