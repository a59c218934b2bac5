import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const company = {
  origin: 'http://pro.gb.localhost:3000',
  members: [{ id: 'm1', name: 'Priya Shah' }],
  credentials: [
    {
      id: 'c1',
      name: 'SAP',
      protocol: 'OCI',
      market: 'gb',
      identity: 'purlin-1',
      memberName: 'Priya Shah',
      lastUsedAt: null,
      revokedAt: null,
      isUsable: true,
    },
  ],
}
const cookie = 'who=professional'

test('an administrator makes a credential, whose secret is in one answer alone, and revokes it', async () => {
  const sent: unknown[] = []
  const shop = await shopWith({
    punchOutCredentials: company,
    createPunchOutCredential: ({ input }: { input: unknown }) => (
      sent.push(input),
      { identity: 'purlin-2', secret: 'ppo_secret', refusal: null }
    ),
    revokePunchOutCredential: ({ id }: { id: string }) => (sent.push(id), { refusal: null }),
  })
  const path = '/my-account/company/punch-out'
  try {
    const shown = await shop.ask(path, { host, cookie: 'who=administrator' })
    assert.equal(shown.status, 200)
    assert.ok(!shown.body.includes('ppo_secret'))
    const made = await shop.ask(path, {
      host,
      cookie: 'who=administrator',
      form: { do: 'create', name: 'Coupa', protocol: 'CXML', memberId: 'm1' },
    })
    assert.equal(made.status, 200)
    for (const part of ['ppo_secret', 'purlin-2', 'http://pro.gb.localhost:3000/api/v1/punch-out/cxml']) assert.ok(made.body.includes(part))
    assert.match(made.headers['cache-control'] ?? '', /no-store/)
    const dropped = await shop.ask(path, { host, cookie: 'who=administrator', form: { do: 'revoke', id: 'c1' } })
    assert.deepEqual([dropped.status, dropped.headers['location']], [303, path])
    assert.deepEqual(JSON.parse(JSON.stringify(sent)), [{ name: 'Coupa', protocol: 'CXML', memberId: 'm1' }, 'c1'])
  } finally {
    await shop.close()
  }
})

test('the start page names company and destination and does nothing by itself; a used link is gone', async () => {
  const visit = { companyName: 'Hartley Roofing Ltd', buyer: 'jo@hartley.example', returnsTo: 'srm.hartley.example' }
  const page = await pageOf({ punchOutStart: visit }, '/punch-out/start/abc', { host })
  assert.equal(page.status, 200)
  assert.ok(textOf(page.body).includes('Shop for Hartley Roofing Ltd'))
  assert.ok(textOf(page.body).includes('srm.hartley.example'))
  assert.match(page.body, /<form[^>]*action="\/api\/v1\/punch-out\/start"[^>]*><input[^>]*name="token"[^>]*value="abc"/)
  const over = await pageOf({ punchOutStart: null }, '/punch-out/start/abc', { host })
  assert.equal(over.status, 410)
  assert.match(over.body, /<main[^]*<a [^>]*href="\/"[^]*<\/main>/, 'a used link leads on')
  assert.equal((await pageOf({ punchOutStart: visit }, '/punch-out/start/abc')).status, 404, 'not in the consumers’ shop')
})

test('the basket’s form goes to the one address that is shown, and its policy allows no other; texts are never markup', async () => {
  const form = {
    url: 'https://srm.hartley.example/return?a=1',
    fields: [{ name: 'NEW_ITEM-DESCRIPTION[1]', value: '"><script>alert(1)</script>' }],
  }
  const shop = await shopWith({ punchOutReturn: { returnsTo: 'srm.hartley.example' }, punchOutForm: form })
  try {
    const page = await shop.ask('/punch-out/return', { host, cookie })
    assert.equal(page.status, 200)
    assert.match(page.body, /<form[^>]*action="https:\/\/srm\.hartley\.example\/return\?a=1"/)
    assert.ok(!page.body.includes('<script>alert'))
    assert.ok(textOf(page.body).includes('https://srm.hartley.example/return?a=1'))
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /form-action [^;]*'self'[^;]* https:\/\/srm\.hartley\.example(?:;|$)/)
    const other = await shop.ask('/cart', { host, cookie })
    assert.ok(!String(other.headers['content-security-policy']).includes('srm.hartley'))
  } finally {
    await shop.close()
  }
})
