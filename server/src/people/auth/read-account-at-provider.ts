import { authProviders, type Realm } from '@purlin/contract/identity.ts'
import * as v from 'valibot'
import { identitiesOf } from '#accounts'
import type { Db } from '#platform'
import { adminOf, providerOfIssuer, ProviderUnavailable } from './identity-client.ts'

/** An account at the identity provider, as the copy of a customer's data lists it: names and dates, no secrets. */
export interface AccountAtProvider {
  realm: Realm
  /** Password, passkeys, one-time codes. */
  credentials: { type: string; name: string | null; createdAt: Date | null }[]
  devices: { name: string | null; networkAddress: string | null; signedInAt: Date | null }[]
}

const time = v.optional(v.nullable(v.number()))
const credentialList = v.array(v.object({ type: v.string(), userLabel: v.optional(v.nullable(v.string())), createdDate: time }))
// `device` is the embedded provider's; a Keycloak tells the network address instead.
const sessionList = v.array(
  v.object({ start: time, ipAddress: v.optional(v.nullable(v.string())), device: v.optional(v.nullable(v.string())) }),
)

/** All accounts of a customer, through the provider's admin API. @throws ProviderUnavailable */
export async function readAccountsAtProvider(db: Db, customerId: string): Promise<AccountAtProvider[]> {
  const accounts: AccountAtProvider[] = []
  for (const { issuer, subject } of await identitiesOf(db, customerId)) {
    const provider = providerOfIssuer(issuer)
    if (!provider) continue
    const admin = await adminOf(provider)
    const list = async <Schema extends v.GenericSchema>(what: string, schema: Schema): Promise<v.InferOutput<Schema> | null> => {
      const response = await admin('GET', `users/${encodeURIComponent(subject)}/${what}`)
      if (response.status === 404) return null
      if (response.status !== 200) throw new ProviderUnavailable(`The ${what} of an account were answered with ${response.status}`)
      return v.parse(schema, await response.json())
    }
    const [credentials, sessions] = [await list('credentials', credentialList), await list('sessions', sessionList)]
    const dateOf = (ms: number | null | undefined) => (ms ? new Date(ms) : null)
    accounts.push({
      realm: authProviders[provider],
      credentials: (credentials ?? []).map(({ type, userLabel, createdDate }) => ({
        type,
        name: userLabel ?? null,
        createdAt: dateOf(createdDate),
      })),
      devices: (sessions ?? []).map(({ device, ipAddress, start }) => ({
        name: device ?? null,
        networkAddress: ipAddress ?? null,
        signedInAt: dateOf(start),
      })),
    })
  }
  return accounts
}
