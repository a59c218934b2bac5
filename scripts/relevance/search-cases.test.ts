import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Language } from '@purlin/search'
import { judge, type JudgedQuery, type Judgement, type Wanted } from './judge.ts'
import { shopInMemory } from './shop-in-memory.ts'

const languages: Record<string, Language> = { English: 'en', French: 'fr', German: 'de', Spanish: 'es', Italian: 'it' }

/** The tables of docs/search-cases.md. */
function readCases(): JudgedQuery[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/search-cases.md'), 'utf8')
  return text
    .split('\n## ')
    .slice(1)
    .flatMap((section) => {
      const language = languages[section.split(',', 1)[0] ?? '']
      assert.ok(language, `unknown language: ${section.slice(0, 20)}`)
      return [...section.matchAll(/^\| (?!query )(.+?) \| (.+?) \| (.*?) ?\|$/gm)].map(
        ([, query = '', families = '', conditions = '']) => ({
          language,
          kind: 'case',
          query,
          family: families.replaceAll(' ', ''),
          attributes: conditions.trim() === '' ? null : Object.fromEntries(conditions.split(', ').map(readCondition)),
        }),
      )
    })
}

function readCondition(text: string): [string, Wanted] {
  const [, key = '', operator, value = ''] = /^([a-z_]+)(!=|=|<)(.+)$/.exec(text.trim()) ?? []
  const wanted = /^[\d.]+$/.test(value) ? Number(value) : value
  if (operator === '<') return [key, { max: Number(value) }]
  return [key, operator === '!=' ? { not: wanted } : wanted]
}

const shop = await shopInMemory(3_000)
after(() => shop.close())

test('V-83 of 300 queries in five languages, 97 in 100 show the right goods first', async () => {
  const cases = readCases()
  assert.ok(cases.length >= 300, `${cases.length} cases`)
  const judged: Judgement[] = []
  for (const one of cases) judged.push(await judge(shop, one))
  const wrong = judged.filter(({ areFirstThreeRight }) => !areFirstThreeRight)
  const told = wrong.map(({ query, first }) => `${query.language} "${query.query}": ${first.join('; ') || 'nothing'}`)
  assert.ok(wrong.length <= cases.length * 0.03, `${wrong.length} of ${cases.length} are wrong:\n${told.join('\n')}`)
})

test('V-83 the last letter typed never changes the family: "cordless dri", "dril" and "drill" suggest drills', async () => {
  for (const typed of ['cordless dri', 'cordless dril', 'cordless drill', 'dri', 'dril', 'drill']) {
    const { products } = await shop.suggest('gb', typed)
    const families = products.map(({ productId }) => shop.productOf(productId).family.key)
    assert.ok(families.length > 0 && /drill|hammer|impact/.test(families[0] ?? ''), `${typed}: ${families.join()}`)
  }
})
