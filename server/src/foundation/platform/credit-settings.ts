import type { Environment } from './environment.ts'

/** The creditor of SEPA direct debits, as a mandate names it. */
export interface Creditor {
  name: string
  identifier: string
}

/** Pays companies' invoices, or the embedded one that does; none on real domains without an address. Without a creditor no direct debits. */
export type CreditSettings =
  | { kind: 'none' }
  | { kind: 'embedded' | 'remote'; url: string; apiKey: string; webhookSecret: string; creditor: Creditor | null }

/** The embedded credit provider listens on the fifth port after the shop's. */
export function creditSettings(environment: Environment, isPublic: boolean): CreditSettings {
  const { PORT: port, CREDIT_URL: url, CREDIT_API_KEY: apiKey, CREDIT_WEBHOOK_SECRET: webhookSecret } = environment
  const { CREDIT_CREDITOR_NAME: name, CREDIT_CREDITOR_ID: identifier } = environment
  const creditor = name && identifier ? { name, identifier } : null
  if (url) return { kind: 'remote', url: url.replace(/\/+$/, ''), apiKey, webhookSecret, creditor }
  if (isPublic) return { kind: 'none' }
  // The identifier is the banks' own example.
  const embedded = { name: 'Purlin Credit Provider', identifier: 'DE98ZZZ09999999999' }
  return { kind: 'embedded', url: `http://127.0.0.1:${port + 5}`, apiKey, webhookSecret, creditor: creditor ?? embedded }
}
