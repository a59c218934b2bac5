import assert from 'node:assert/strict'
import { test } from 'node:test'
import { argumentsOf, createTranslate, partsOf } from './i18n.ts'

test('messages put values in, choose plurals by the rules of the language and cases by name', () => {
  const t = createTranslate('en-GB', {
    hello: 'Hello {name}',
    count: '{count, plural, =0 {no items} one {# item} other {# items}} in {place}',
    kind: '{kind, select, b2b {Pro} other {Shop}}',
    nested: '{a, select, x {{n, plural, one {one {b}} other {# {b}}}} other {none}}',
    braces: "'{'literal'}' and it's fine",
  })
  assert.equal(t('hello', { name: '<b>' }), 'Hello <b>')
  assert.equal(t('count', { count: 0, place: 'x' }), 'no items in x')
  assert.equal(t('count', { count: 1, place: 'x' }), '1 item in x')
  assert.equal(t('count', { count: 1234, place: 'x' }), '1,234 items in x')
  assert.equal(t('kind', { kind: 'b2b' }), 'Pro')
  assert.equal(t('kind', { kind: 'toString' }), 'Shop')
  assert.equal(t('nested', { a: 'x', n: 2, b: 'bee' }), '2 bee')
  assert.equal(t('braces'), "{literal} and it's fine")
})

test('French counts zero as one, which English does not', () => {
  assert.equal(createTranslate('fr-FR', { n: '{n, plural, one {# produit} other {# produits}}' })('n', { n: 0 }), '0 produit')
})

test('an unknown key or value shows itself rather than nothing', () => {
  const t = createTranslate('en-GB', { hello: 'Hello {name}' })
  assert.equal(t('nope'), 'nope')
  assert.equal(t('constructor'), 'constructor')
  assert.equal(t('hello'), 'Hello {name}')
})

test('a message that is not well formed is told, with its text', () => {
  for (const bad of ['{', '{a', 'a}', '{a, plural, one {x}}', '{a, plural, one {x other {y}}', '{a b}', "'{x"])
    assert.throws(() => partsOf(bad), /message/, bad)
})

test('the arguments of a message are known, for comparing languages', () => {
  assert.deepEqual(argumentsOf('{b} {a, plural, one {{c}} other {#}}'), ['a', 'b', 'c'])
})
