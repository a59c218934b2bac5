import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, marketCodes, markets, modes } from '@purlin/contract/markets.ts'
import { catalogues } from '@purlin/words/catalogues.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'
import { offer, product } from '../testing/goods.ts'

test('R-399 the ranking of products and offers is explained in full, to everybody, in each country and language', async () => {
  const { ask, close } = await shopWith({})
  for (const market of marketCodes) {
    for (const mode of modes) {
      const { status, body, headers } = await ask('/consumer-information/ranking', {
        host: `${mode === 'b2b' ? 'pro.' : ''}${market}.localhost`,
      })
      assert.equal(status, 200)
      assert.match(headers['cache-control']!, /public|private, no-cache/)
      assert.doesNotMatch(body, /ranking\.[a-z]/, 'no key without words')
      const text = textOf(body).replaceAll(/\s/g, ' ')
      const { language } = markets[market]
      for (const [key, words] of Object.entries(catalogues[language])) {
        if (!key.startsWith('ranking.') || key === 'ranking.description') continue
        assert.ok(text.includes(String(words).replaceAll(/\s/g, ' ')), `${key} in ${language}`)
      }
    }
  }
  const { body } = await ask('/consumer-information/ranking')
  assert.match(body, /rel="canonical" href="http:\/\/gb\.localhost\/consumer-information\/ranking"/)
  assert.doesNotMatch(body, /noindex/)
  await close()
})

test('R-399 the page is linked from every page, and next to the chosen offer', async () => {
  const shown = product({ bestOfferReason: 'Lowest price with delivery', offers: [offer('o1'), offer('o2')] })
  const { body } = await pageOf({ product: shown }, '/p/cordless-drill-18-v-12')
  const [why] = /<details[^>]*><summary>Why this offer\?[\s\S]*?<\/details>/.exec(body)!
  assert.match(why, /href="\/consumer-information\/ranking">How we rank offers/)
  assert.match(/<footer[\s\S]*<\/footer>/.exec(body)![0], /href="\/consumer-information\/ranking"/)
})

test('the meaning of a struck price follows the country’s law: in gb the previous price, elsewhere the lowest of 30 days', () => {
  for (const language of languages) {
    const words = catalogues[language]
    for (const text of [words['ranking.reductions.text'], words['goods.retail'], words['deals.text']].map(String)) {
      assert.match(text, language === 'en' ? /28 days/ : /30/, `${language}: ${text}`)
    }
  }
})
