import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, textOf } from '../testing/shop.ts'

const span = (text: string) => ({ text, strong: false, page: null, anchor: null, href: null })
const block = (kind: string, text: string, more: object = {}) => ({
  kind,
  level: null,
  id: null,
  part: null,
  lines: [{ spans: [span(text)] }],
  rows: [],
  ...more,
})
const text = {
  name: 'pro',
  version: 2,
  validFrom: '2026-11-23T00:00:00Z',
  current: true,
  title: 'Purlin Pro for trades',
  description: '',
  blocks: [
    block('heading', 'How to register', { level: 2, id: 'how' }),
    block('paragraph', 'Sign in or register.'),
    block('heading', 'Questions and answers', { level: 2, id: 'questions' }),
    block('paragraph', 'Nothing. The account is free.'),
  ],
}
const answers = { text, entries: [], platformConfig: { b2b: null, freeReturnsB2b: { days: 30 } } }
const see = async (host: string) => (await pageOf(answers, '/pro', { host })).body

test('R-050 the page of Purlin Pro tells all that it is and links to each part', async () => {
  const body = await see('pro.gb.localhost')
  for (const [title, href] of [
    ['Quick order', '/quick-order'],
    ['Buy again', '/buy-again'],
    ['Quotes', '/my-account/quotes'],
    ['Colleagues, budgets, approvals', '/my-account/company/budgets'],
    ['Pay by invoice', '/billie'],
    ['Your purchasing system', '/my-account/company/punch-out'],
    ['Purlin Pro subscription', '/static/subscription'],
    ['The Purlin Pro loyalty programme', '/static/loyalty-landing'],
  ] as const)
    assert.match(body, new RegExp(`<h3><a href="${href}">${title}</a></h3>`), title)
  assert.match(body, /<a href="\/financing">financed<\/a>/)
  assert.match(textOf(body), /Free returns You send goods back at no charge for 30 days/)
})

test('on the consumers’ storefront it links to no page that exists on Purlin Pro alone', async () => {
  const body = await see('gb.localhost')
  assert.match(textOf(body), /Quick order.*Pay by invoice.*Purlin Pro subscription/)
  assert.match(body, /<a href="\/static\/subscription">/)
  assert.doesNotMatch(body, /<h3><a href="(?!\/static\/subscription)/)
  assert.doesNotMatch(body, /href="\/financing"/)
})

test('how to register is for guests of Purlin Pro, the questions are for everybody', async () => {
  const part = /<div[^>]*data-audience="guests">([^]*?)<\/div>/.exec(await see('pro.gb.localhost'))?.[1] ?? ''
  assert.equal(textOf(part).trim(), 'How to register Sign in or register.')
  const consumers = await see('gb.localhost')
  assert.match(textOf(consumers), /How to register Sign in or register\. Questions and answers/)
  assert.doesNotMatch(consumers, /data-audience="guests"><h2/)
})
