import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { cpuMsOf } from '@purlin/contract/testing.ts'
import { checkText } from '../reviews/check-text.ts'
import { mask, maskContacts } from './mask-contacts.ts'

const isOwnHost = (host: string) => /(?:^|\.)purlin\.(?:fr|de|es|it|co\.uk)$/.test(host)
const masked = (market: Market, text: string) => maskContacts(text, { market, isOwnHost }).text

/** [market, contact data as people write and disguise it] */
const contacts: [Market, string][] = [
  // Mail addresses
  ['gb', 'ann.lee+shop@example.com'],
  ['gb', 'ann.lee at example dot com'],
  ['gb', 'ann (at) example (dot) co.uk'],
  ['gb', 'ann[at]example[dot]com'],
  ['gb', 'ann ＠ example．com'],
  ['gb', 'an\u200bn@exam\u200bple.com'],
  ['gb', 'an\u034fn@exam\u3164ple.c\ufe0fom'],
  ['gb', 'ann@example。com'],
  ['fr', 'camille arobase exemple point fr'],
  ['fr', 'camille (arobase) exemple.fr'],
  ['de', 'kim.becker ät beispiel punkt de'],
  ['de', 'kim (klammeraffe) beispiel.de'],
  ['es', 'alex arroba ejemplo punto com'],
  ['es', 'alex(arroba)ejemplo.es'],
  ['it', 'andrea chiocciola esempio punto it'],
  ['it', 'andrea [chiocciola] esempio.it'],
  // Telephone numbers
  ['gb', '07700 900123'],
  ['gb', '+44 7700 900 123'],
  ['gb', '(020) 7946 0018'],
  ['gb', '0-7-7-0-0-9-0-0-1-2-3'],
  ['gb', '０７７００９００１２３'],
  ['gb', '٠٧٧٠٠٩٠٠١٢٣'],
  ['gb', [...'07700900123'].map((digit) => `${digit}\ufe0f\u20e3`).join('')],
  ['gb', '07700\u2800900123'],
  ['gb', '07700|900|123'],
  ['gb', 'zero seven seven zero zero nine double zero one two three'],
  ['gb', '0 seven 7 zero 0 nine 0 zero 1 two 3'],
  ['fr', '06 12 34 56 78'],
  ['fr', '06.12.34.56.78'],
  ['fr', '0033 6 12 34 56 78'],
  ['fr', 'zéro six douze trente-quatre cinquante-six soixante-dix-huit'],
  ['de', '0151/23456789'],
  ['de', '+49 (0)151 23456789'],
  ['de', 'null eins fünf eins zwei drei vier fünf sechs'],
  ['es', '612 345 678'],
  ['es', '+34 912 34 56 78'],
  ['es', 'seis uno dos tres cuatro cinco seis siete ocho'],
  ['it', '312 345 6789'],
  ['it', '+39 06 1234 5678'],
  ['it', 'tre uno due tre quattro cinque sei sette otto nove'],
  // Elsewhere
  ['gb', 'https://elsewhere.example/pay?x=1'],
  ['gb', 'www.elsewhere.example'],
  ['gb', 'elsewhere.com/saw'],
  ['gb', 'https://purlin.fr@elsewhere.example/'],
  ['gb', 'https://purlin.fr.elsewhere.example/'],
  ['fr', 'monsite.fr'],
  ['fr', 'monsite point fr'],
  ['de', 'meinshop punkt de'],
  ['de', 'meinshop[.]de'],
  ['es', 'mitienda (punto) es'],
  ['it', 't.me/venditore'],
  ['it', 'wa.me/393123456789'],
  ['gb', '@best_saws_uk'],
  // Payment elsewhere
  ['de', 'DE89 3704 0044 0532 0130 00'],
  ['gb', 'GB82WEST12345698765432'],
]

for (const [market, contact] of contacts)
  test(`A63 ${market}: "${contact}" is masked, the words around it stay`, () => {
    assert.equal(masked(market, `Hello, ${contact}, thanks`), `Hello, ${mask}, thanks`)
  })

/** [market, what must stay] */
const harmless: [Market, string][] = [
  ['gb', 'Order P7K2M4N6Q8R0T2V4-12 of 22.11.2026, 129.90 £'],
  ['gb', 'EAN 4006381333931, part no. 00340434161094042557'],
  ['gb', 'Parcel JD014600003828392812 or 1Z999AA10123456784'],
  ['gb', 'The board is 2400 x 1200 x 18 mm, 0.75 m2 per piece.'],
  ['gb', 'It was sent.It is still not here at all.'],
  ['gb', 'Please have a look at the picture; one, two or three screws are missing'],
  ['gb', 'see https://www.purlin.co.uk/help and purlin.fr/help'],
  ['gb', 'between 8:00 and 12:00 on 01.02.2026 08:30'],
  ['fr', 'au point de retrait, le point est que 3 des 12 vis manquent'],
  ['fr', 'Livraison le 06/12/2026 entre 10 h 30 et 12 h, 1 299,00 €'],
  ['de', 'Rechnung 2026-11-22, Kundennummer 4711, PLZ 10115 Berlin, 1.299,00 €'],
  ['de', 'Punkt der Tagesordnung: zwei von drei Teilen fehlen'],
  ['es', 'en el punto de recogida; este punto es importante'],
  ['es', 'referencia 1234567890123, caja 12/24'],
  ['it', 'al punto di ritiro entro le 18.00 del 3.12.2026'],
]
for (const [market, text] of harmless)
  test(`${market}: "${text}" stays as it is`, () => assert.deepEqual(maskContacts(text, { market, isOwnHost }), { text, isMasked: false }))

test('a long message of digits and dots is masked in time that grows with its length alone', () => {
  const started = performance.now()
  for (const hostile of [
    '1.'.repeat(1_500),
    'a.'.repeat(1_500),
    'zero '.repeat(600),
    '1 '.repeat(1_500),
    'a@'.repeat(1_500),
    '('.repeat(3_000),
    'at '.repeat(1_000),
    'neun '.repeat(600) + '!',
  ])
    maskContacts(hostile, { market: 'gb', isOwnHost })
  // A backtracking expression would take minutes.
  assert.ok(performance.now() - started < 10_000, `${performance.now() - started} ms`)
})

test('A60 no text of three thousand signs keeps the process busy, whatever it is made of', async () => {
  const length = 3_000
  const shapes = [
    'a',
    '\u33c2',
    '\u2026',
    '\ufdfa',
    'a.',
    'a-',
    'a@',
    'a_',
    '0',
    '1 ',
    '1-',
    'und',
    'a at ',
    'abc punto ',
    'abc( ',
    '1(',
    'www.',
    '.',
  ]
  for (const shape of shapes) {
    for (const [start, end] of [
      ['', ''],
      ['a@', '!'],
      ['http://', ' '],
      ['one ', 'x'],
    ] as const) {
      const text = start + shape.repeat(length / shape.length) + end
      const took = await cpuMsOf(() => {
        masked('gb', text)
        checkText([text])
      })
      assert.ok(took < 400, `${JSON.stringify(start + shape)}: ${Math.round(took)} ms`)
    }
  }
})
