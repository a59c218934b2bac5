import type { Counted, QuotaName, quotas } from '@purlin/server/foundation/platform/quota-limits.ts'

/** Somebody whom a quota counts, and a request of theirs. */
export interface Sender {
  /** The address, session, customer, key or e-mail address that is counted. */
  counted: string
  /** Sends the request once; returns "served", or what it was refused with. */
  send(): Promise<string>
}

export interface QuotaRow {
  /** The response beyond the limit: 429 with Retry-After, a refusal reason, or an ordinary response with nothing sent or stored. */
  refusal: string
  newSender(): Promise<Sender>
}

/** Each quota, and each subject it counts. */
export type QuotaRows = { [Name in QuotaName]: { [By in Counted & keyof (typeof quotas)[Name]]: QuotaRow } }
