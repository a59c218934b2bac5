import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SignJWT, base64url, decodeJwt, exportJWK, exportSPKI, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters } from 'jose'
import { somebody } from './test-provider.ts'
import { browser, follow, isRefused, provider, returnAddress } from './test-attacks.ts'

/** ID tokens that a hostile provider, or somebody between it and the shop, could make. */

const text = (value: string) => new TextEncoder().encode(value)
/** The provider's public key, as everybody can read it. */
async function publicKey(): Promise<JWK> {
  const answer = await fetch(`${provider.url.replace('id.localhost', '127.0.0.1')}/realms/b2c/protocol/openid-connect/certs`)
  const { keys } = (await answer.json()) as { keys: JWK[] }
  assert.ok(keys[0])
  return keys[0]
}
async function publicPem(): Promise<string> {
  const key = await importJWK({ ...(await publicKey()), ext: true }, 'RS256')
  assert.ok(!(key instanceof Uint8Array))
  return exportSPKI(key)
}
const byHmac = async (token: string, secret: string) => {
  const { kid = '' } = await publicKey()
  return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256', kid }).sign(text(secret))
}
const withHeader = (token: string, header: object) => [base64url.encode(JSON.stringify(header)), ...token.split('.').slice(1)].join('.')

/** An attacker's own key, and a server that offers it to whoever follows the token's header. */
const attacker = await generateKeyPair('RS256', { extractable: true })
const attackerKey = { ...(await exportJWK(attacker.publicKey)), kid: 'attacker', alg: 'RS256', use: 'sig' }
let visits = 0
const trap = createServer((_, res) => {
  visits++
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [attackerKey] }))
})
await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
after(() => trap.close())
const trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`
const byAttacker = async (token: string, header: JWTHeaderParameters) =>
  new SignJWT(decodeJwt(token)).setProtectedHeader(header).sign(attacker.privateKey)
const realKid = async () => (await publicKey()).kid ?? ''

const forged: Record<string, (token: string) => string | Promise<string>> = {
  'alg none': (token) => `${base64url.encode(JSON.stringify({ alg: 'none' }))}.${token.split('.')[1]}.`,
  'HS256 with a key of its own': (token) => new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256' }).sign(text('x'.repeat(32))),
  'HS256 and the provider’s public key as the secret, as JSON': async (token) => byHmac(token, JSON.stringify(await publicKey())),
  'HS256 and the provider’s public key as the secret, as PEM': async (token) => byHmac(token, await publicPem()),
  'HS256 and the modulus of the provider’s public key as the secret': async (token) => byHmac(token, (await publicKey()).n ?? ''),
  'a kid that is a path': (token) => withHeader(token, { alg: 'RS256', kid: '../../../dev/null' }),
  'a kid that is SQL': (token) => withHeader(token, { alg: 'RS256', kid: "' union select 'attacker' --" }),
  'a key of its own under the provider’s kid': async (token) => byAttacker(token, { alg: 'RS256', kid: await realKid() }),
  'the address of a key of its own (jku)': (token) => byAttacker(token, { alg: 'RS256', kid: 'attacker', jku: trapUrl }),
  'the address of a key of its own (jku) under the provider’s kid': async (token) =>
    byAttacker(token, { alg: 'RS256', kid: await realKid(), jku: trapUrl }),
  'the address of a certificate of its own (x5u)': async (token) => byAttacker(token, { alg: 'RS256', kid: await realKid(), x5u: trapUrl }),
  'a key of its own within it (jwk)': async (token) => byAttacker(token, { alg: 'RS256', kid: 'attacker', jwk: attackerKey }),
  'a key of its own within it (jwk) and no kid': async (token) => byAttacker(token, { alg: 'RS256', jwk: attackerKey }),
  'claims that were not signed': (token) => {
    const [header, claims = '', signature] = token.split('.')
    const others = { ...decodeJwt(token), sub: 'somebody-else' }
    return `${header}.${base64url.encode(JSON.stringify(others))}.${signature ?? claims}`
  },
}
for (const [name, forge] of Object.entries(forged)) {
  test(`A36: an ID token with ${name} signs nobody in`, async (t) => {
    provider.person = somebody()
    provider.forge = forge
    t.after(() => void (provider.forge = (token) => token))
    const one = browser()
    await isRefused(one, await returnAddress(one))
    assert.equal(visits, 0, 'the shop followed the address in a token')
  })
}

test('A36: the same token as the provider signed it signs in, so each of these is refused for what was forged', async () => {
  provider.person = somebody()
  const one = browser()
  await one.signIn()
  assert.ok((await one.session()).user)
  const { kid, ...key } = await publicKey()
  assert.ok(kid && key.n && (await publicPem()).startsWith('-----BEGIN PUBLIC KEY-----'))
  assert.equal((await fetch(trapUrl)).status, 200)
  assert.equal(visits--, 1)
})

const now = () => Math.floor(Date.now() / 1000)
const wrongClaims: Record<string, Record<string, unknown>> = {
  'of another issuer': { iss: 'https://evil.example' },
  'of another realm': { iss: `${provider.url}/realms/b2b` },
  'for another client': { aud: 'another-shop' },
  'for two clients, issued to the other': { aud: ['purlin-shop', 'another-shop'], azp: 'another-shop' },
  'for two clients, issued to nobody named': { aud: ['purlin-shop', 'another-shop'], azp: undefined },
  'for this client, issued to another': { azp: 'another-shop' },
  'issued in the future': { iat: now() + 600, exp: now() + 900 },
  'not valid yet': { nbf: now() + 600 },
  'that has expired': { exp: now() - 120 },
  'with another nonce': { nonce: 'x' },
  'without a nonce': { nonce: undefined },
  'without a subject': { sub: undefined },
}
for (const [name, wrong] of Object.entries(wrongClaims)) {
  test(`A36: an ID token ${name} signs nobody in`, async (t) => {
    provider.person = somebody()
    provider.tamper = (claims) => ({ ...claims, ...wrong })
    t.after(() => void (provider.tamper = (claims) => claims))
    const one = browser()
    await isRefused(one, await returnAddress(one))
  })
}

for (const [what, claim, seconds, isAccepted] of [
  ['that expired 29 seconds ago', 'exp', -29, true],
  ['that expired 31 seconds ago', 'exp', -31, false],
  ['issued 30 seconds from now', 'iat', 30, true],
  ['issued 31 seconds from now', 'iat', 31, false],
] as const)
  test(`A36: an ID token ${what} ${isAccepted ? 'is within the tolerance' : 'signs nobody in'}`, async (t) => {
    provider.person = somebody()
    const one = browser()
    const address = await returnAddress(one)
    // The clock stands still: a busy machine would make it a second more.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    provider.tamper = (claims) => ({ ...claims, [claim]: now() + seconds })
    t.after(() => void (provider.tamper = (claims) => claims))
    if (!isAccepted) return isRefused(one, address)
    await follow(one, address)
    assert.ok((await one.session()).user)
  })

test('A36: a token for two clients, issued to this one, signs in', async (t) => {
  provider.person = somebody()
  provider.tamper = (claims) => ({ ...claims, aud: ['purlin-shop', 'another-shop'], azp: 'purlin-shop' })
  t.after(() => void (provider.tamper = (claims) => claims))
  const one = browser()
  await one.signIn()
  assert.ok((await one.session()).user)
})
