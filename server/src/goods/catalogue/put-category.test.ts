import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase, useSettings, type TestDatabase } from '#platform/testing'
import { testGateway, type TestGateway } from '../../edges/gateway/testing.ts'

let database: TestDatabase
let gateway: TestGateway
before(async () => {
  useSettings({ OPERATOR_API_KEY: 'operator-key' })
  database = await testDatabase()
  gateway = await testGateway(database.pool)
})
after(async () => {
  await gateway.close()
  useSettings()
})

const inFive = (text: string) => ({ en: text, fr: text, de: text, es: text, it: text })
const tools = { parentId: null, position: 1, department: 'tools', names: inFive('Tools'), slugs: inFive('tools') }
const put = (id: number | string, body: object, key = 'operator-key') =>
  fetch(`${gateway.url}/api/v1/operator/categories/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const tree = async () => {
  const { body } = await gateway.post('{ categoryTree { id name url children { id name } } }')
  const answer: { data: unknown } = body
  return answer.data
}

test('V-52 the first category of an empty shop is created by an operator and appears in the menu', async () => {
  assert.deepEqual(await tree(), { categoryTree: [] })
  assert.equal((await put(1, tools)).status, 204)
  assert.equal((await put(2, { ...tools, parentId: 1, names: inFive('Drills'), slugs: inFive('drills') })).status, 204)
  assert.deepEqual(await tree(), { categoryTree: [{ id: 1, name: 'Tools', url: '/tools-1', children: [{ id: 2, name: 'Drills' }] }] })
  assert.deepEqual((await database.events()).at(-1), { type: 'category.changed', payload: { categoryId: 2 } })
})

test('a category can be renamed and stays in place', async () => {
  assert.equal((await put(2, { ...tools, parentId: 1, names: inFive('Power drills'), slugs: inFive('drills') })).status, 204)
  assert.equal((await put(2, { ...tools, parentId: null })).status, 409)
  assert.equal((await put(3, { ...tools, parentId: 99 })).status, 409)
  const { rows } = await database.pool.query('select id, level, path, names ->> $1 as name from catalogue.category order by id', ['en'])
  assert.deepEqual(rows, [
    { id: 1, level: 0, path: [1], name: 'Tools' },
    { id: 2, level: 1, path: [1, 2], name: 'Power drills' },
  ])
})

const wrong: [what: string, status: number, id: string, body: object, key?: string][] = [
  ['without the key', 401, '4', tools, 'guessed'],
  ['without a language', 400, '4', { ...tools, names: { en: 'Tools' } }],
  ['with a slug that is no address', 400, '4', { ...tools, slugs: inFive('../Tools') }],
  ['with an unknown field', 400, '4', { ...tools, path: [1] }],
  ['with an id that is none', 404, '0', tools],
  ['with a parent beyond any number of a category', 400, '4', { ...tools, parentId: 3_000_000_000 }],
  ['with a name that no text can be', 400, '4', { ...tools, names: inFive('Drills\u0000') }],
  ['with half of a sign in a name', 400, '4', { ...tools, names: inFive('Drills\ud800') }],
]
for (const [what, status, id, body, key] of wrong)
  test(`a category ${what} is refused`, async () => {
    assert.equal((await put(id, body, key)).status, status)
  })
