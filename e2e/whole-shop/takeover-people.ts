import assert from 'node:assert/strict'
import { after } from 'node:test'
import { testGateway } from '@purlin/server/edges/gateway/testing.ts'
import { testDatabase, useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { gb, testBrowser as shopBrowser, type Reply } from '@purlin/server/people/auth/testing.ts'
import { addOffer, fillShop } from '@purlin/server/selling/checkout/testing.ts'
import { mailsTo, startTestIdentity, testBrowser as identityBrowser } from '@purlin/services/identity-provider/testing.ts'

export const database = await testDatabase()
const people = ['vera', 'owner', 'undo', 'link', 'reset', 'twice', 'mallory', 'eve', 'trudy', 'rita', 'dora', 'milo', 'nora'].map(
  (name, index) => ({
    realms: ['b2c', 'unified'] as const,
    sub: `0199c0de-0000-7000-8000-0000000007${10 + index}`,
    email: `${name}@example.com`,
    password: `${name} owns seven kettles`,
    givenName: name,
    familyName: 'Example',
    locale: 'en-GB',
  }),
)
export const identity = await startTestIdentity({ people }, database)
// The embedded provider listens two ports after the shop's.
useSettings({
  PORT: String(identity.server.port - 2),
  IDENTITY_ORIGIN: 'http://id.localhost:3002',
  IDENTITY_CLIENT_SECRET: 'secret-of-the-tests',
})
await fillShop(database)
await addOffer(database, { id: '701' })
const gateway = await testGateway(database.pool)
after(async () => {
  await gateway.close()
  await identity.server.close()
})

export type Page = Awaited<ReturnType<ReturnType<typeof identityBrowser>['follow']>>
export type Account = Record<'email' | 'password', string>
export const account = (name: string): Account => ({ email: `${name}@example.com`, password: `${name} owns seven kettles` })

/** A browser that visits the shop and the identity provider. */
export function somebodysBrowser() {
  const shop = shopBrowser(gateway)
  const provider = identityBrowser(identity)
  const begin = async (path: string, host: string) => provider.follow((await shop.ask(path, { host })).location)
  return {
    shop,
    provider,
    /** The provider's sign-in page, or the page behind it. */
    begin: (step = '', host = gb) =>
      begin('/api/auth/pre-login?callbackUrl=/cart', host).then((page) => (step ? provider.follow(`${page.address}/${step}`) : page)),
    registerPage: (email = '', host = gb) => begin(`/api/v1/register?${new URLSearchParams({ email, callbackUrl: '/cart' })}`, host),
    /** Back from the provider to the shop. */
    async return({ address, status, html }: Page): Promise<Reply> {
      const url = new URL(address)
      assert.match(url.pathname, /\/callback\//, `${status} ${html.slice(0, 500)}`)
      return shop.ask(url.pathname + url.search, { host: url.host })
    },
    async signIn({ email, password }: Account, host = gb): Promise<void> {
      await this.return(await provider.send(await this.begin('', host), { email, password }))
    },
    /** Whether a password opens the account: the provider's answer, before any return to the shop. */
    opens: async ({ email, password }: Account, host = gb) => {
      const page = await provider.send(await begin('/api/auth/pre-login?callbackUrl=/cart', host), { email, password })
      return page.address.includes('code=')
    },
    email: async (host = gb) => (await shop.session(host)).user?.email,
    id: async (host = gb) => (await shop.session(host)).user?.id,
    async data<Data>(query: string, host = gb): Promise<Data> {
      const { data, errors } = await shop.graphql<Data>(query, host)
      assert.ok(data, JSON.stringify(errors))
      return data
    },
  }
}
export type Browser = ReturnType<typeof somebodysBrowser>

export async function signedIn(name: string): Promise<Browser> {
  const browser = somebodysBrowser()
  await browser.signIn(account(name))
  assert.equal(await browser.email(), account(name).email)
  return browser
}
export const linkTo = async (email: string, template: string) =>
  (await mailsTo(identity, email)).findLast((mail) => mail.template === template)?.link ?? ''
export const registration = { given_name: 'Vic', family_name: 'Tim' }
export const thief = 'attackers own words'

/** Registers an address that is not theirs; returns the link in the mail to its owner. */
export async function registersForeign(attacker: Browser, email: string): Promise<string> {
  const page = await attacker.registerPage(email)
  await attacker.provider.send(page, { ...registration, email, password: thief })
  return linkTo(email, 'confirm-address')
}
export async function confirms(owner: Browser, link: string, password: string): Promise<void> {
  const done = await owner.provider.send(await owner.provider.follow(link), { ...registration, password })
  assert.equal(done.status, 200)
}
