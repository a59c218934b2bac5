import assert from 'node:assert/strict'
import { test } from 'node:test'
import { department } from '../testing/goods.ts'
import { pageOf, textOf } from '../testing/shop.ts'

const leaf = { ...department(9, 'leaf'), name: 'Hammer drills', url: '/hammer-drills-9', children: [] }

test('R-152 R-267 /sitemap links to every department, category and subcategory, and to the service pages', async () => {
  const tools = {
    ...department(1, 'tools'),
    children: [{ ...department(8, 'drills'), name: 'Drills', url: '/drills-8', children: [leaf] }],
  }
  const { status, body } = await pageOf({ categoryTree: [tools, { ...department(2, 'garden'), children: [] }] }, '/sitemap')
  assert.equal(status, 200)
  const main = /<main[\s\S]*<\/main>/.exec(body)![0]
  for (const url of ['/drills-8', '/hammer-drills-9', '/brands', '/help', '/contact', '/cgu', '/withdrawal', '/legals', '/data-protection'])
    assert.ok(main.includes(`href="${url}"`), url)
  assert.match(textOf(main), /Department tools[\s\S]*Hammer drills[\s\S]*Department garden/)
  assert.doesNotMatch(body, /noindex/)
})
