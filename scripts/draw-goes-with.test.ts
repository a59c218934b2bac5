import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { drawGoesWith } from './draw-goes-with.ts'

test('the hundred pairs of docs/goes-with.md are those that the shop draws, and at least 95 were judged right', () => {
  const text = readFileSync(new URL('../docs/goes-with.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (\d+) \| (.*) \| (.*) \| (yes|no: .+) \|$/gm)].map(([, ...cells]) => cells)
  const { having, of, kinds, pairs } = drawGoesWith()
  assert.deepEqual(
    rows.map((cells) => cells.slice(0, 3)),
    pairs.map(({ product, accessory }, at) => [String(at + 1), product.title, accessory.title]),
    'the rules or the goods have changed: judge a new draw',
  )
  assert.equal(rows.length, 100)
  const right = rows.filter(([, , , judged]) => judged === 'yes').length
  assert.ok(right >= 95, `${right} right`)
  const said = (count: number) => count.toLocaleString('en')
  assert.ok(text.includes(`**${right} of 100 are right.**`))
  assert.ok(text.includes(`${said(having)} of ${said(of)} products have such accessories.`))
  assert.ok(text.includes(`the ${kinds} kinds of pairs`))
})
