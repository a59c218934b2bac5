import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShopPage } from '../shell/context.ts'
import { pageFiles } from '../testing/shop.ts'
import { testStorefront } from './testing.ts'

const file = './category/category-page.tsx'
const { server, storefront } = await testStorefront({
  pages: {
    [file]: {
      load: async ({ pathname, params }: { pathname: string; params: Record<string, string> }) => ({
        data: { pathname, id: params['id'] },
        title: 'Drills',
      }),
      Page: ({ data }: { data: { pathname: string } }) => `at ${data.pathname}`,
    } as unknown as ShopPage,
  },
})
assert.ok(pageFiles[file], 'the page has moved')

test('V-16 an encoded spelling of an address is redirected to the plain one before anything is cached', async () => {
  for (const [spelling, plain] of [
    ['/%64rills-11', '/drills-11'],
    ['/dr%69lls-1%31?page=2', '/drills-11?page=2'],
    ['/dr%c3%bclls-11', '/dr%C3%BClls-11'],
  ] as const) {
    const { status, headers } = await server.ask(spelling)
    assert.deepEqual([status, headers.location], [308, plain], spelling)
  }
})

test('V-16 A50 the cached page shows the plain address, whoever asked first', async () => {
  storefront.purge(null)
  for (const path of ['/%64rills-11', '/drills-11', '/drills-11', '/%64rills-11', '/drills-11']) await server.ask(path)
  assert.match((await server.ask('/drills-11')).body, /at \/drills-11/)
})

test('V-16 A33 an address with a backslash is unknown, and no redirect repeats it', async () => {
  for (const path of ['/\\evil.com-1/', '/\\evil.com-1', '/drills\\..-11/', '//\\evil.com-1/']) {
    const { status, headers } = await server.ask(path)
    assert.deepEqual([status, headers.location], [404, undefined], path)
  }
})
