import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const heading = (id: string) => ({
  kind: 'heading',
  level: 2,
  id,
  lines: [{ spans: [{ text: id, strong: false, page: null, anchor: null, href: null }] }],
  rows: [],
  part: null,
})
const part = (name: string) => ({ kind: 'part', level: null, id: null, lines: [], rows: [], part: name })
const operator = {
  name: 'Beam Ltd',
  address: ['1 Example Street'],
  representative: 'The directors',
  register: 'No. 1',
  vatNumber: 'GB1',
  email: 'help@beam.example',
  phone: '+44 1632 960000',
  phoneFrom: '09:00',
  phoneTo: '17:00',
  host: 'Host',
  mediator: 'None',
  isDemo: false,
}
const text = (name: string, form: string) => ({
  id: `gb/${name}/1`,
  name,
  version: 1,
  validFrom: '2026-11-22',
  current: true,
  title: name,
  description: name,
  blocks: [heading('write'), part(form), heading('other'), part('operator')],
})
const refusal = { reason: 'message-invalid', message: 'Something is missing.', fields: [{ field: 'email', message: 'No address.' }] }
const contact = (answer: object) => ({ operator, text: text('contact', 'contactForm'), sendMessage: answer })
const letter = { kind: 'order', name: 'Ada', email: 'ada@buyer.example', orderId: 'O-1', text: 'Hello', website: '' }

test('R-167 R-192 /contact has a form, and the address, e-mail and phone of the operator', async () => {
  const { body, headers } = await pageOf(contact({}), '/contact')
  assert.match(body, /<form [^>]*action="\/contact#write"/)
  for (const label of ['What is it about?', 'Your name', 'E-mail address', 'Order number', 'Your message'])
    assert.ok(textOf(body).includes(label), label)
  assert.match(textOf(body), /Beam Ltd[\s\S]*help@beam\.example[\s\S]*Monday to Friday/)
  assert.doesNotMatch(headers['cache-control'] ?? '', /public/)
})

test('R-168 R-193 /contact/website-use is about the site itself', async () => {
  const { status, body } = await pageOf(contact({}), '/contact/website-use')
  assert.equal(status, 200)
  assert.match(body, /<option value="website" selected/)
})

test('V-21 sending a message redirects back with a thank-you', async () => {
  const shop = await shopWith(contact({ reference: '10001', isAcknowledged: true, refusal: null }))
  const { status, headers } = await shop.ask('/contact', { form: letter })
  assert.deepEqual([status, headers['location']], [303, '/contact'])
  assert.match(String(headers['set-cookie']), /flash\.message-sent/)
  assert.deepEqual(
    shop.asked.findLast((variables) => 'input' in variables),
    { input: { ...letter, website: null, attachments: [] } },
  )
  await shop.close()
})

test('the page says that a mail is on its way only if one was queued', async () => {
  const unacknowledged = { reference: '10001', isAcknowledged: false, refusal: null }
  const written = await pageOf(contact(unacknowledged), '/contact', { form: letter })
  assert.match(String(written.headers['set-cookie']), /flash\.message-unacknowledged/)
  const root = { operator, text: text('withdrawal', 'withdrawalForm'), sendMessage: unacknowledged }
  const withdrawn = await pageOf(root, '/withdrawal', { form: letter })
  assert.match(String(withdrawn.headers['set-cookie']), /flash\.withdrawal-unacknowledged/)
})

test('a line break counts as one character, as in the browser, although browsers send two', async () => {
  const text = 'a\r\n'.repeat(1_500)
  const shop = await shopWith(contact({ reference: 'M-1', isAcknowledged: true, refusal: null }))
  assert.equal((await shop.ask('/contact', { form: { ...letter, text } })).status, 303)
  assert.equal((await shop.ask('/contact', { form: { ...letter, text: `${text}bb` } })).status, 422)
})

test('V-21 errors are shown at the field and above the form, and the entered values are kept', async () => {
  const { status, body } = await pageOf(contact({ reference: null, isAcknowledged: true, refusal }), '/contact', { form: letter })
  assert.equal(status, 422)
  assert.match(body, /role="alert"[\s\S]*Something is missing\.[\s\S]*href="#email"[^>]*>E-mail address: No address\./)
  assert.match(body, /id="email-error"/)
  assert.match(body, /value="ada@buyer\.example"/)
  assert.match(body, /<option value="order" selected/)
})

test('V-21 a sender over the limit is told so', async () => {
  const { body } = await pageOf(
    contact({ reference: null, isAcknowledged: true, refusal: { reason: 'too-many-messages', message: 'Please wait.', fields: [] } }),
    '/contact',
    {
      form: letter,
    },
  )
  assert.match(textOf(body), /Please wait\./)
})

test('R-135 V-21 a consumer can withdraw online with name, order and address; a business has no such form', async () => {
  const root = {
    operator,
    text: text('withdrawal', 'withdrawalForm'),
    sendMessage: { reference: '10002', isAcknowledged: true, refusal: null },
  }
  const shown = await pageOf(root, '/withdrawal')
  assert.match(shown.body, /<form [^>]*action="\/withdrawal#online"/)
  assert.match(textOf(shown.body), /Confirm cancellation/)
  const shop = await shopWith(root)
  const { status, headers } = await shop.ask('/withdrawal', { form: { ...letter, kind: 'question' } })
  assert.deepEqual([status, headers['location']], [303, '/withdrawal'])
  assert.deepEqual(
    shop.asked.findLast((variables) => 'input' in variables),
    { input: { ...letter, website: null, kind: 'withdrawal' } },
  )
  assert.equal((await shop.ask('/withdrawal', { form: letter, host: 'pro.gb.localhost' })).status, 404)
  await shop.close()
})
