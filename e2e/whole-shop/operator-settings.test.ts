/** What an operator sets in the platform config, through the operators' API, and what visitors' pages then show. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Market, Mode } from '@purlin/contract/markets.ts'
import { asCommand } from '@purlin/server/foundation/platform/index.ts'
import { useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { publishFiles, readEntryFiles } from '@purlin/server/goods/content/index.ts'
import { shopWithVisitors } from './visitors.ts'

const shop = await shopWithVisitors()
useSettings({ ...shop.provider.settings, OPERATOR_API_KEY: 'an-operator-key-of-thirty-two-bytes' })
after(() => shop.close())
const { entries } = readEntryFiles(join(import.meta.dirname, '../../demo/content'))
await asCommand(shop.database.pool, ({ db }) => publishFiles({ db, now: new Date() }, entries))

const hostOf = (market: Market, mode: Mode) => `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost:3000`
async function get(market: Market, mode: Mode, path: string): Promise<string> {
  const { status, body } = await shop.ask('anonymous', mode, path, { host: hostOf(market, mode) })
  assert.equal(status, 200, path)
  return body
}
const versions = new Map<string, number>()
async function set(key: string, place: string, value: object | null): Promise<void> {
  const name = `${place}/${key}`
  const replaces = versions.get(name) ?? 0
  const answer = await fetch(`${shop.gateway.url}/api/v1/operator/platform-config/${name}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer an-operator-key-of-thirty-two-bytes', 'content-type': 'application/json' },
    body: JSON.stringify({ value, replaces }),
  })
  assert.equal(answer.status, 200, await answer.text())
  versions.set(name, replaces + 1)
  shop.forgetPages()
}

const linksTo = (body: string, market: Market, mode: Mode) =>
  [...body.matchAll(/<a\b[^>]*\bhref="(http:\/\/[^"]+)"/g)]
    .map(([, href = '']) => new URL(href))
    .filter(({ hostname }) => hostname === hostOf(market, mode).split(':')[0]).length

const [tradePage = ''] = /\/pro\/trade\/[\w-]+/.exec(await get('gb', 'b2c', '/pro')) ?? []
const placesWithLinks = [
  ['b2c', '/'],
  ['b2c', '/cart'],
  ['b2c', '/login'],
  ['b2c', '/pro'],
  ['b2c', tradePage],
  ['b2b', '/cart'],
  ['b2b', '/login'],
] as const

test('R-408 b2b keeps the storefronts of a market apart: no page links to the other one, until the operator links them again', async () => {
  const other = (mode: Mode): Mode => (mode === 'b2b' ? 'b2c' : 'b2b')
  const links = async (market: Market) =>
    Promise.all(
      placesWithLinks.map(async ([mode, path]) => {
        const found = linksTo(await get(market, mode, path), market, other(mode))
        return `${mode} ${path} ${found > 0 ? 'links' : 'is apart'}`
      }),
    )
  const all = (what: string) => placesWithLinks.map(([mode, path]) => `${mode} ${path} ${what}`)
  assert.deepEqual(await links('gb'), all('links'), 'as long as the operator has said nothing')
  await set('b2b', 'gb/*', { isLinked: false })
  assert.deepEqual(await links('gb'), all('is apart'))
  await set('b2b', 'gb/*', { isLinked: true })
  assert.deepEqual(await links('gb'), all('links'))
  await set('b2b', 'gb/*', { isLinked: false })
  await set('b2b', 'gb/*', null)
  assert.deepEqual(await links('gb'), all('links'))
})

test('R-408 the other markets stay linked', async () => {
  await set('b2b', 'gb/*', { isLinked: false })
  assert.ok(linksTo(await get('fr', 'b2c', '/cart'), 'fr', 'b2b') > 0)
  await set('b2b', 'gb/*', null)
})

test('R-410 main-price: pages of one storefront alone are marked so that their prices show the main one alone', async () => {
  const marked = async () => {
    const found = await Promise.all(
      (
        [
          ['fr', 'b2b'],
          ['fr', 'b2c'],
          ['de', 'b2b'],
        ] as const
      ).map(async ([market, mode]) => ((await get(market, mode, '/')).includes('data-main-price="alone"') ? `${market} ${mode}` : null)),
    )
    return found.filter((place) => place !== null)
  }
  assert.deepEqual(await marked(), [])
  await set('main-price', 'fr/b2b', { withSecondary: false })
  assert.deepEqual(await marked(), ['fr b2b'])
  await set('main-price', 'fr/b2b', { withSecondary: true })
  assert.deepEqual(await marked(), [])
})
