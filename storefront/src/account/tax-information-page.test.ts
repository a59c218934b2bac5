import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const cookie = 'who=consumer'
const path = '/my-tax-information'
const vat = {
  number: 'GB000410171',
  state: 'VALID',
  isUnanswered: false,
  isInReview: false,
  checkedAt: '2026-11-20T10:00:00Z',
  nextCheckAt: '2026-11-20T10:05:00Z',
  name: 'HARTLEY ROOFING LTD',
  address: '4 Slate Yard, Sheffield',
  consultationNumber: 'ABC-123',
}
const tax = (more: object = {}) => ({
  isCompany: false,
  canChange: true,
  legalName: 'Hartley Roofing Ltd',
  line1: '4 Slate Yard',
  line2: null,
  postcode: 'S1 2AB',
  city: 'Sheffield',
  country: 'GB',
  fiscalNumber: null,
  sdiCode: null,
  pec: null,
  vat,
  ...more,
})
const form = {
  do: 'save',
  vatNumber: 'GB000410171',
  legalName: 'Hartley',
  country: 'GB',
  line1: 'x',
  line2: '',
  postcode: 'S1 2AB',
  city: 'y',
}

test('R-089 the account’s tax information shows the invoice details and the register’s result', async () => {
  const { status, body } = await pageOf({ myTaxInformation: tax() }, path, { cookie })
  assert.equal(status, 200)
  const text = textOf(body)
  for (const part of ['Tax information', 'Valid', 'GB000410171', 'HARTLEY ROOFING LTD', '20 November 2026', 'ABC-123'])
    assert.ok(text.includes(part), part)
  assert.match(body, /name="legalName"[^>]*value="Hartley Roofing Ltd"/)
  assert.doesNotMatch(body, /http-equiv="refresh"/i)
  assert.match(body, /name="robots" content="noindex"/)
})

test('R-463 R-464 R-465 each state of a VAT number has a message; a pending page reloads itself', async () => {
  const shown = async (more: object) => (await pageOf({ myTaxInformation: tax({ vat: { ...vat, ...more } }) }, path, { cookie })).body
  assert.ok(textOf(await shown({ state: 'NOT_VALID' })).includes('The tax authority does not know this number'))
  const pending = await shown({ state: 'PENDING' })
  assert.ok(textOf(pending).includes('you are charged VAT as usual'))
  assert.match(pending, /http-equiv="refresh"/i)
  const down = await shown({ state: 'PENDING', isUnanswered: true })
  assert.ok(textOf(down).includes('The tax authority is not answering at the moment'))
  assert.doesNotMatch(down, /http-equiv="refresh"/i)
  const inReview = await shown({ state: 'PENDING', isInReview: true })
  assert.ok(textOf(inReview).includes('We could not confirm that this number is yours'))
  assert.doesNotMatch(inReview, /http-equiv="refresh"/i, 'an operator decides, not within seconds')
})

test('R-137 Italy asks for codice fiscale, SDI code and PEC, Spain for the NIF, others for neither', async () => {
  const names = async (host: string) => {
    const { body } = await pageOf({ myTaxInformation: tax({ country: null }) }, path, { cookie, host })
    return ['fiscalNumber', 'sdiCode', 'pec'].filter((name) => body.includes(`name="${name}"`))
  }
  assert.deepEqual(await names('it.localhost'), ['fiscalNumber', 'sdiCode', 'pec'])
  assert.deepEqual(await names('es.localhost'), ['fiscalNumber'])
  assert.deepEqual(await names('de.localhost'), [])
})

test('the form works without script: it is saved with a message, or comes back with the faults', async () => {
  let refusal: object | null = null
  let isAsked = true
  const shop = await shopWith({
    myTaxInformation: tax(),
    changeTaxInformation: () => ({ isAsked, refusal }),
    checkVatNumberAgain: { isAsked: true, refusal: null },
  })
  try {
    const pending = await shop.ask(path, { cookie, form })
    assert.deepEqual([pending.status, pending.headers['location']], [303, path])
    assert.match(String(pending.headers['set-cookie']), /flash\.vat-number-pending/)
    const { vatNumber, country, line2 } = (shop.asked.at(-1)?.['input'] ?? {}) as Record<string, unknown>
    assert.deepEqual([vatNumber, country, line2], ['GB000410171', 'GB', null])
    isAsked = false
    assert.match(String((await shop.ask(path, { cookie, form })).headers['set-cookie']), /flash\.tax-saved/)
    assert.match(String((await shop.ask(path, { cookie, form: { do: 'check' } })).headers['set-cookie']), /flash\.vat-number-pending/)
    refusal = { reason: 'tax-invalid', message: 'Please check', fields: [{ field: 'vatNumber', message: 'Not a VAT number' }] }
    const refused = await shop.ask(path, { cookie, form: { ...form, vatNumber: 'GB1' } })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /name="vatNumber"[^>]*value="GB1"/)
    assert.ok(textOf(refused.body).includes('Not a VAT number'))
  } finally {
    await shop.close()
  }
})

test('members who may not change the company’s tax information read it; guests sign in first', async () => {
  const { body } = await pageOf({ myTaxInformation: tax({ isCompany: true, canChange: false }) }, path, {
    cookie: 'who=professional',
    host: 'pro.gb.localhost',
  })
  assert.ok(textOf(body).includes('Only administrators of your company can change this'))
  assert.doesNotMatch(body, /name="legalName"/)
  const guest = await pageOf({ myTaxInformation: null }, path)
  assert.deepEqual([guest.status, guest.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(path)}`])
})
