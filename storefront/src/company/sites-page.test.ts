import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketCodes } from '@purlin/contract/markets.ts'
import { cart } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const host = 'pro.gb.localhost'
const cookie = 'who=professional'
const path = '/my-account/company/sites'
const site = (more: object = {}) => ({
  id: 's1',
  name: 'School, Mill Lane',
  firstName: 'Kim',
  lastName: 'Field',
  phone: '+44 20 7946 0000',
  line1: '1 Mill Lane',
  line2: null,
  postcode: 'SW1A 1AA',
  city: 'London',
  country: 'GB',
  deliveryHours: 'Mon–Fri 7–15',
  isArchived: false,
  ...more,
})
const company = (more: object = {}) => ({
  sites: [site(), site({ id: 's2', name: 'Old mill', isArchived: true })],
  costCentres: [{ id: 'c1', code: 'C-100', name: 'Roofs', isArchived: false }],
  isFree: true,
  canManageSites: true,
  canManageCostCentres: true,
  ...more,
})

test('the page lists sites with contact and hours, and cost centres; roles that may not change them see no form', async () => {
  const { status, body } = await pageOf({ companySites: company() }, path, { cookie, host })
  assert.equal(status, 200)
  for (const part of [
    'School, Mill Lane',
    'Contact: Kim Field, +44 20 7946 0000',
    'Deliveries: Mon–Fri 7–15',
    'archived',
    'C-100',
    'Roofs',
  ])
    assert.ok(textOf(body).includes(part), part)
  const reader = company({ canManageSites: false, canManageCostCentres: false })
  const read = await pageOf({ companySites: reader }, path, { cookie, host })
  assert.doesNotMatch(read.body, /value="(?:archive-site|archive-centre|centre|rule)"|add=1/)
  const empty = await pageOf({ companySites: company({ sites: [], costCentres: [] }) }, path, { cookie, host })
  assert.ok(textOf(empty.body).includes('No building sites yet'))
  assert.equal((await pageOf({ companySites: reader }, `${path}?edit=s1`, { cookie, host })).status, 404)
  for (const market of marketCodes)
    assert.equal((await pageOf({ companySites: company() }, path, { cookie, host: `pro.${market}.localhost` })).status, 200, market)
})

test('each form of the page works without a script, and a refused one shows what is wrong', async () => {
  let refusal: object | null = null
  const answer = () => ({ refusal })
  const shop = await shopWith({
    companySites: company(),
    saveSite: answer,
    archiveSite: answer,
    addCostCentre: answer,
    changeCostCentre: answer,
    changeCostCentreRule: answer,
  })
  const { id: _, country: _c, isArchived: _a, line2: _l, ...typed } = site()
  try {
    const forms: Record<string, string>[] = [
      { do: 'site', id: '', ...typed },
      { do: 'archive-site', id: 's1', isArchived: 'yes' },
      { do: 'centre', code: 'C-200', centreName: '' },
      { do: 'archive-centre', id: 'c1', isArchived: 'yes' },
      { do: 'rule', isFree: 'no' },
    ]
    for (const form of forms) {
      const sent = await shop.ask(path, { cookie, host, form })
      assert.deepEqual([sent.status, sent.headers['location']], [303, path], form['do'] ?? '')
    }
    refusal = {
      reason: 'name-taken',
      message: 'This name is taken already.',
      fields: [{ field: 'name', message: 'This name is taken already.' }],
    }
    const refused = await shop.ask(path, { cookie, host, form: forms[0] ?? {} })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /href="#name"/)
    assert.match(refused.body, /value="School, Mill Lane"/)
  } finally {
    await shop.close()
  }
})

test('which cost centres may be used is shown as a setting with its present state', async () => {
  const see = async (isFree: boolean) => textOf((await pageOf({ companySites: company({ isFree }) }, path, { cookie, host })).body)
  assert.match(
    await see(true),
    /Cost centres that buyers may enter Buyers choose from this list or type another cost centre\. Change to the list only/,
  )
  assert.match(await see(false), /Cost centres that buyers may enter Buyers choose from this list only\. Change to list and others/)
})

test('the summary of a refused site follows the order of its fields', async () => {
  const message = 'Please fill this in.'
  const fields = ['phone', 'firstName', 'city', 'line1', 'name'].map((field) => ({ field, message }))
  const shop = await shopWith({ companySites: company(), saveSite: { refusal: { reason: 'missing', message, fields } } })
  try {
    const { id: _, country: _c, isArchived: _a, line2: _l, ...typed } = site()
    const { body } = await shop.ask(path, { cookie, host, form: { do: 'site', id: '', ...typed } })
    const links = [...body.matchAll(/href="#(\w+)"/g)].flatMap(([, name = '']) =>
      fields.some(({ field }) => field === name) ? [name] : [],
    )
    const inputs = [...body.matchAll(/<input[^>]*\bid="(\w+)"/g)].flatMap(([, name = '']) => (links.includes(name) ? [name] : []))
    assert.equal(links.length, 5)
    assert.deepEqual(links, inputs)
  } finally {
    await shop.close()
  }
})

test('a cost centre is edited in its place: its description alone, without a script, and what is refused stays', async () => {
  let refusal: object | null = null
  const sent: object[] = []
  const shop = await shopWith({ companySites: company(), changeCostCentre: (input: object) => (sent.push({ ...input }), { refusal }) })
  try {
    const list = await shop.ask(path, { cookie, host })
    assert.match(list.body, /href="[^"]*sites\?centre=c1#cost-centres"[^>]*aria-label="Edit: C-100"/)
    const shown = await shop.ask(`${path}?centre=c1`, { cookie, host })
    assert.match(shown.body, /name="newName"[^>]*value="Roofs"|value="Roofs"[^>]*name="newName"/)
    assert.equal((await shop.ask(`${path}?centre=c9`, { cookie, host })).status, 404)
    const form = { do: 'rename-centre', id: 'c1', newName: '' }
    const saved = await shop.ask(`${path}?centre=c1`, { cookie, host, form })
    assert.deepEqual([saved.status, saved.headers['location']], [303, path])
    assert.deepEqual(sent, [{ id: 'c1', name: '' }])
    refusal = { reason: 'name-invalid', message: 'No.', fields: [{ field: 'name', message: 'On one line, please.' }] }
    const refused = await shop.ask(path, { cookie, host, form: { ...form, newName: 'Walls' } })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /On one line, please\./)
    assert.match(refused.body, /name="newName"[^>]*aria-describedby="newName-[^"]*error|aria-describedby="[^"]*newName-error/)
    assert.match(refused.body, /value="Walls"/)
  } finally {
    await shop.close()
  }
  const reader = company({ canManageCostCentres: false })
  const read = await shopWith({ companySites: reader })
  assert.equal((await read.ask(`${path}?centre=c1`, { cookie, host })).status, 404)
  await read.close()
})

test('in the checkout a site is one click, and the cost centre comes from the list', async () => {
  const chosen: unknown[] = []
  const shop = await shopWith({
    funnel: { step: 'address', customerOrderId: null, email: 'priya@hartley.example' },
    cart: cart(),
    myAddresses: [],
    customerProfile: null,
    companySites: company({ isFree: false }),
    chooseSite: ({ siteId }: { siteId: string }) => (chosen.push(siteId), { order: { id: 'P0000000000000001' }, refusal: null }),
  })
  try {
    const { body } = await shop.ask('/checkout/address', { cookie, host })
    assert.ok(textOf(body).includes('School, Mill Lane'))
    assert.ok(!textOf(body).includes('Old mill'), 'archived sites are not offered')
    assert.match(body, /<select[^>]*name="costCentre"[\s\S]*C-100/)
    const sent = await shop.ask('/checkout/address', { cookie, host, form: { do: 'site', siteId: 's1' } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, '/order/P0000000000000001/delivery'])
  } finally {
    await shop.close()
  }
  assert.deepEqual(chosen, ['s1'])
})
