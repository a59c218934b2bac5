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

test('a guest confirms and withdraws the reminder of a basket with a button, in the language of the market', async () => {
  const shop = await shopWith({ confirmBasketReminder: true, endBasketReminder: true })
  const basket = 't'.repeat(32)
  try {
    for (const [host, confirms, withdraws] of [
      ['gb.localhost', 'we may remind you once', 'Withdraw your consent'],
      ['pro.de.localhost', 'erlauben Sie uns', 'Einwilligung in die Erinnerung'],
      ['fr.localhost', 'nous pourrons vous rappeler', 'Retirer votre accord'],
      ['es.localhost', 'podremos recordarte', 'Retirar tu consentimiento'],
      ['it.localhost', 'potremo ricordarti', 'revocare il consenso'],
    ] as const) {
      for (const [path, text] of [
        ['/confirm-subscription', confirms],
        ['/unsubscribe', withdraws],
      ] as const) {
        const link = `${path}?basket=${basket}`
        assert.ok(textOf((await shop.ask(link, { host })).body).includes(text), `${host}${path}`)
        assert.ok(!shop.asked.some((variables) => 'token' in variables), 'opening the link changes nothing')
        const sent = await shop.ask(link, { host, form: { basket } })
        assert.deepEqual([sent.status, sent.headers['location']], [303, `${path}?basket=&done=1`])
        assert.deepEqual(shop.asked.at(-1), { token: basket })
        shop.asked.length = 0
      }
    }
    assert.ok(textOf((await shop.ask('/confirm-subscription?basket=&done=1')).body).includes('We will remind you once'))
    const invalid = textOf((await shop.ask('/confirm-subscription?basket=&done=0')).body)
    assert.ok(invalid.includes('no longer valid') && !invalid.includes('Subscribe again'))
    assert.ok(textOf((await shop.ask('/unsubscribe?basket=&done=1')).body).includes('deleted what we stored'))
  } finally {
    await shop.close()
  }
})
