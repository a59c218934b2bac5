import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { authProviders, callbackPath, identityClientId, isAuthProvider, realms } from '@purlin/contract/identity.ts'
import { createSiteHosts } from '@purlin/contract/site-settings.ts'
import { readSettings } from '@purlin/server/foundation/platform/index.ts'
import { realmFiles, realmFolder } from './keycloak-realms.ts'

interface Exported {
  realm: string
  registrationAllowed: boolean
  revokeRefreshToken: boolean
  refreshTokenMaxReuse: number
  bruteForceProtected: boolean
  verifyEmail: boolean
  requiredActions: { alias: string; defaultAction: boolean }[]
  clients: {
    clientId: string
    publicClient: boolean
    redirectUris: string[]
    attributes: Record<string, string>
    protocolMappers: { config: Record<string, string> }[]
  }[]
}
const read = (name: string) => JSON.parse(readFileSync(join(realmFolder, name), 'utf8')) as Exported

test('the realms of deploy/keycloak match the settings: realms, client and redirect URIs', () => {
  assert.deepEqual(readdirSync(realmFolder).sort(), realms.map((realm) => `${realm}.json`).sort())
  const { hosts } = readSettings({}, [])
  for (const realm of realms) {
    const exported = read(`${realm}.json`)
    const [client, ...others] = exported.clients
    assert.equal(exported.realm, realm)
    assert.equal(others.length, 0)
    assert.equal(client?.clientId, identityClientId)
    assert.equal(client?.publicClient, false)
    const own = Object.keys(authProviders)
      .filter(isAuthProvider)
      .filter((provider) => authProviders[provider] === realm)
    for (const { origin } of hosts.all) {
      for (const provider of own) assert.ok(client?.redirectUris.includes(`${origin}${callbackPath(provider)}`), `${realm} ${origin}`)
      assert.ok(client?.attributes['post.logout.redirect.uris']?.split('##').includes(`${origin}/*`))
    }
    assert.equal(client?.redirectUris.length, new Set(hosts.all.map(({ origin }) => origin)).size * own.length, 'and no other')
    assert.ok(client?.redirectUris.every((uri) => !uri.includes('*')))
    assert.equal(client?.attributes['pkce.code.challenge.method'], 'S256')
  }
})

test('the realms follow the rules of the embedded provider: single-use refresh tokens, verified addresses, lock-outs, a second factor for staff', () => {
  for (const realm of realms) {
    const exported = read(`${realm}.json`)
    assert.deepEqual([exported.revokeRefreshToken, exported.refreshTokenMaxReuse], [true, 0])
    assert.ok(exported.verifyEmail && exported.bruteForceProtected)
    assert.equal(exported.registrationAllowed, realm !== 'staff')
    const otp = exported.requiredActions.find(({ alias }) => alias === 'CONFIGURE_TOTP')
    assert.equal(otp?.defaultAction, realm === 'staff')
    const claims = exported.clients[0]?.protocolMappers.map(({ config }) => config['claim.name'])
    assert.deepEqual(
      claims,
      realm === 'b2b' || realm === 'unified' ? ['company_name', 'trade', 'vat_number', 'register_number', 'professional_role'] : [],
    )
  }
})

test('the files are up to date with the script, and real domains leave localhost out', () => {
  for (const [name, text] of realmFiles(readSettings({}, []).hosts)) assert.deepEqual(read(name), JSON.parse(text), name)
  const real = createSiteHosts({ port: 3000, realHosts: 'www.purlin.fr=fr/b2c,pro.purlin.fr=fr/b2b' })
  for (const text of realmFiles(real).values())
    assert.ok(!text.includes('localhost') && text.includes('https://pro.purlin.fr/api/auth/callback/'))
})
