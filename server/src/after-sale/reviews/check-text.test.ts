import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkText, hashOf } from './check-text.ts'
import { publicName, readKey, writeKey } from './review.ts'

const cases: [text: string, finding: string | null][] = [
  ['A solid drill, used for two years on every kind of wall.', null],
  ['Passt genau: 2500 x 1250 x 18 mm, wie im Datenblatt beschrieben.', null],
  ['Livraison en 3 jours, 12,5 kg, rien à redire sur la finition.', null],
  ['EAN 2000000012345 stand auf dem Karton, alles richtig geliefert.', null],
  ['Sharp, and the class suits assembly work; a Scunthorpe bargain.', null],
  ['Cheaper at www.example-tools.com, look there first.', 'link'],
  ['Besuchen Sie werkzeug-laden.de für einen besseren Preis.', 'link'],
  ['https://x.y/z', 'link'],
  ['Write to me: joe (at) example dot com, I have more.', 'contact'],
  ['Ruf mich an unter 030 231 254 56, ich verkaufe meins.', 'contact'],
  ['Llámame al +34 600 123 456 y te lo explico.', 'contact'],
  ['More pictures on my Instagram, the name is the same.', 'contact'],
  ['Add me on WhatsApp for a discount, friends.', 'contact'],
  ['This is shit, do not buy it from this seller.', 'words'],
  ['So ein Scheißteil, nach zwei Wochen kaputt gegangen.', 'words'],
  ['Une merde, cassée au premier jour, à éviter.', 'words'],
  ['Una mierda de taladro, no dura nada, la verdad.', 'words'],
  ['Che stronzi, non rispondono mai alle domande.', 'words'],
  ['f.u.c.k this drill and whoever packed the box.', 'words'],
  ['A fu\u200bck\u200bing bad drill, sent back at once.', 'words'],
  ['THIS IS THE WORST DRILL THAT I HAVE EVER BOUGHT HERE', 'shouting'],
  ['gooooooooood drill, works as it should for me', 'gibberish'],
  ['asdkjhasdkjhasdkjhaskdjhaskdjhaksjdhaksjdhaksjdhaksjdh', 'gibberish'],
  ['1234 5678 !!!! ???? 1111 2222', 'gibberish'],
]
for (const [text, finding] of cases)
  test(`R-076 A63 a text is ${finding ?? 'not'} found: ${text.slice(0, 40)}`, () =>
    assert.deepEqual(checkText([text]), finding === null ? [] : [finding]))

test('a copy is found whatever its case, spaces and punctuation', () => {
  assert.deepEqual(hashOf('Great drill, would buy again!'), hashOf('great  DRILL would buy again'))
  assert.notDeepEqual(hashOf('Great drill, would buy again!'), hashOf('Great drill, would not buy again!'))
})

test('the suggested name never contains a whole surname', () => {
  assert.deepEqual([publicName('Grace', 'Whitmore'), publicName('Émile', 'zola'), publicName('', '')], ['Grace W.', 'Émile Z.', 'Purlin'])
})

test('a key names a seller order and one of its subjects, and nothing else is one', () => {
  const key = { sellerOrderId: 'P12345678-7', subject: 'product', subjectId: '41' } as const
  assert.deepEqual(readKey(writeKey(key)), key)
  for (const other of ['', 'P1:order:1', 'P1:product:0', 'P1:product:x', "P1';--:product:1", 'P1:product:1:2'])
    assert.equal(readKey(other), null)
})
