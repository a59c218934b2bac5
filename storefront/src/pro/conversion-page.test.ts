import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const path = '/pro-account/signup'
const cookie = 'who=consumer'
const conversion = (more: object = {}) => ({
  status: 'UNKNOWN',
  reason: null,
  companyName: null,
  vatNumber: null,
  registerNumber: null,
  requestedAt: null,
  isChecking: false,
  ...more,
})
const form = {
  companyName: 'Bright Ltd',
  country: 'GB',
  line1: '7 Mill Lane',
  line2: '',
  postcode: 'LS1 4DY',
  city: 'Leeds',
  vatNumber: 'GB000411168',
  registerNumber: '',
}

test('R-051 R-194 R-521 the conversion page requests the company and one of two numbers from a consumer', async () => {
  const { status, body } = await pageOf({ proConversion: conversion() }, path, { cookie })
  assert.equal(status, 200)
  for (const name of ['companyName', 'vatNumber', 'registerNumber']) assert.match(body, new RegExp(`name="${name}"`))
  assert.match(body, /name="robots" content="noindex"/)
  const named = await pageOf({ proConversion: conversion() }, '/pro-services/conversion-flow', { cookie })
  assert.deepEqual([named.status, named.headers['location']], [308, path])
  const guest = await pageOf({ proConversion: null }, `${path}?from=/billie`)
  assert.deepEqual([guest.status, guest.headers['location']], [302, `/login?callbackUrl=${encodeURIComponent(`${path}?from=/billie`)}`])
})

test('R-287 R-319 a consumer on a page for companies is led here, and back to it once converted', async () => {
  const sent = await pageOf({ proConversion: conversion() }, '/billie', { cookie })
  assert.deepEqual([sent.status, sent.headers['location']], [302, `${path}?from=%2Fbillie`])
  const asked = await pageOf({ proConversion: conversion() }, `${path}?from=/billie`, { cookie })
  assert.ok(textOf(asked.body).includes('The page you wanted is for companies'))
  const shop = await shopWith({ proConversion: conversion({ status: 'CONVERTED' }) })
  try {
    const carried = await shop.ask(`${path}?from=/billie`, { cookie })
    assert.equal(carried.status, 302)
    assert.match(String(carried.headers['location']), /^http:\/\/pro\.gb\.localhost[^/]*\/api\/v1\/exchange-to-pro\?callbackUrl=%2Fbillie$/)
    const here = await shop.ask(`${path}?from=/billie`, { cookie: 'who=professional', host: 'pro.gb.localhost' })
    assert.deepEqual([here.status, here.headers['location']], [302, '/billie'])
    // A session without a company must not redirect in circles.
    const stale = await shop.ask(`${path}?from=/billie`, { cookie, host: 'pro.gb.localhost' })
    assert.equal(stale.status, 200)
    assert.ok(textOf(stale.body).includes('Please sign out and in again'))
    const done = await shop.ask(path, { cookie })
    assert.ok(textOf(done.body).includes('You are a professional customer'))
  } finally {
    await shop.close()
  }
})

test('A33 the page somebody wanted is on this shop, or none', async () => {
  const shop = await shopWith({ proConversion: conversion({ status: 'CONVERTED' }) })
  try {
    for (const from of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/%5cevil.example'])
      assert.equal((await shop.ask(`${path}?from=${encodeURIComponent(from)}`, { cookie })).status, 200, from)
  } finally {
    await shop.close()
  }
})

test('R-319 R-320 a pending request shows its reason and the next step; a refused one may be repeated', async () => {
  const shown = async (more: object) =>
    (await pageOf({ proConversion: conversion({ companyName: 'Bright Ltd', ...more }) }, path, { cookie })).body
  const checking = await shown({ status: 'LEAD', isChecking: true })
  assert.ok(textOf(checking).includes('We are checking your VAT number'))
  assert.match(checking, /http-equiv="refresh"/i)
  const byHand = await shown({ status: 'LEAD', reason: 'REGISTER_NUMBER' })
  assert.ok(textOf(byHand).includes('We are looking Bright Ltd up in the company register'))
  assert.doesNotMatch(byHand, /http-equiv="refresh"|name="vatNumber"/i)
  const undisclosed = textOf(await shown({ status: 'LEAD', reason: 'NAME_UNDISCLOSED' }))
  assert.ok(undisclosed.includes('does not say whose it is. We are looking Bright Ltd up by hand'))
  assert.ok(undisclosed.includes('carry on shopping as a private customer'))
  const options = { cookie: 'who=professional', host: 'pro.gb.localhost' }
  const registered = await pageOf(
    { proConversion: conversion({ companyName: 'Bright Ltd', status: 'LEAD', isChecking: true }) },
    path,
    options,
  )
  assert.ok(
    textOf(registered.body).includes('Paying by invoice follows once your company is confirmed'),
    'nobody is a private customer there',
  )
  assert.ok(textOf(await shown({ status: 'LEAD', reason: 'NAME_DIFFERS' })).includes('under another name than Bright Ltd'))
  const known = textOf(await shown({ status: 'LEAD', reason: 'KNOWN_COMPANY' }))
  assert.ok(known.includes('Somebody is looking at your request for Bright Ltd'), 'not that the company is a customer already')
  const refused = await shown({ status: 'REFUSED', reason: 'VAT_NOT_VALID' })
  assert.ok(textOf(refused).includes('The tax authority does not know your VAT number'))
  assert.match(refused, /name="vatNumber"/)
})

test('the form works without script and keeps the page somebody wanted', async () => {
  let refusal: object | null = null
  const shop = await shopWith({ proConversion: conversion(), requestProConversion: () => ({ refusal }) })
  try {
    const sent = await shop.ask(`${path}?from=/billie`, { cookie, form })
    assert.deepEqual([sent.status, sent.headers['location']], [303, `${path}?from=%2Fbillie`])
    refusal = { reason: 'conversion-invalid', message: 'Please check', fields: [{ field: 'vatNumber', message: 'Not a VAT number' }] }
    const refused = await shop.ask(path, { cookie, form })
    assert.equal(refused.status, 422)
    assert.ok(textOf(refused.body).includes('Not a VAT number'))
    assert.match(refused.body, /name="companyName"[^>]*value="Bright Ltd"/)
  } finally {
    await shop.close()
  }
})
