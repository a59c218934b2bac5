import assert from 'node:assert/strict'
import { test } from 'node:test'
import { money } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const pro = { cookie: 'who=professional', host: 'pro.gb.localhost' }
const consumer = { cookie: 'who=consumer', host: 'gb.localhost' }
const plan = (period: string, net: number, vatTreatment = 'CHARGED', rate = vatTreatment === 'CHARGED' ? 0.2 : 0) => ({
  period,
  net: money(net),
  vat: money(net * rate),
  gross: money(net * (1 + rate)),
  vatTreatment,
  trialDays: 30,
  withdrawalDays: 14,
})
const plans = [plan('YEARLY', 90), plan('MONTHLY', 10)]
const subscription = (more: object = {}) => ({
  state: 'TRIALING',
  period: 'MONTHLY',
  nextPeriod: null,
  hasTrial: true,
  awaitsConfirmation: false,
  canChange: true,
  canWithdraw: false,
  cancelsAtEnd: false,
  dueAt: '2026-12-23T08:00:00Z',
  nextCharge: money(12),
  retryAt: null,
  failure: null,
  endedAt: null,
  endReason: null,
  card: { brand: 'Visa', last4: '0002', expires: '12/39' },
  setup: null,
  prices: plans,
  ...more,
})
const none = subscription({ state: null, period: null, dueAt: null, nextCharge: null, card: null })
const overview = (more: object = {}) => ({ mySubscription: subscription(more), myInvoices: { invoices: [] } })

test('R-275 the public page names plans, prices, trial and the end in gb, de and fr, and leads consumers to a professional account', async () => {
  for (const [market, words] of [
    ['gb', ['£90.00', '£12.00', 'Yearly', 'Monthly', 'first 30 days', 'Cancel online at any time']],
    ['de', ['Jährlich', 'Monatlich', '30 Tage', 'kündigen']],
    ['fr', ['Annuel', 'Mensuel', '30 premiers jours', 'Résili']],
  ] as const) {
    const { status, body } = await pageOf({ subscriptionPlans: plans }, '/static/subscription', { host: `pro.${market}.localhost` })
    assert.equal(status, 200)
    const text = textOf(body)
    for (const word of words) assert.ok(text.includes(word), `${market}: ${word} in ${text.slice(0, 1500)}`)
    assert.match(body, /href="\/subscription-checkout\?period=YEARLY"/)
  }
  const { body } = await pageOf({ subscriptionPlans: plans }, '/static/subscription', consumer)
  assert.match(body, /href="\/pro-account\/signup"/)
  assert.doesNotMatch(body, /subscription-checkout/)
})

test('R-255 R-290 who has no subscription chooses a plan, a subscriber comes to theirs, and everybody else to the public page', async () => {
  const root = { subscriptionPlans: plans, mySubscription: none }
  const chosen = await pageOf(root, '/subscription', pro)
  assert.equal(chosen.status, 200)
  assert.match(chosen.body, /href="\/subscription-checkout\?period=MONTHLY"/)
  const colleague = await pageOf({ ...root, mySubscription: { ...none, canChange: false } }, '/subscription', pro)
  assert.doesNotMatch(colleague.body, /subscription-checkout\?period/)
  assert.match(textOf(colleague.body), /Only administrators of your company can subscribe/)
  for (const [who, answers, target] of [
    [pro, { ...root, mySubscription: subscription() }, '/subscription-management'],
    [consumer, root, '/static/subscription'],
  ] as const) {
    const { status, headers } = await pageOf(answers, '/subscription', who)
    assert.deepEqual([status, headers['location']], [302, target])
  }
})

test('R-256 R-290 the checkout is for professionals: a plan, then the card in the provider’s frame, and a wait while the bank confirms', async () => {
  const path = '/subscription-checkout'
  const guest = await pageOf({}, path, { cookie: 'who=guest', host: pro.host })
  assert.equal(guest.status, 302)
  assert.match(String(guest.headers['location']), /login/)
  const see = async (more: object, query = '') =>
    (await pageOf({ subscriptionPlans: plans, mySubscription: { ...none, ...more } }, path + query, pro)).body
  assert.match(await see({}, '?period=MONTHLY'), /value="MONTHLY"[^>]*checked|checked[^>]*value="MONTHLY"/)
  assert.match(textOf(await see({})), /first 30 days are free for companies/)
  assert.match(textOf(await see({ hasTrial: false })), /has had its trial/)
  assert.match(textOf(await see({ hasTrial: false, awaitsConfirmation: true })), /once we have confirmed your company/)
  const incomplete = { state: 'INCOMPLETE', period: 'YEARLY' }
  const frame = { id: 'set_1', frameUrl: 'http://pay.localhost:1/setups/set_1', isFailed: false, failure: null }
  const entry = await see({ ...incomplete, setup: frame })
  assert.match(entry, /<iframe[^>]*src="http:\/\/pay\.localhost:1\/setups\/set_1"/)
  assert.match(textOf(entry), /Today nothing is charged\. After the trial we charge £108\.00 incl. VAT every year\./)
  assert.match(textOf(await see({ ...incomplete, hasTrial: false, setup: frame })), /We charge £108\.00 incl. VAT now/)
  assert.match(await see({ ...incomplete, setup: frame }, '?returned=set_1'), /<noscript><meta http-equiv="refresh" content="1"\/>/i)
  assert.match(
    textOf(await see({ ...incomplete, setup: { ...frame, isFailed: true, failure: 'Wrong code.' } })),
    /could not be saved.*Wrong code\./,
  )
  const other = textOf(await see({ state: 'ACTIVE', period: 'YEARLY', setup: frame }))
  assert.match(other, /Change card/)
  assert.doesNotMatch(other, /Subscribe to Purlin Pro|Renewal and cancellation/, 'a subscriber is here for another card alone')
  const shop = await shopWith({ subscriptionPlans: plans, mySubscription: none, startSubscription: { refusal: null } })
  const sent = await shop.ask(path, { ...pro, form: { period: 'MONTHLY' } })
  assert.deepEqual([sent.status, sent.headers['location']], [303, path])
  await shop.close()
})

test('R-256 a subscription whose trial was used while the card was entered is chosen again, without the trial', async () => {
  const used = { ...none, state: 'INCOMPLETE', period: 'MONTHLY', hasTrial: false }
  const { body } = await pageOf({ subscriptionPlans: plans, mySubscription: used }, '/subscription-checkout?returned=s1', pro)
  assert.match(body, /<input type="radio"[^>]*checked="" value="MONTHLY"/)
  assert.match(textOf(body), /Your company has had its trial: the first period is charged at once/)
  assert.doesNotMatch(body, /<iframe/)
})

test('R-256 a card entered in fields of a plan that is no longer chosen begins nothing: the page says so, and asks for the plan again', async () => {
  const setup = { id: 'set_2', frameUrl: 'http://pay.localhost:1/setups/set_2', isFailed: false, failure: null }
  const chosen = { ...none, state: 'INCOMPLETE', period: 'YEARLY', setup }
  const see = async (returned: string) =>
    (await pageOf({ subscriptionPlans: plans, mySubscription: chosen }, `/subscription-checkout?returned=${returned}`, pro)).body
  const outdated = await see('set_1')
  assert.match(
    textOf(outdated),
    /The plan was chosen again while you entered your card.*This card does not begin the plan that is chosen now/,
  )
  assert.match(outdated, /<input type="radio"[^>]*checked="" value="YEARLY"/)
  assert.doesNotMatch(outdated, /<iframe|http-equiv="refresh"/)
  const own = await see('set_2')
  assert.match(own, /http-equiv="refresh"/)
  assert.doesNotMatch(textOf(own), /The plan was chosen again/)
})

test('R-255 R-256 a company that accounts for the VAT itself sees the price without VAT wherever it chooses, pays and changes, not the public one', async () => {
  const prices = [plan('YEARLY', 90, 'REVERSE_CHARGE'), plan('MONTHLY', 10, 'REVERSE_CHARGE')]
  const see = async (path: string, more: object) =>
    textOf(
      (await pageOf({ subscriptionPlans: plans, mySubscription: { ...none, ...more, prices }, myInvoices: { invoices: [] } }, path, pro))
        .body,
    )
  const setup = { id: 'set_1', frameUrl: 'http://pay.localhost:1/setups/set_1', isFailed: false, failure: null }
  const live = { state: 'TRIALING', period: 'MONTHLY', dueAt: '2026-12-23T08:00:00Z', nextCharge: money(10) }
  for (const [path, more, words] of [
    ['/subscription', {}, '£90.00 without VAT (reverse charge)'],
    ['/subscription-checkout', {}, '£10.00 without VAT (reverse charge)'],
    [
      '/subscription-checkout',
      { state: 'INCOMPLETE', period: 'YEARLY', setup },
      'we charge £90.00 without VAT (reverse charge) every year',
    ],
    ['/subscription-management', live, '£10.00 without VAT (reverse charge) on 23 December 2026'],
    ['/subscription-management', live, 'On that day we charge £90.00 without VAT (reverse charge)'],
    ['/subscription-management', { ...live, cancelsAtEnd: true }, 'we charge £10.00 without VAT (reverse charge) on 23 December 2026'],
  ] as const) {
    const text = await see(path, more)
    assert.ok(text.includes(words), `${path}: ${words} in ${text}`)
    assert.ok(!text.includes('incl. VAT') && !text.includes('£108'), path)
  }
  const outside = [plan('YEARLY', 90, 'OUTSIDE_SCOPE'), plan('MONTHLY', 10, 'OUTSIDE_SCOPE')]
  for (const [host, words] of [
    ['pro.gb.localhost', '£90.00 without VAT (outside the scope of VAT)'],
    ['pro.de.localhost', 'ohne MwSt. (nicht steuerbar)'],
  ] as const) {
    const { body } = await pageOf({ mySubscription: { ...none, prices: outside } }, '/subscription', { ...pro, host })
    assert.ok(textOf(body).includes(words), `${words} in ${textOf(body)}`)
  }
})

test('R-254 R-290 the management page shows plan, next charge and card, and says when a payment is overdue or the subscription has ended', async () => {
  const path = '/subscription-management'
  const see = async (more: object = {}) => textOf((await pageOf(overview(more), path, pro)).body)
  assert.match(
    await see(),
    /Trial.*Monthly.*£12\.00 incl. VAT on 23 December 2026.*Visa ending in 0002.*Change card.*Change to yearly.*Cancel subscription/,
  )
  const overdue = await see({ state: 'PAST_DUE', retryAt: '2026-12-26T08:00:00Z', failure: 'The card was declined.' })
  assert.match(overdue, /We could not charge your card.*The card was declined\..*We try again on 26 December 2026/)
  assert.doesNotMatch(overdue, /Change to yearly/, 'its price has been requested')
  assert.match(
    await see({ cancelsAtEnd: true, nextCharge: null }),
    /Ends on 23 December 2026.*None\. Free delivery.*we charge £12\.00 incl\. VAT on 23 December 2026.*Resume subscription/,
  )
  assert.match(await see({ canWithdraw: true }), /Withdraw and get the payment back/)
  const ended = await see({ state: 'ENDED', endedAt: '2026-12-24T08:00:00Z', endReason: 'UNPAID', dueAt: null, nextCharge: null })
  assert.match(ended, /ended on 24 December 2026 because the payment failed several times.*Subscribe again/)
  const colleague = await see({ canChange: false })
  assert.match(colleague, /Administrators of your company manage the subscription/)
  assert.doesNotMatch(colleague, /Cancel subscription/)
  assert.match(
    textOf((await pageOf({ mySubscription: none, myInvoices: { invoices: [] } }, path, pro)).body),
    /Your company has no subscription yet/,
  )
})

test('R-418 R-290 what changes a subscription or its card is said on the page that follows; a refusal stays on the page', async () => {
  const path = '/subscription-management'
  const flashOf = (headers: Record<string, unknown>) => decodeURIComponent(String(headers['set-cookie'] ?? ''))
  const shop = await shopWith({
    ...overview(),
    cancelSubscription: { refusal: null },
    resumeSubscription: { refusal: { reason: 'not-subscribed', message: 'There is no subscription that this applies to.', fields: [] } },
    changeSubscriptionPeriod: { refusal: null },
    changeSubscriptionCard: { refusal: null },
  })
  for (const [form, target, key] of [
    ['cancel', path, 'flash.subscription-cancelled'],
    ['YEARLY', path, 'flash.subscription-period'],
    ['card', '/subscription-checkout', null],
  ] as const) {
    const { status, headers } = await shop.ask(path, { ...pro, form: { do: form } })
    assert.deepEqual([status, headers['location']], [303, target], form)
    if (key !== null) assert.ok(flashOf(headers).includes(key), form)
  }
  const refused = await shop.ask(path, { ...pro, form: { do: 'resume' } })
  assert.equal(refused.status, 422)
  assert.match(textOf(refused.body), /There is no subscription that this applies to/)
  await shop.close()
  for (const [setup, key] of [
    [null, 'flash.subscription-card-saved'],
    [{ id: 's', frameUrl: null, isFailed: true, failure: null }, 'flash.subscription-card-failed'],
  ] as const) {
    const back = await pageOf(
      { subscriptionPlans: plans, mySubscription: subscription({ setup }) },
      '/subscription-checkout?returned=s',
      pro,
    )
    assert.deepEqual([back.status, back.headers['location']], [302, path])
    assert.ok(flashOf(back.headers).includes(key), key)
  }
})

test('withdrawing says what it ends before its button, which works without a script', async () => {
  const sent: string[] = []
  const withdrawSubscription = () => (sent.push('withdraw'), { refusal: null })
  const shop = await shopWith({ ...overview({ state: 'ACTIVE', canWithdraw: true }), withdrawSubscription })
  try {
    const { body } = await shop.ask('/subscription-management', pro)
    const asked =
      /<details[^>]*><summary[^>]*>Withdraw and get the payment back<\/summary><p>([^<]+)<\/p><form[^]*?value="withdraw"[^]*?<\/details>/.exec(
        body,
      )
    assert.match(asked?.[1] ?? '', /at once/)
    assert.equal(body.match(/value="withdraw"/g)?.length, 1, 'no other button withdraws')
    assert.equal((await shop.ask('/subscription-management', { ...pro, form: { do: 'withdraw' } })).status, 303)
  } finally {
    await shop.close()
  }
  assert.deepEqual(sent, ['withdraw'])
})

test('R-254 a change of plan and the end say price and day before their button, which works without a script', async () => {
  const see = async (more: object = {}) => (await pageOf(overview({ state: 'ACTIVE', ...more }), '/subscription-management', pro)).body
  const asked = (body: string, value: string) =>
    textOf(new RegExp(`<details[^>]*>(?:(?!</details>)[^])*value="${value}"[^]*?</details>`).exec(body)?.[0] ?? '')
  const body = await see()
  assert.match(
    asked(body, 'YEARLY'),
    /Change to yearly.*On that day we charge £108\.00 incl\. VAT, then the same every year.*Charge £108\.00 yearly from 23 December 2026/,
  )
  assert.match(asked(body, 'YEARLY'), /Until 23 December 2026/)
  assert.match(asked(body, 'cancel'), /ends on 23 December 2026 and nothing more is charged.*Confirm the cancellation/)
  assert.equal(body.match(/value="(YEARLY|cancel)"/g)?.length, 2, 'no other button changes either')
  const yearlyToCome = await see({ nextPeriod: 'YEARLY' })
  assert.match(textOf(yearlyToCome), /Next plan Yearly from 23 December 2026 on/)
  assert.match(asked(yearlyToCome, 'MONTHLY'), /Stay with monthly.*£12\.00 incl\. VAT, then the same every month/)
  assert.match(asked(await see({ state: 'PAST_DUE' }), 'cancel'), /ends today.*no longer charged/)
})

test('R-254 a cancelled subscription shows its end and no other plan', async () => {
  const text = textOf(
    (
      await pageOf(
        overview({ state: 'ACTIVE', nextPeriod: 'YEARLY', cancelsAtEnd: true, nextCharge: null }),
        '/subscription-management',
        pro,
      )
    ).body,
  )
  assert.match(text, /Ends on 23 December 2026/)
  assert.match(text, /If you resume, we charge £108\.00 incl\. VAT on 23 December 2026, then the same every year/)
  assert.doesNotMatch(text, /Active|Next plan|Change to|Stay with|Cancel subscription/)
})

test('a buyer, whose list has no invoice of the subscription, is told that administrators see them', async () => {
  const see = async (cookie: string) =>
    textOf((await pageOf(overview({ canChange: false }), '/subscription-management', { ...pro, cookie })).body)
  const buyer = await see('who=professional')
  assert.match(buyer, /Administrators of your company see the invoices of the subscription/)
  assert.doesNotMatch(buyer, /There is no invoice yet|All invoices/)
  assert.match(await see('who=accountant'), /There is no invoice yet.*All invoices/)
})

test('of two plans one is recommended, and its button alone is the loud one', async () => {
  const { body } = await pageOf({ subscriptionPlans: plans }, '/static/subscription', pro)
  const classOf = (period: string) =>
    new RegExp(`<a[^>]*href="/subscription-checkout\\?period=${period}"[^>]*>`).exec(body)?.[0].replace(period, '')
  assert.equal(body.match(/Recommended/g)?.length, 1)
  assert.match(textOf(body), /Yearly Recommended/)
  assert.notEqual(classOf('YEARLY'), classOf('MONTHLY'))
})
