import { type Realm } from '@purlin/contract/identity.ts'
import type { Provider } from 'oidc-provider'
import type { IdentityContext } from './context.ts'
import { createRealmProvider } from './provider.ts'
import { rotateDueKeys, signingKeys } from './secrets.ts'

export interface RealmServer {
  realm: Realm
  /** The provider with its current keys; replaced after a rotation. */
  provider(): Provider
  handle(): ReturnType<Provider['callback']>
  /** Rotates a key that is due, and adopts keys created by another process. */
  refreshKeys(): Promise<void>
}

export async function openRealm(context: IdentityContext, realm: Realm): Promise<RealmServer> {
  let kids = ''
  let provider: Provider | undefined
  let callback: ReturnType<Provider['callback']> | undefined
  const load = async () => {
    const keys = await signingKeys(context.pool.db, realm)
    const found = keys.map(({ kid }) => kid).join(' ')
    if (provider && found === kids) return
    kids = found
    provider = createRealmProvider(context, realm, keys)
    callback = provider.callback()
  }
  await load()
  return {
    realm,
    provider: () => provider!,
    handle: () => callback!,
    refreshKeys: async () => {
      await rotateDueKeys(context.pool.db, realm)
      await load()
    },
  }
}
