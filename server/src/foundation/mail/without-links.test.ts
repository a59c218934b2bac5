import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutLinks } from './without-links.ts'

test('A62 words of a stranger hold no address that a mail program makes a link of, in whatever script and with whatever dot', () => {
  const typed = {
    'Win at https://evil.example/now': 'Win at evil example now',
    'purlin-preis.рф': 'purlin-preis рф',
    'bonus.中国': 'bonus 中国',
    'héé.fr': 'héé fr',
    'he\u0301.fr': 'he\u0301 fr',
    'evil。com evil．com evil｡com evil․com': 'evil com evil com evil com evil com',
    'evil.\u200Bcom': 'evil \u200Bcom',
    '💩.la': '💩 la',
    'évil://bonus.рф／now': 'bonus рф now',
    '1.2.evil.4you.com': '1.2 evil.4you com',
    'ann@evil.com': 'ann@evil com',
  }
  for (const [text, expected] of Object.entries(typed)) assert.equal(withoutLinks(text), expected)
})

test('names and numbers stay as they are', () => {
  for (const name of [
    'Lee & Co., Ltd.',
    'J. B. Hunt',
    'Dr. Müller GmbH',
    'Drill 3.5 mm, 1.299,00 €',
    'Łódź Dom sp. z o.',
    '株式会社山田。',
  ])
    assert.equal(withoutLinks(name), name)
})
