import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shopWith, textOf } from '../testing/shop.ts'

test('R-154 /subscribe asks for an address, shows an error at it, and says what happens next', async () => {
  const shop = await shopWith({ subscribeToNewsletter: { refusal: null } })
  try {
    const page = await shop.ask('/subscribe')
    assert.equal(page.status, 200)
    assert.match(page.body, /<input[^>]*type="email"[^>]*name="email"|<input[^>]*name="email"[^>]*type="email"/)
    assert.ok(textOf(page.body).includes('I can unsubscribe at any time'))
    const sent = await shop.ask('/subscribe', { form: { email: 'ann@example.com', website: '' } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, '/subscribe?sent=1'])
    assert.deepEqual(shop.asked.at(-1), { email: 'ann@example.com', website: null })
    assert.ok(textOf((await shop.ask('/subscribe?sent=1')).body).includes('Please look in your inbox'))
    const wrong = await shop.ask('/subscribe', { form: { email: 'ann', website: '' } })
    assert.equal(wrong.status, 422)
    assert.match(wrong.body, /value="ann"/)
    assert.match(wrong.body, /aria-invalid="true"/)
    const german = await shop.ask('/subscribe', { host: 'pro.de.localhost' })
    assert.ok(textOf(german.body).includes('jederzeit abbestellen'))
  } finally {
    await shop.close()
  }
})

test('R-055 R-191 /confirm-subscription confirms with a button; a link that is no longer valid leads back to the form', async () => {
  const shop = await shopWith({ confirmSubscription: true })
  try {
    const link = `/confirm-subscription?token=${'t'.repeat(32)}`
    const page = await shop.ask(link)
    assert.equal(page.status, 200)
    assert.ok(!shop.asked.some((variables) => 'token' in variables), 'opening the link confirms nothing')
    const sent = await shop.ask(link, { form: { token: 't'.repeat(32) } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, '/confirm-subscription?done=1'])
    assert.ok(textOf((await shop.ask('/confirm-subscription?done=1')).body).includes('You are subscribed'))
    for (const address of ['/confirm-subscription', '/confirm-subscription?done=0']) {
      const { body } = await shop.ask(address)
      assert.ok(textOf(body).includes('no longer valid'), address)
      assert.match(body, /href="\/subscribe"/)
    }
  } finally {
    await shop.close()
  }
})

test('R-155 R-259 /unsubscribe ends the newsletter with a button', async () => {
  const shop = await shopWith({ endSubscription: true })
  try {
    const link = `/unsubscribe?newsletter=${'t'.repeat(32)}`
    const page = await shop.ask(link)
    assert.ok(textOf(page.body).includes('Unsubscribe from the newsletter'))
    const sent = await shop.ask(link, { form: { newsletter: 't'.repeat(32) } })
    assert.deepEqual([sent.status, sent.headers['location']], [303, '/unsubscribe?newsletter=&done=1'])
    assert.deepEqual(shop.asked.at(-1), { token: 't'.repeat(32) })
    assert.ok(textOf((await shop.ask('/unsubscribe?newsletter=&done=1')).body).includes('no more newsletters'))
  } finally {
    await shop.close()
  }
})
