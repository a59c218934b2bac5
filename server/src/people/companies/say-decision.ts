import { readCustomer } from '#accounts'
import { sendMail } from '#mail'
import type { JobScope } from '#platform'
import { acceptedMail, receivedMail, refusedMail } from './mails.ts'
import { lockConversion, type KeptConversion } from './store.ts'

type Sending = Pick<JobScope, 'db' | 'emit' | 'now' | 'requestId' | 'log'>

const templates = { received: receivedMail, accepted: acceptedMail, refused: refusedMail }

/** Confirms by mail that a request has arrived and is under review. Idempotent. */
export async function sayReceived(scope: Sending, id: string): Promise<void> {
  const conversion = await lockConversion(scope.db, id)
  if (conversion?.state === 'lead') await say(scope, conversion, 'received')
}

export function sayDecision(scope: Sending, conversion: KeptConversion, decision: 'accepted' | 'refused'): Promise<void> {
  return say(scope, conversion, decision)
}

async function say(scope: Sending, conversion: KeptConversion, what: keyof typeof templates): Promise<void> {
  const { id, customerId, companyName, market, mode, origin } = conversion
  const customer = await readCustomer(scope.db, customerId)
  if (!customer) return
  const payload = { name: customer.name, company: companyName }
  await sendMail(scope, templates[what], { to: customer.email, site: { market, mode, origin }, payload, key: `conversion:${id}:${what}` })
}
