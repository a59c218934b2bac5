import assert from 'node:assert/strict'
import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { backChannelFetch } from './back-channel.ts'
import { fakeProvider } from './test-provider.ts'
import { gb, testBrowser, type TestBrowser } from './testing.ts'

/** Attacks on sessions and sign-in. */

export const provider = await fakeProvider()
useSettings(provider.settings)
export const database = await testDatabase()
export const gateway = await testGateway(database.pool)
export const browser = () => testBrowser(gateway)
export const origin = `http://${gb}`
export const page = new URL(origin)

export const hostile = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/%2fevil.example',
  '%2f%2fevil.example',
  '/%5cevil.example',
  '/%09/evil.example',
  'https:evil.example',
  'https:/evil.example',
  'https://evil.example/',
  'http://gb.localhost:3000@evil.example/',
  'http://gb.localhost:3000.evil.example/',
  'http://evil.example\\@gb.localhost:3000/',
  '@evil.example',
  '/cart\r\nSet-Cookie: evil=1',
  '/cart%0d%0aSet-Cookie: evil=1',
  'http://fr.localhost:3000/',
  'http://pro.gb.localhost:3000/',
  'http://gb.localhost:4000/',
  '/api/v1/logout',
  '/%61pi/v1/logout',
  '/./api/v1/logout',
  '/x/../api/auth/signout',
  '/%2e/api/auth/signin',
  '/x/%2e%2e/api/v1/logout',
  '/x/..%2fapi/v1/logout',
  '/./%2fapi/v1/logout',
  '/.//api/v1/logout',
  `/${'a'.repeat(3000)}`,
  '/%',
  '/%E0%A4%A',
]

/** Goes to the provider and back, up to but not through the callback. */
export async function returnAddress(one: TestBrowser, query = ''): Promise<URL> {
  const { location } = await one.ask(`/api/auth/pre-login${query}`)
  const back = await backChannelFetch(location, { method: 'GET', headers: {} })
  return new URL(back.headers.get('location') ?? '')
}
export const follow = (one: TestBrowser, url: URL, host = gb) => one.ask(url.pathname + url.search, { host })
export async function isRefused(one: TestBrowser, url: URL, host = gb) {
  const { location } = await follow(one, url, host)
  assert.match(location, /\/login\?.*error=OAuthCallback|\/auth\/error-page/)
  assert.deepEqual(await one.session(host), {})
}
