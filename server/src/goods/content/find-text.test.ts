import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes, modes, type Market, type Mode } from '@purlin/contract/markets.ts'
import { vatDisplayCookie } from '@purlin/contract/site-settings.ts'
import { testDatabase, testScope } from '#platform/testing'
import { testGateway } from '../../edges/gateway/testing.ts'
import { findText, textsOf } from './find-text.ts'
import { parseText } from './parse-text.ts'
import { textNames, type Text, type TextName } from './text.ts'

const shops = marketCodes.flatMap((market) => modes.map((mode): [Market, Mode] => [market, mode]))
const text = (market: Market, mode: Mode, name: TextName): Text => {
  const found = findText(testScope({ market, mode }), name)
  assert.ok(found, `${market} ${mode} ${name}`)
  return found
}
const linesOf = ({ blocks }: Text) => blocks.flatMap(({ lines, rows }) => [...lines, ...rows.flatMap(({ cells }) => cells)])
const wordsOf = (of: Text): string =>
  linesOf(of)
    .map(({ spans }) => spans.map((span) => span.text).join(''))
    .join('\n')

test('V-21 every storefront has every text in force, in its own wording', () => {
  for (const [market, mode] of shops) {
    for (const name of textNames) {
      const { blocks, title, description } = text(market, mode, name)
      assert.ok(blocks.length > 2 && title && description.length > 40, `${market} ${mode} ${name}`)
      assert.doesNotMatch(wordsOf(text(market, mode, name)), /\{\{|:::|\{#|\]\(/, `${market} ${mode} ${name}`)
    }
  }
  for (const name of textNames)
    assert.equal(new Set(marketCodes.map((market) => text(market, 'b2c', name).blocks[0]?.lines[0]?.spans[0]?.text)).size, 5)
})

test('V-21 links within the texts point to existing headings, and the headings of a text have unique names', () => {
  for (const [market, mode] of shops) {
    for (const name of textNames) {
      const of = text(market, mode, name)
      const ids = of.blocks.flatMap(({ id }) => (id === null ? [] : [id]))
      assert.equal(new Set(ids).size, ids.length, `${market} ${mode} ${name}`)
      for (const { page, anchor } of linesOf(of).flatMap(({ spans }) => spans)) {
        if (anchor === null) continue
        const target = textNames.find((known) => known === page)
        assert.ok(
          target && text(market, mode, target).blocks.some(({ id }) => id === anchor),
          `${market} ${mode} ${name} → ${page}#${anchor}`,
        )
      }
    }
  }
})

test('V-21 each market cites its own law', () => {
  const guarantee: Record<Market, RegExp> = {
    gb: /Consumer Rights Act 2015[\s\S]*six years/,
    fr: /deux ans[\s\S]*L\.\s217-1[\s\S]*vices cachés/,
    de: /zwei Jahren[\s\S]*§§ 437, 438 BGB/,
    es: /tres años[\s\S]*artículo 120/,
    it: /due anni[\s\S]*articolo 133/,
  }
  const withdrawal: Record<Market, RegExp> = {
    gb: /Consumer Contracts \(Information, Cancellation and Additional Charges\) Regulations 2013/,
    fr: /L\.\s221-18/,
    de: /binnen vierzehn Tagen ohne Angabe von Gründen/,
    es: /Real Decreto Legislativo 1\/2007/,
    it: /articoli 52 e seguenti del codice del consumo/,
  }
  const dispute: Record<Market, RegExp> = {
    gb: /county court/,
    fr: /médiateur de la consommation/,
    de: /Universalschlichtungsstelle/,
    es: /junta arbitral/,
    it: /Camera di commercio/,
  }
  for (const market of marketCodes) {
    assert.match(wordsOf(text(market, 'b2c', 'consumer')), guarantee[market])
    assert.match(wordsOf(text(market, 'b2c', 'withdrawal')), withdrawal[market])
    assert.match(wordsOf(text(market, 'b2c', 'consumer')), dispute[market])
    assert.ok(
      text(market, 'b2c', 'withdrawal').blocks.some(({ kind }) => kind === 'sheet'),
      `${market}: the model form`,
    )
  }
})

test('V-21 business customers are informed that they have no right of withdrawal, and get no form for it', () => {
  for (const market of marketCodes) {
    const { blocks } = text(market, 'b2b', 'withdrawal')
    assert.ok(blocks.every(({ kind, part }) => kind !== 'sheet' && part === null))
    assert.notEqual(wordsOf(text(market, 'b2b', 'terms')), wordsOf(text(market, 'b2c', 'terms')))
  }
})

test('V-21 the privacy notice names the cookies the shop sets, and only those', () => {
  for (const market of marketCodes) {
    const table = text(market, 'b2c', 'privacy').blocks.filter(({ kind }) => kind === 'table')[1]
    const names = table?.rows.slice(1).map(({ cells: [first] }) => first?.spans.map((span) => span.text).join('') ?? '') ?? []
    assert.equal(names.length, 4, market)
    assert.match(names[0]!, /__Host-purlin.*purlin/)
    assert.equal(names[1], 'purlin_flash')
    assert.equal(names[2], vatDisplayCookie)
  }
})

test('a text is in force from its date on the market’s calendar; earlier versions are readable, later and unknown ones are not', () => {
  const [first] = textsOf('gb', 'b2c').filter(({ name }) => name === 'terms')
  assert.ok(first)
  const at = (iso: string, version?: number) => findText({ market: 'gb', mode: 'b2c', now: new Date(iso) }, 'terms', version)
  assert.equal(at(`${first.validFrom}T00:30:00Z`)?.id, 'gb/terms/1')
  assert.equal(at('2026-11-21T23:30:00Z'), null)
  assert.equal(at('2026-12-01T12:00:00Z', 1)?.current, true)
  assert.equal(at('2026-12-01T12:00:00Z', 99), null)
})

test('versions of a text are numbered without gaps and never take effect before the one they replace', () => {
  for (const [market, mode] of shops) {
    for (const name of textNames) {
      const versions = textsOf(market, mode).filter((one) => one.name === name)
      assert.deepEqual(
        versions.map(({ version }) => version),
        versions.map((_, index) => index + 1),
      )
      for (const [index, { validFrom }] of versions.entries()) assert.ok(index === 0 || validFrom >= versions[index - 1]!.validFrom)
    }
  }
})

test('unsupported content in a text is an error: an unknown page, a foreign scheme, an unknown placeholder, markup', () => {
  for (const wrong of [
    '[x](page:nowhere)',
    '[x](javascript:alert)',
    '{{nobody}}',
    '![x](https://x.example/y.png)',
    '<b>x</b>',
    '## Without a name',
  ])
    assert.throws(() => parseText(wrong, {}), Error, wrong)
})

const database = await testDatabase({ upTo: 'content' })
const gateway = await testGateway(database.pool)

test('R-061 R-163 R-164 R-165 the texts and the operator are available through the API, by market and storefront', async () => {
  const document = `query ($name: TextName!) { operator { name email isDemo } text(name: $name) { id version title current blocks { kind id lines { spans { text page href } } } } }`
  const ask = async (host: string, name: TextName) => {
    const { data, errors } = await gateway.execute({ query: document, variables: { name }, headers: { host } })
    assert.equal(errors, undefined)
    return data as { operator: { name: string; isDemo: boolean }; text: { id: string; title: string; current: boolean; blocks: unknown[] } }
  }
  const german = await ask('de.localhost', 'terms')
  assert.deepEqual([german.text.id, german.text.title, german.text.current], ['de/terms/1', 'Allgemeine Geschäftsbedingungen', true])
  assert.deepEqual([german.operator.name, german.operator.isDemo], ['Purlin Demo', true])
  assert.equal((await ask('gb.localhost', 'privacy')).text.title, 'Privacy notice')
  assert.notDeepEqual((await ask('pro.de.localhost', 'terms')).text.blocks, german.text.blocks)
})
