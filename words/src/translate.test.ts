import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileMessage } from './compile-message.ts'
import { createTranslate, formatMessage, type Values } from './translate.ts'

const say = (message: string, values: Values = {}, locale = 'en-GB') => formatMessage(locale, compileMessage(message).message, values)

test('messages interpolate values, choose plurals by the language’s rules and select cases by name', () => {
  assert.equal(say('Hello {name}', { name: '<b>' }), 'Hello <b>')
  const count = '{count, plural, =0 {no items} one {# item} other {# items}} in {place}'
  assert.equal(say(count, { count: 0, place: 'x' }), 'no items in x')
  assert.equal(say(count, { count: 1, place: 'x' }), '1 item in x')
  assert.equal(say(count, { count: 1234, place: 'x' }), '1,234 items in x')
  assert.equal(say('{kind, select, b2b {Pro} other {Shop}}', { kind: 'b2b' }), 'Pro')
  assert.equal(say('{kind, select, b2b {Pro} other {Shop}}', { kind: 'toString' }), 'Shop')
  assert.equal(say('{pro, select, true {Pro} other {Shop}}', { pro: true }), 'Pro')
  const nested = '{a, select, x {{n, plural, one {one {b}} other {# {b}}}} other {none}}'
  assert.equal(say(nested, { a: 'x', n: 2, b: 'bee' }), '2 bee')
  assert.equal(say("'{'literal'}' and it's fine, a < b"), "{literal} and it's fine, a < b")
})

test('French treats zero as singular, English does not; English has the ordinals first, second, third', () => {
  assert.equal(say('{n, plural, one {# produit} other {# produits}}', { n: 0 }, 'fr-FR'), '0 produit')
  const place = '{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}'
  assert.deepEqual(
    [1, 2, 3, 4, 11, 22].map((n) => say(place, { n })),
    ['1st', '2nd', '3rd', '4th', '11th', '22nd'],
  )
})

test('numbers and dates are formatted for the language, dates in the market’s time zone', () => {
  assert.equal(say('{n, number}', { n: 1234.5 }, 'de-DE'), '1.234,5')
  assert.equal(say('{n, number, percent}', { n: 0.25 }, 'en-GB'), '25%')
  assert.equal(say('{n, number, ::.00}', { n: 2 }, 'de-DE'), '2,00')
  const late = createTranslate({
    locale: 'de-DE',
    timeZone: 'Europe/Berlin',
    catalogue: {
      at: compileMessage('am {at, date, long} um {at, time, short}').message,
      day: compileMessage('{at, date, ::dMMMM}').message,
    },
    text: String,
    join: String,
  })
  assert.equal(late('at', { at: '2026-11-22T23:30:00Z' }), 'am 23. November 2026 um 00:30')
  assert.equal(late('day', { at: new Date('2026-11-22T23:30:00Z') }), '23. November')
})

test('tags are rendered by their functions from their content, even inside a plural', () => {
  const catalogue = {
    terms: compileMessage('I accept the <terms>terms of <b>{name}</b></terms>.').message,
    some: compileMessage('{n, plural, one {<b>one</b> item} other {<b>#</b> items}}').message,
  }
  const t = createTranslate<string>({ locale: 'en-GB', catalogue, text: (words) => words.toUpperCase(), join: (parts) => parts.join('') })
  const b = (words: string) => `<b>${words}</b>`
  assert.equal(t.rich('terms', { terms: (words) => `<a>${words}</a>`, b }, { name: 'x' }), 'I ACCEPT THE <a>TERMS OF <b>X</b></a>.')
  assert.equal(t.rich('some', { b }, { n: 2 }), '<b>2</b> ITEMS')
})

test('an unknown key or value is shown as it is rather than omitted', () => {
  const t = createTranslate<string>({ locale: 'en-GB', catalogue: { hello: ['Hello ', ['name']] }, text: String, join: String })
  assert.equal(t('nope'), 'nope')
  assert.equal(t('constructor'), 'constructor')
  assert.equal(t('hello'), 'Hello {name}')
})

test('an invalid message is refused', () => {
  for (const bad of [
    '{',
    '{a',
    '{a, plural, one {x}}',
    '{a, plural, one {x other {y}}',
    '{a b}',
    '<b>x',
    '{n, plural, offset:1 other {#}}',
  ])
    assert.throws(() => compileMessage(bad), Error, bad)
})

test('the arguments, tags and plurals of a message are extracted, for comparing languages', () => {
  const { values, tags, plurals } = compileMessage(
    '{b} {a, plural, one {{c}} other {<i>#</i>}} {d, date, short} {e, select, x {} other {}}',
  )
  assert.deepEqual(
    [...values],
    [
      ['b', 'text'],
      ['a', 'number'],
      ['c', 'text'],
      ['d', 'date'],
      ['e', ['x', 'other']],
    ],
  )
  assert.deepEqual([...tags], ['i'])
  assert.deepEqual(plurals, [{ name: 'a', type: 'cardinal', cases: ['one', 'other'] }])
})

test('V-40 a message constructs the formats it needs, and one of text none', (t) => {
  const made: string[] = []
  for (const name of ['NumberFormat', 'PluralRules'] as const) {
    const original = Intl[name] as new (...all: unknown[]) => object
    t.mock.property(Intl, name, function (...all: unknown[]) {
      made.push(name)
      return new original(...all)
    } as never)
  }
  // A locale that no other test uses: formats are kept by locale.
  assert.equal(say('{title} is in your basket', { title: 'Drill' }, 'en-NZ'), 'Drill is in your basket')
  assert.deepEqual(made, [])
  assert.equal(say('{count, plural, one {one} other {many}}', { count: 1 }, 'en-NZ'), 'one')
  assert.deepEqual(made, ['PluralRules'])
})
