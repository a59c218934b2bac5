import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Language } from '../search/src/index.ts'
import { judge, marketOf, type JudgedQuery, type Judgement } from './relevance/judge.ts'
import { shopInMemory } from './relevance/shop-in-memory.ts'

/**
 * Search quality: `npm run relevance -- FILE [--count 5000] [--misses]`. FILE contains queries as [language, kind, query,
 * families, attributes or null]. They are asked of the demo shop's own search, with its documents, settings and synonyms;
 * prints one JSON line per language and kind, and one for all.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '5000' }, misses: { type: 'boolean', default: false } },
})
const [file] = positionals
if (!file) {
  process.stderr.write('npm run relevance -- FILE\n')
  process.exit(2)
}

const rows = (JSON.parse(readFileSync(file, 'utf8')) as { queries: [Language, string, string, string, JudgedQuery['attributes']][] })
  .queries
const queries = rows.map(([language, kind, query, family, attributes]): JudgedQuery => ({ language, kind, query, family, attributes }))
const shop = await shopInMemory(Number(values.count), [...new Set(queries.map(({ language }) => marketOf[language]))])
const judged: Judgement[] = []
for (const query of queries) judged.push(await judge(shop, query))
await shop.close()

const share = (of: readonly Judgement[], value: (one: Judgement) => number): number =>
  Math.round((of.reduce((sum, one) => sum + value(one), 0) / of.length) * 1_000) / 1_000

function print(language: string, kind: string, of: readonly Judgement[]): void {
  const figures = {
    p10: share(of, ({ p10 }) => p10),
    p1: share(of, ({ isFirstRight }) => Number(isFirstRight)),
    firstThree: share(of, ({ areFirstThreeRight }) => Number(areFirstThreeRight)),
    zero: share(of, ({ total }) => Number(total === 0)),
  }
  process.stdout.write(`${JSON.stringify({ language, kind, ...figures, queries: of.length })}\n`)
}

for (const [, of] of Map.groupBy(judged, ({ query: { language, kind } }) => `${language} ${kind}`))
  print(of[0]!.query.language, of[0]!.query.kind, of)
for (const [kind, of] of Map.groupBy(judged, ({ query }) => query.kind)) print('all', kind, of)
print('all', 'all', judged)
if (values.misses) for (const one of judged) if (one.p10 < 1 || !one.isFirstRight) process.stderr.write(`${JSON.stringify(one)}\n`)
