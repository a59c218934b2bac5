import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { brands } from './brands.ts'
import { categories, leaves, solarCategoryId } from './categories.ts'
import { advice, facets, families, valueText, vocabulary } from './grammar.ts'
import { demoShop, demoSlice } from './index.ts'
import { demoMarkets, languages, slugOf } from './languages.ts'
import { offersOf } from './offers.ts'
import { dayOf, operationsOf } from './operations.ts'
import { product } from './product.ts'
import { sellers } from './sellers.ts'
import { vatRules } from './vat-rules.ts'

const now = new Date('2026-11-21T10:00:00Z')
const setting = { seed: 42, day: dayOf(now), operations: operationsOf(now) }
const fiveThousand = Array.from({ length: 5000 }, (_, index) => product(42, index))

test('the same seed makes the same shop, another seed another one', () => {
  assert.deepEqual(demoSlice({ seed: 7, now }), demoSlice({ seed: 7, now }))
  assert.notDeepEqual(demoSlice({ seed: 7, now }).get('catalogue.product'), demoSlice({ seed: 8, now }).get('catalogue.product'))
})

test('a larger shop begins like a smaller one, and any slice can be generated alone', () => {
  const small = [...demoShop({ products: 40, now }).products()]
  const large = [...demoShop({ products: 90, now }).products()]
  assert.deepEqual(large.slice(0, 40), small)
  assert.deepEqual([...demoShop({ products: 90, from: 70, now }).products()], large.slice(70))
})

test('there are at least 18 departments and 250 categories on four levels, with names in five languages', () => {
  assert.ok(categories.filter(({ level }) => level === 0).length >= 18)
  assert.ok(categories.length >= 250)
  assert.deepEqual([...new Set(categories.map(({ level }) => level))].toSorted(), [0, 1, 2, 3])
  for (const { id, names, slugs, texts, path, level } of categories) {
    assert.equal(path.length, level + 1)
    assert.equal(path.at(-1), id)
    for (const language of languages) {
      assert.ok(names[language].trim().length > 1, `${id} ${language}`)
      assert.match(slugs[language], /^[a-z0-9]+(-[a-z0-9]+)*$/, `${id} ${language}`)
      assert.ok(texts[language].includes(names[language]))
    }
  }
  assert.equal(new Set(categories.map(({ id }) => id)).size, categories.length)
})

test('a category’s name differs from its siblings’ in every language', () => {
  for (const language of languages) {
    const seen = new Set<string>()
    for (const { parent, names } of categories) {
      const key = `${parent} ${names[language]}`
      assert.ok(!seen.has(key), `${language}: ${names[language]} twice`)
      seen.add(key)
    }
  }
})

test('no visible leaf is empty at 5,000 products, in any market', () => {
  const sold = new Map(demoMarkets.map((market) => [market, new Set<number>()]))
  for (const made of fiveThousand) {
    if (made.status !== 'active') continue
    for (const offer of offersOf(made, setting)) {
      if (offer.status === 'active' && offer.stock > 0 && !sellers[offer.sellerId - 1]?.b2b) sold.get(offer.market)?.add(made.leaf.id)
    }
  }
  for (const [market, ids] of sold) for (const leaf of leaves) assert.ok(ids.has(leaf.id), `${leaf.names.en} is empty in ${market}`)
})

test('every family of the grammar has a category, and every category with products is a leaf', () => {
  const used = new Set(leaves.map(({ family }) => family))
  assert.deepEqual(
    [...families.keys()].filter((key) => !used.has(key)),
    [],
  )
  assert.ok(families.size >= 62)
  const parents = new Set(categories.map(({ parent }) => parent))
  for (const category of categories) assert.equal(parents.has(category.id), category.family === undefined, category.names.en)
})

test('products are in the categories that match their attributes', () => {
  for (const { leaf, attributes, family } of fiveThousand) {
    assert.equal(family.key, leaf.family)
    for (const [key, allowed] of Object.entries(leaf.only ?? {})) {
      assert.ok(allowed.includes(attributes[key] as never), `${leaf.names.en}: ${key} is ${attributes[key]}`)
    }
  }
})

test('R-685 category 2257 is photovoltaics, and only de has it at 0 % with the flag hasNoVATForDE', () => {
  const solar = categories.find(({ id }) => id === solarCategoryId)
  assert.equal(solar?.id, 2257)
  assert.equal(solar?.names.de, 'Photovoltaik')
  const rules = vatRules.filter(({ flag, categoryId }) => flag !== null || categoryId === 2257)
  assert.deepEqual(
    rules.map(({ market, categoryId, rateBp, flag }) => ({ market, categoryId, rateBp, flag })),
    [{ market: 'de', categoryId: 2257, rateBp: 0, flag: 'hasNoVATForDE' }],
  )
  assert.ok(fiveThousand.filter(({ leaf }) => leaf.path.includes(2257)).length > 20)
})

test('each market has one standard rate, and reduced rates for plants and fuel where the law provides for them', () => {
  const standard = Object.fromEntries(
    vatRules
      .filter(({ categoryId, validFrom }) => categoryId === null && validFrom <= '2026-01-01')
      .map(({ market, rateBp }) => [market, rateBp]),
  )
  assert.deepEqual(standard, { gb: 2000, fr: 2000, de: 1900, es: 2100, it: 2200 })
  const plants = leaves.find(({ family }) => family === 'hedge_plant')
  const rateOf = (market: string) => vatRules.find((rule) => rule.market === market && plants?.path.includes(rule.categoryId ?? -1))?.rateBp
  assert.deepEqual(demoMarkets.map(rateOf), [undefined, 1000, 700, 1000, 1000])
})

test('every product has a unique, valid EAN in the in-store range', () => {
  for (const { ean } of fiveThousand) {
    assert.match(ean, /^2\d{12}$/)
    // The inverse rule: weighted by 1 and 3, all thirteen digits sum to a multiple of ten.
    assert.equal([...ean].reduce((sum, digit, place) => sum + Number(digit) * (place % 2 ? 3 : 1), 0) % 10, 0)
  }
  assert.equal(new Set(fiveThousand.map(({ ean }) => ean)).size, 5000)
})

test('each family has advice of its own in each language, and its products carry it', () => {
  for (const language of languages) {
    const texts = [...families.keys()].map((key) => advice[key]?.[language] ?? '')
    assert.equal(new Set(texts).size, families.size)
    for (const text of texts) assert.match(text, /^[\p{Lu}\d].{40,260}\.$/u, text)
  }
  for (const { family, descriptions } of fiveThousand.slice(0, 300))
    assert.ok(descriptions.fr.includes(advice[family.key]?.fr ?? '?'), family.key)
})

test('titles, descriptions, slugs and warnings are complete in five languages, without a placeholder left', () => {
  for (const { titles, descriptions, slugs, safety } of fiveThousand) {
    for (const language of languages) {
      assert.ok(titles[language].length > 10 && titles[language].length < 200, titles[language])
      assert.doesNotMatch(titles[language] + descriptions[language], /[{}]|undefined|NaN|null/)
      assert.match(slugs[language], /^[a-z0-9]+(-[a-z0-9]+)*$/)
      assert.ok(safety.warnings[language].length >= 2)
    }
  }
})

test('condition markers are not baked into titles: the condition is a field of the offer', () => {
  for (const { titles } of fiveThousand) for (const language of languages) assert.doesNotMatch(titles[language], /[[\]]/)
})

test('every attribute and word of every product is known in five languages', () => {
  for (const { attributes } of fiveThousand) {
    for (const [key, value] of Object.entries(attributes)) {
      assert.equal(facets.get(key)?.n.filter(Boolean).length, 5, key)
      for (const language of languages) assert.ok(valueText(key, value, language).length > 0)
    }
  }
  for (const [value, word] of vocabulary) assert.equal(word.n.filter(Boolean).length, 5, value)
})

test('every textual value is translated: only names, sizes and classes stay as they are', () => {
  const plain = new Set<string>()
  for (const family of families.values()) {
    for (const list of Object.values(family.attrs))
      for (const value of list) if (typeof value === 'string' && !vocabulary.has(value)) plain.add(value)
  }
  // A word of three or more lower-case letters would be a missing translation.
  assert.deepEqual(
    [...plain].filter((value) => /(^|\s)[a-z]{3,}/.test(value)),
    [],
  )
})

test('a model’s products share brand and category and differ along its axes, without duplicates', () => {
  const models = Map.groupBy(
    fiveThousand.filter(({ model }) => model !== null),
    ({ model }) => model?.id,
  )
  assert.ok(models.size > 500)
  for (const [id, members] of models) {
    const [first] = members
    assert.ok(first?.model?.isFirst, `model ${id} is written with its first product`)
    assert.equal(members.filter(({ model }) => model?.isFirst).length, 1)
    assert.equal(new Set(members.map(({ brand, leaf }) => `${brand.id} ${leaf.id}`)).size, 1)
    const options = members.map(({ attributes, model }) => model?.axes.map((axis) => attributes[axis]).join('|'))
    assert.equal(new Set(options).size, members.length, `model ${id}: ${options.join(' ; ')}`)
    assert.ok(members.length === 1 || (first.model?.axes.length ?? 0) > 0)
  }
})

test('there are 60 brands and 36 sellers of several countries, each text in five languages', () => {
  assert.ok(brands.length >= 60)
  assert.equal(new Set(brands.map(({ slug }) => slug)).size, brands.length)
  assert.equal(sellers.length, 36)
  assert.ok(new Set(sellers.map(({ country }) => country)).size >= 6)
  assert.ok(sellers.some(({ b2b }) => b2b))
  for (const { about, returnTerms, email, name } of sellers) {
    for (const language of languages) {
      assert.ok(about[language].includes(name))
      assert.ok(returnTerms[language].length > 60)
      assert.doesNotMatch(about[language] + returnTerms[language], /undefined/)
    }
    assert.match(email, /^[a-z]+@[a-z0-9-]+\.example$/)
  }
  for (const { texts, name } of brands) for (const language of languages) assert.ok(texts[language].includes(name))
})

test('the special cases of a small shop are among its first 120 products', () => {
  const made = fiveThousand.slice(0, 120)
  const offers = made.flatMap((of) => offersOf(of, setting))
  assert.ok(
    made.some(({ leaf }) => leaf.path.includes(solarCategoryId)),
    'solar',
  )
  assert.ok(
    offers.some(({ isSample }) => isSample),
    'sample',
  )
  assert.ok(
    offers.some(({ bulk }) => bulk !== null),
    'bulk',
  )
  assert.ok(
    offers.some(({ condition }) => condition !== 'new'),
    'second-hand',
  )
  assert.ok(
    offers.some(({ proPrice }) => proPrice !== null),
    'pro price',
  )
  assert.ok(
    offers.some(({ isMmf }) => isMmf),
    'fulfilled by the marketplace',
  )
  assert.ok(
    offers.some(({ couponCode }) => couponCode !== null),
    'coupon',
  )
  assert.ok(
    made.some(({ unit }) => unit !== null),
    'unit price',
  )
  for (const flag of ['eco', 'local_fr', 'battery', 'bulky', 'sample', 'solar', 'top_sale'])
    assert.ok(
      made.some(({ flags }) => flags.includes(flag)),
      flag,
    )
  for (const market of demoMarkets) {
    const bySeller = Map.groupBy(
      offers.filter((offer) => offer.market === market && !offer.isSample),
      ({ productId }) => productId,
    )
    assert.ok(
      [...bySeller.values()].some((list) => new Set(list.map(({ sellerId }) => sellerId)).size >= 2),
      `two sellers in ${market}`,
    )
  }
})

test('new families have a picture description until they are drawn', () => {
  const extra = JSON.parse(readFileSync(new URL('../data/extra-families.json', import.meta.url), 'utf8')) as {
    key: string
    drawAs?: string
    shape?: string
  }[]
  for (const { key, drawAs, shape } of extra) {
    assert.ok(shape && shape.length > 8, key)
    assert.ok(drawAs === undefined || families.has(drawAs), key)
  }
})

test('a slug has no accents, and German umlauts are transliterated', () => {
  assert.equal(slugOf('Peinture façade – 2,5 L', 'fr'), 'peinture-facade-2-5-l')
  assert.equal(slugOf('Küchenarmatur für Spülen, weiß Ø 20', 'de'), 'kuechenarmatur-fuer-spuelen-weiss-d-20')
  assert.ok(slugOf('wort '.repeat(60), 'de').length <= 80)
})

test('V-28 a title begins with brand, model and its two distinguishing values, in every language', () => {
  const drill = fiveThousand.find(({ family }) => family.key === 'cordless_drill')
  assert.ok(drill)
  assert.match(drill.titles.en, /^\w+ [\w ]+, \d+ V \d+ Nm – Cordless combi drill, /)
  for (const { titles, brand } of fiveThousand) {
    for (const language of languages) {
      assert.ok(titles[language].startsWith(`${brand.name} `), titles[language])
      // Three lines of a card.
      assert.match(titles[language].slice(0, 80), /, .+ – |^[^–]+$/, titles[language])
    }
  }
})
