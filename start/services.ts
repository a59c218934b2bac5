/** The embedded external services: the payment provider, the identity provider, the VAT registers, the carrier, the credit provider and the SMS provider. */
import { createPool, log, readNote, settings } from '@purlin/server/foundation/platform/index.ts'
import { collectProcessMetrics } from '@purlin/server/foundation/platform/metrics.ts'
import { startServices } from '@purlin/services/index.ts'
import { serveMetrics } from './process-metrics.ts'
import { readPastCredit, readPastPayments } from './demo-payments.ts'
import { whenReachable } from './when-reachable.ts'
import { exitOnUncaught, sendToParent, stopOnRequest } from './messages.ts'

exitOnUncaught((reason) => log.error({ reason: reason instanceof Error ? reason.stack : String(reason) }, 'uncaught error'))
collectProcessMetrics()
serveMetrics()

const { port, dataDir, payments, identity, vat, carrier, credit, sms, demoSpeed, hosts, databaseUrl = '', demo, trustProxy } = settings()
const past = demo ? await whenReachable(pastOfDemo) : undefined
const { payments: knownPayments, credit: knownCredit } = past ?? {}
const people = past && identity.isEmbedded ? await peopleOfDemo() : []
const services = await startServices({
  port,
  dataDir,
  payments,
  ...(knownPayments && { known: knownPayments }),
  // Outside the demo parcels travel by the calendar.
  ...(carrier.kind === 'embedded' && {
    carrier: { apiKey: carrier.apiKey, webhookSecret: carrier.webhookSecret, speed: past ? demoSpeed : 1 },
  }),
  ...(credit.kind === 'embedded' && {
    credit: {
      apiKey: credit.apiKey,
      webhookSecret: credit.webhookSecret,
      debitMs: (2 * 86_400_000) / ((past && demoSpeed) || 1),
      ...(knownCredit && { known: knownCredit }),
    },
  }),
  ...(sms.kind === 'embedded' && { sms }),
  ...(vat.isEmbedded && { vat: { traders: demo ? await tradersOfDemo() : [] } }),
  ...(identity.isEmbedded && {
    identity: {
      databaseUrl,
      url: identity.url,
      hosts,
      clientSecret: identity.clientSecret ?? '',
      dataKey: identity.dataKey,
      log,
      people,
      trustProxy,
      breachedPasswordsUrl: identity.breachedPasswordsUrl,
    },
  }),
})
sendToParent({ kind: 'ready' })
stopOnRequest(() => services.close())

/** Public passwords must not open accounts in a shop with data of its own: undefined there. */
async function pastOfDemo() {
  const pool = createPool({ connectionString: databaseUrl, name: 'purlin services', sizes: { commands: 1, single: 1, reports: 1 } })
  try {
    if ((await readNote(pool.db, 'demo-shop')) === undefined) return undefined
    return { payments: await readPastPayments(pool.db), credit: await readPastCredit(pool.db) }
  } finally {
    await pool.end()
  }
}

/** The demo's companies, as the registers know them. */
async function tradersOfDemo() {
  const { demoTraders } = await import('@purlin/demo/people.ts')
  return demoTraders
}

async function peopleOfDemo() {
  const { demoPassword, demoPeople, demoTotpSecret } = await import('@purlin/demo/people.ts')
  return demoPeople.map((person) => {
    const { realms, sub, email, givenName, familyName, locale } = person
    const account = { realms, sub, email, givenName, familyName, locale, password: demoPassword }
    if (person.kind === 'seller' || person.kind === 'operator') return { ...account, totpSecret: demoTotpSecret }
    return person.kind === 'member' ? { ...account, company: { ...person.company, professionalRole: person.professionalRole } } : account
  })
}
