/** Hostile requests from a seed: the same seed sends the same requests. */

export interface HostileRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer
}

type Random = () => number

/** A small generator of uniform numbers in [0, 1), from a seed. */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!

const strangeTexts = [
  '',
  ' ',
  '\u0000',
  '\u202e',
  '\ufeff',
  '👩‍🔧🔨',
  'ﬃ',
  'İ',
  'ẞ',
  '\ud800',
  'a'.repeat(600),
  'é'.repeat(300),
  '%',
  '%%',
  '%zz',
  '../..',
  '__proto__',
  'constructor',
  'toString',
  '"',
  "'",
  '\\',
  '<em>',
  '</script>',
  '18v',
  '4x40',
  '-',
  '- -',
  '*',
  '(',
  ')',
  'AND',
  'OR',
  'NOT',
  'NOT NOT',
  '1e309',
  'NaN',
  '9'.repeat(400),
  "d'aujourd'hui",
  'x y '.repeat(120),
]
const strangeValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e309,
  -0,
  2 ** 31,
  2 ** 53 + 1,
  '',
  'x',
  [],
  {},
  [[]],
  [[[]]],
  [null],
  [{}],
  [1, 2],
  ['a:b', ['c:d', 'e']],
  { a: { b: { c: 1 } } },
  'true',
  '[',
  '["a"',
  '"',
  Array(3000).fill('brand:x'),
]
const names = [
  'query',
  'page',
  'hitsPerPage',
  'offset',
  'length',
  'filters',
  'facetFilters',
  'numericFilters',
  'optionalFilters',
  'facets',
  'maxValuesPerFacet',
  'sortFacetValuesBy',
  'attributesToRetrieve',
  'attributesToHighlight',
  'highlightPreTag',
  'distinct',
  'ruleContexts',
  'clickAnalytics',
  'userToken',
  'typoTolerance',
  'queryType',
  'removeWordsIfNoResults',
  'getRankingInfo',
  'params',
  '__proto__',
  'constructor',
  'nonsense',
  'facetQuery',
  'cursor',
]
const filterPieces = [
  'brand:Tarvok',
  'price > 20',
  'price<',
  'price >= 1e400',
  'colour:"re d"',
  "colour:'x",
  '(',
  ')',
  ' AND ',
  ' OR ',
  ' NOT ',
  'price:1 TO 5',
  'price:5 TO 1',
  'price:a TO b',
  ':',
  '::',
  'brand:',
  ':x',
  '-brand:x',
  'nowhere:1',
  '<score=5>',
  '"',
  '\\"',
  'inStock:true',
  'objectID:0-0-0',
  '\u0000',
]

function filterText(random: Random): string {
  const deep = random() < 0.05
  if (deep) {
    const depth = Math.floor(random() * 5_000)
    return '('.repeat(depth) + 'brand:x' + ')'.repeat(random() < 0.5 ? depth : Math.floor(random() * depth))
  }
  if (random() < 0.05)
    return Array(Math.floor(random() * 900))
      .fill('brand:a')
      .join(pick(random, [' OR ', ' AND ', ' ']))
  return Array.from({ length: Math.floor(random() * 12) }, () => pick(random, filterPieces)).join(random() < 0.5 ? '' : ' ')
}

function value(random: Random, name: string): unknown {
  if (random() < 0.35) return pick(random, strangeValues)
  if (name === 'filters') return filterText(random)
  if (name.endsWith('Filters')) {
    return Array.from({ length: Math.floor(random() * 6) }, () =>
      random() < 0.5 ? pick(random, filterPieces) : [pick(random, filterPieces), pick(random, filterPieces)],
    )
  }
  if (name === 'params')
    return `query=${pick(random, strangeTexts)}&facets=${pick(random, ['brand', '["brand"]', '[', '{}'])}&page=${pick(random, ['0', '-1', 'x'])}`
  return random() < 0.7 ? pick(random, strangeTexts) : Math.floor(random() * 2_000)
}

function parameters(random: Random): Record<string, unknown> {
  const out: [string, unknown][] = Array.from({ length: Math.floor(random() * 6) }, () => {
    const name = pick(random, names)
    return [name, value(random, name)]
  })
  return Object.fromEntries(out)
}

const paths = [
  '/1/indexes/goods/query',
  '/1/indexes/*/queries',
  '/1/indexes/goods/facets/brand/query',
  '/1/indexes/goods/facets/nowhere/query',
  '/1/indexes/goods/browse',
  '/1/indexes/*/objects',
  '/1/events',
  '/1/indexes',
  '/1/indexes/nowhere/query',
  '/1/indexes/goods_price_asc/query',
  '/1/indexes/%00/query',
  '/1/indexes/%zz/query',
  '/1/indexes/..%2f..%2fetc/query',
  '/1/indexes/__proto__/query',
  '/1/',
  '/',
  '/2/indexes',
  '/1/indexes/goods/settings',
  '/1/indexes/goods/synonyms/search',
  '/1/indexes/goods/rules/batch',
  '/1/indexes/goods/batch',
  `/1/indexes/${'x'.repeat(3_000)}/query`,
]

function body(random: Random, path: string): string | Buffer {
  const kind = random()
  if (kind < 0.04)
    return pick(random, [
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1',
      '{"a":}',
      '\u0000',
      '{"__proto__":{"x":1}}',
      '['.repeat(20_000),
      '{"a":'.repeat(20_000),
    ])
  if (kind < 0.06) return Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)))
  if (path.endsWith('/queries')) {
    const requests = Array.from({ length: Math.floor(random() * (random() < 0.02 ? 80 : 4)) }, () => ({
      indexName: pick(random, ['goods', 'goods', 'advice', 'nowhere', '', '__proto__']),
      ...(random() < 0.2 && { type: pick(random, ['facet', 'default', 'x', 1]), facet: pick(random, ['brand', 'nowhere', 1]) }),
      ...parameters(random),
    }))
    return JSON.stringify({ requests: random() < 0.03 ? pick(random, strangeValues) : requests })
  }
  if (path.endsWith('/objects'))
    return JSON.stringify({
      requests: [{ indexName: pick(random, ['goods', 'nowhere']), objectID: pick(random, ['0-0-0', 'x', 1, null]) }],
    })
  if (path.endsWith('/events'))
    return JSON.stringify({
      events: [{ eventType: pick(random, ['click', 'x', 1]), eventName: 'e', index: 'goods', userToken: pick(random, strangeTexts) }],
    })
  if (path.endsWith('/batch'))
    return JSON.stringify({
      requests: [{ action: pick(random, ['addObject', 'deleteObject', 'x', null]), body: pick(random, strangeValues) }],
    })
  return JSON.stringify(parameters(random))
}

export function hostileRequest(random: Random): HostileRequest {
  const path = pick(random, random() < 0.7 ? paths.slice(0, 4) : paths)
  const method = random() < 0.92 ? 'POST' : pick(random, ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD'])
  const key =
    random() < 0.93
      ? 'conformance-search'
      : pick(random, [
          '',
          'x',
          'conformance-admin'.slice(0, 9),
          'A'.repeat(5_000),
          Buffer.from('0'.repeat(64) + 'filters=x').toString('base64'),
        ])
  return {
    method,
    path,
    headers: {
      'content-type': pick(random, ['text/plain', 'application/json', 'application/x-www-form-urlencoded']),
      'x-algolia-api-key': key,
      'x-algolia-application-id': 'purlin',
    },
    body: method === 'GET' || method === 'HEAD' ? '' : body(random, path),
  }
}
