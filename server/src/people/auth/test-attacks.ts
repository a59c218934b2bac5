import { testDatabase } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { useSettings } from '../../foundation/platform/settings.ts'
import { fakeProvider } from './test-provider.ts'
import { gb, testBrowser } from './testing.ts'

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
