import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scheduleOf } from '@purlin/contract/financing.ts'
import { money, order, payment } from '../testing/goods.ts'
import { pageOf, shopWith, textOf } from '../testing/shop.ts'

const pro = { cookie: 'who=professional', host: 'pro.gb.localhost' }
const claim = (more: object) => ({
  id: '1',
  number: 'S1-F-2026-000001',
  customerOrderId: 'ORDER123',
  sellerOrderId: 'ORDER123-1',
  amount: money(120),
  open: money(120),
  dueOn: '2026-10-01',
  state: 'LATE',
  ...more,
})
const credit = (more: object = {}) => ({
  companyName: 'Lee Building Ltd',
  reason: null,
  isChecked: true,
  isCollective: false,
  canChooseStatements: true,
  limit: money(500),
  used: money(140),
  available: money(360),
  least: money(25),
  most: money(25_000),
  toPay: money(120),
  claims: [],
  ...more,
})

test('R-057 R-183 the page about paying by invoice is for professionals alone', async () => {
  assert.equal((await pageOf({ myCredit: credit() }, '/billie', pro)).status, 200)
  const guest = await pageOf({}, '/billie', { cookie: 'who=guest', host: pro.host })
  assert.equal(guest.status, 302)
  assert.match(String(guest.headers['location']), /login/)
})

test('R-079 the page explains the thirty days and shows the own limit, what is used, and late invoices, in gb, de and fr', async () => {
  for (const [market, words] of [
    ['gb', ['within 30 days', 'Orders from £25.00 to £25000.00', 'Late since', 'The limit of Lee Building Ltd']],
    ['de', ['innerhalb von 30 Tagen', 'Überfällig seit', 'Das Limit von Lee Building Ltd']],
    ['fr', ['dans les 30 jours', 'En retard depuis', 'La limite accordée à Lee Building Ltd']],
  ] as const) {
    const { body } = await pageOf({ myCredit: credit({ claims: [claim({})] }) }, '/billie', { ...pro, host: `pro.${market}.localhost` })
    const text = textOf(body)
    for (const word of [...words, '£360.00', '£140.00', '£500.00', 'S1-F-2026-000001']) assert.ok(text.includes(word), `${market}: ${word}`)
  }
})

test('R-079 a company that cannot pay by invoice learns why, and one without a known limit can have it checked', async () => {
  const none = { limit: null, available: null }
  for (const [reason, words] of [
    ['NUMBER_MISSING', 'no VAT number'],
    ['OTHER_COUNTRY', 'another country'],
    ['NOT_ACCEPTED', 'at the moment'],
    ['NOT_OFFERED', 'not offered in this shop'],
  ] as const)
    assert.ok(textOf((await pageOf({ myCredit: credit({ ...none, reason }) }, '/billie', pro)).body).includes(words), reason)
  const waiting = {
    myCredit: credit({ ...none, reason: 'NUMBER_MISSING' }),
    myCompany: { name: 'Lee', review: { state: 'IN_REVIEW', isOwn: true } },
  }
  const told = textOf((await pageOf(waiting, '/billie', pro)).body)
  assert.ok(told.includes('We are still checking your company') && !told.includes('no VAT number'), 'its number is being checked')
  const shop = await shopWith({ myCredit: credit({ ...none, isChecked: false }), checkCreditLimit: { isRequested: true } })
  assert.match((await shop.ask('/billie', pro)).body, /Check our limit/)
  const sent = await shop.ask('/billie', { ...pro, form: {} })
  assert.deepEqual([sent.status, sent.headers['location']], [303, '/billie?checked=1'])
  assert.match((await shop.ask('/billie?checked=1', pro)).body, /http-equiv="refresh"/i)
  await shop.close()
})

test('invoices to pay are those that are open, with their sum; the paid ones are history', async () => {
  const claims = [
    claim({ id: '1', number: 'F-OPEN', state: 'OPEN', dueOn: '2026-12-14' }),
    claim({ id: '2', number: 'F-PAID', state: 'PAID', open: money(0) }),
    claim({ id: '3', number: 'F-CREDITED', state: 'CREDITED', open: money(0) }),
    claim({ id: '4', number: 'F-REFUSED', state: 'REFUSED', dueOn: null }),
  ]
  const { body } = await pageOf({ myCredit: credit({ claims, toPay: money(777) }) }, '/billie', pro)
  const text = textOf(body)
  assert.ok(text.includes('F-OPEN') && text.includes('Payable by 14 Dec 2026'))
  for (const none of ['F-PAID', 'F-CREDITED', 'F-REFUSED', '£0.00']) assert.ok(!text.includes(none), none)
  assert.match(body, /<tfoot>.*To pay in all.*£777\.00.*<\/tfoot>/s)
  const settled = textOf((await pageOf({ myCredit: credit({ claims: claims.slice(1), toPay: money(0) }) }, '/billie', pro)).body)
  assert.ok(!settled.includes('Invoices to pay'), 'nothing to pay, no list')
})

test('an invoice that waits for a monthly statement is payable with it, in all languages of the shops with invoices', async () => {
  const claims = [claim({ state: 'OPEN', dueOn: '2026-12-30', statementMonth: '2026-11' })]
  for (const [market, words] of [
    ['gb', 'With the statement of November 2026, by 30 Dec 2026'],
    ['de', 'Mit der Aufstellung für November 2026, bis 30.12.2026'],
    ['fr', 'Avec le relevé mensuel (novembre 2026), avant le 30 déc. 2026'],
  ] as const) {
    const { body } = await pageOf({ myCredit: credit({ isCollective: true, claims }) }, '/billie', {
      ...pro,
      host: `pro.${market}.localhost`,
    })
    assert.ok(textOf(body).includes(words), market)
  }
})

test('a company that has invoices already is not told that its first order is still to come', async () => {
  const none = { limit: null, available: null, isChecked: false }
  const first = textOf((await pageOf({ myCredit: credit(none) }, '/billie', pro)).body)
  const later = textOf(
    (await pageOf({ myCredit: credit({ ...none, claims: [claim({ state: 'PAID', open: money(0) })] }) }, '/billie', pro)).body,
  )
  assert.ok(first.includes('with your first order'))
  assert.ok(!later.includes('with your first order') && later.includes('has not been checked yet'))
})

const offer = (more: object = {}) => ({ reason: null, settlement: 'EACH', ...more })

test('the payment page offers the invoice to eligible companies, shows a question or a refusal, and leads back to the card', async () => {
  const path = '/order/ORDER123/secure-payment'
  const see = async (root: object) => textOf((await pageOf({ customerOrder: order({ payment: payment({}) }), ...root }, path, pro)).body)
  assert.match(await see({ invoiceOffer: offer() }), /pay by invoice within 30 days/)
  assert.doesNotMatch(await see({ invoiceOffer: offer({ reason: 'LIMIT' }) }), /pay by invoice within 30 days/)
  const by = (more: object) => ({
    customerOrder: order({ payment: payment({ method: 'invoice', frameUrl: null, ...more }) }),
    invoiceOffer: offer(),
  })
  assert.match(await see({ invoiceOffer: offer({ settlement: 'MONTHLY' }) }), /monthly statement, which it pays by transfer/)
  assert.match(await see({ invoiceOffer: offer({ settlement: 'MONTHLY_DEBIT' }) }), /monthly statement, which is collected by direct debit/)
  const declined = await see(by({ state: 'FAILED', failure: 'No.' }))
  assert.match(declined, /was not approved.*No\..*still reserved.*Pay by card instead/)
  assert.match(
    await see(by({ state: 'ACTION_REQUIRED', frameUrl: 'http://credit.localhost:1/orders/1' })),
    /Continue to the credit partner/,
  )
  assert.match(await see(by({ state: 'INITIATED' })), /checking your order/)
  const shop = await shopWith({ ...by({ state: 'FAILED' }), choosePaymentMethod: { refusal: null } })
  const sent = await shop.ask(path, { ...pro, form: { idempotencyKey: 'key-of-the-form', method: 'CARD' } })
  assert.deepEqual([sent.status, sent.headers['location']], [303, path])
  await shop.close()
})

const example = (amount: number, months: number) => {
  const { instalments, total, interest, effectiveRate } = scheduleOf(amount * 100, months)
  const shown = (minor: number) => money(minor / 100)
  return {
    amount,
    months,
    rate: 0.079,
    effectiveRate,
    financed: shown(amount * 100),
    least: money(1000),
    most: money(50_000),
    total: shown(total),
    interest: shown(interest),
    instalments: instalments.map((each) => ({
      number: each.number,
      payment: shown(each.payment),
      interest: shown(each.interest),
      left: shown(each.left),
    })),
  }
}
const financed = { financingExample: ({ amount, months }: { amount?: number; months?: number }) => example(amount ?? 10_000, months ?? 24) }

test('R-199 R-200 R-290 financing: eligibility, an example by amount and term, the whole schedule and a request, in gb, de and fr', async () => {
  for (const [market, words] of [
    ['gb', ['Representative example', 'Total amount payable', '(APR) 8.19%']],
    ['de', ['Repräsentatives Beispiel', 'Gesamtbetrag', 'effektiver Jahreszins 8,19 %']],
    ['fr', ['Exemple représentatif', 'Montant total dû', 'TAEG fixe 8,19 %']],
  ] as const) {
    const at = { ...pro, host: `pro.${market}.localhost` }
    const text = textOf((await pageOf(financed, '/financing?amount=10000&months=12', at)).body).replaceAll(/\s/g, ' ')
    for (const word of words) assert.ok(text.includes(word), `${market}: ${word}`)
    assert.match(text, /869[.,]42/)
  }
  const details = await pageOf(financed, '/financing-details?amount=10000&months=12', pro)
  assert.equal(details.body.match(/<tr\b/g)?.length, 13)
  const guest = await pageOf({}, '/financing', { cookie: 'who=guest', host: pro.host })
  assert.equal(guest.status, 302)
  const shop = await shopWith({ ...financed, requestFinancing: { number: '90001', refusal: null } })
  const form = { amount: '12000', months: '24', purpose: 'Two heat pumps', phone: '+44 20 7946 0000' }
  const sent = await shop.ask('/financing-details', { ...pro, form })
  assert.deepEqual([sent.status, sent.headers['location']], [303, '/financing-details?requested=90001'])
  assert.match(textOf((await shop.ask('/financing-details?requested=90001', pro)).body), /We have your request 90001/)
  assert.equal((await shop.ask('/financing-details', { ...pro, form: { ...form, amount: '5' } })).status, 422)
  await shop.close()
})

test('R-290 an amount that is not financed is named as wrong, with what would be right', async () => {
  const example = { financingExample: ({ amount, months }: { amount?: number | null; months?: number }) => exampleOf(amount, months) }
  const exampleOf = (amount: number | null | undefined, months?: number) =>
    financed.financingExample({ ...(amount && amount >= 1_000 && amount <= 50_000 && { amount }), ...(months && { months }) })
  for (const path of ['/financing', '/financing-details'])
    for (const typed of ['500', 'abc', '1000000', '1000.50']) {
      const { body } = await pageOf(example, `${path}?amount=${typed}`, pro)
      const said = /id="amount-error"[^>]*>([^]*?)<\/p>/.exec(body)?.[1] ?? ''
      assert.match(textOf(said), /from £[\d,.]+ to £[\d,.]+\. Until then the example is for £10000\.00/, `${path} ${typed}`)
      assert.match(body, new RegExp(`<input[^>]*value="${typed}"`), 'what was typed stays')
    }
  const { body } = await pageOf(example, '/financing?amount=12000', pro)
  assert.doesNotMatch(body, /amount-error/)
  assert.match(body, /<span[^>]*>£<\/span><input[^>]*id="amount"/)
})

test('R-290 a refused request for financing lists each error with its field, and leads back to the example', async () => {
  const fields = [{ field: 'phone', message: 'This is not a phone number we can call.' }]
  const shop = await shopWith({
    ...financed,
    requestFinancing: { number: null, refusal: { reason: 'input-invalid', message: 'No.', fields } },
  })
  try {
    const form = { amount: '12000', months: '24', purpose: 'Two heat pumps', phone: '1' }
    const { status, body } = await shop.ask('/financing-details', { ...pro, form })
    assert.equal(status, 422)
    assert.match(textOf(body), /Please check the following Phone number for questions: This is not a phone number we can call\./)
    assert.match(body, /<a href="#phone">/)
    assert.match(body, /<input[^>]*id="phone"[^>]*aria-invalid="true"/)
    const { body: small } = await shop.ask('/financing-details', { ...pro, form: { ...form, amount: '5' } })
    assert.match(small, /<a href="#amount">/)
    assert.match(body, /href="\/financing"/)
  } finally {
    await shop.close()
  }
})

const statement = (more: object = {}) => ({
  id: 'b7e3f0b8-5c41-4a51-9d5e-0f4f0c8f3c11',
  number: 'C-2026-10-10001',
  month: '2026-10',
  issuedOn: '2026-11-01',
  dueOn: '2026-11-30',
  companyName: 'Lee Building Ltd',
  invoices: 1,
  amount: money(120),
  sum: money(145),
  open: money(20),
  state: 'LATE',
  payee: {
    holder: 'Credit Partner',
    iban: 'GB33 BUKB 2020 1555 5555 55',
    bic: 'BUKBGB22',
    sortCode: '20-20-15',
    account: '55555555',
    remittance: 'C-2026-10-10001',
  },
  lines: [{ ...claim({}), sellerName: 'Toolyard Pennine', purchaseOrder: 'PO-7', issuedOn: '2026-10-02' }],
  pdfUrl: '/api/v1/statements/b7e3f0b8-5c41-4a51-9d5e-0f4f0c8f3c11/pdf',
  ...more,
})

test('a monthly statement shows what is open, the account, and its invoices with seller and purchase order, in gb, de and fr', async () => {
  const path = `/my-invoices/statement/${statement().id}`
  for (const [market, words] of [
    ['gb', ['October 2026', 'Sort code 20-20-15', 'Reference C-2026-10-10001', 'not a VAT invoice', 'Toolyard Pennine (PO PO-7)']],
    ['de', ['Oktober 2026', 'Verwendungszweck C-2026-10-10001', 'keine Rechnung im Sinne', '(Bestellnr. PO-7)']],
    ['fr', ['octobre 2026', 'Référence C-2026-10-10001', 'n’est pas une facture', '(bon de commande PO-7)']],
  ] as const) {
    const { status, body } = await pageOf({ invoiceStatement: statement() }, path, { ...pro, host: `pro.${market}.localhost` })
    assert.equal(status, 200)
    const text = textOf(body)
    for (const word of [...words, '£20.00', 'Toolyard Pennine', 'Credit Partner']) assert.ok(text.includes(word), `${market}: ${word}`)
    assert.ok(body.includes('/my-invoices/ORDER123') && body.includes(statement().pdfUrl))
    assert.match(body, /<tfoot>.*£145\.00.*£20\.00.*<\/tfoot>/s, 'what the invoices make together, and what is open of it')
  }
  assert.equal((await pageOf({ invoiceStatement: null }, path, pro)).status, 404)
  assert.equal((await pageOf({ invoiceStatement: statement() }, path, { cookie: 'who=professional', host: 'gb.localhost' })).status, 404)
})

const mandate = (more: object = {}) => ({
  reference: 'PURLIN-M10001',
  state: 'ACTIVE',
  endedBy: null,
  holder: 'Lee Bau GmbH',
  ibanEnd: '3000',
  signedAt: '2026-10-02T10:00:00Z',
  endedAt: null,
  ...more,
})
const directDebit = (more: object = {}) => ({
  directDebit: {
    creditorName: 'Credit Partner',
    creditorId: 'DE98ZZZ09999999999',
    noticeDays: 14,
    isOffered: true,
    canChange: true,
    mandate: null,
    ...more,
  },
})
const debitPath = '/my-account/company/direct-debit'
const german = { ...pro, host: 'pro.de.localhost' }

test('the mandate is given on a page with its text and the creditor identifier, in five languages, and faults stand at their fields', async () => {
  for (const [market, words] of [
    ['gb', ['authorise (A) Credit Partner, creditor identifier DE98ZZZ09999999999', 'within eight weeks', 'at least 14 days before']],
    [
      'de',
      ['ermächtigen (A) Credit Partner, Gläubiger-Identifikationsnummer DE98', 'innerhalb von acht Wochen', 'mindestens 14 Tage vorher'],
    ],
    ['fr', ['autorisez (A) Credit Partner, identifiant créancier SEPA DE98', 'dans les huit semaines', 'au moins 14 jours avant']],
    ['es', ['autorizas (A) a Credit Partner, identificador del acreedor DE98', 'ocho semanas', 'al menos 14 días de antelación']],
    ['it', ['autorizzi (A) Credit Partner, codice identificativo del creditore DE98', 'otto settimane', 'almeno 14 giorni prima']],
  ] as const) {
    const { status, body } = await pageOf(directDebit(), debitPath, { ...pro, host: `pro.${market}.localhost` })
    assert.equal(status, 200)
    for (const word of words) assert.ok(textOf(body).includes(word), `${market}: ${word} in ${textOf(body)}`)
  }
  let refusal: object | null = null
  const shop = await shopWith({ ...directDebit(), giveMandate: () => ({ refusal }), revokeMandate: { isRevoked: true } })
  try {
    const form = { do: 'give', holder: 'Lee Bau GmbH', iban: 'DE89 3704 0044 0532 0130 00', isAgreed: 'yes' }
    const given = await shop.ask(debitPath, { ...german, form })
    assert.deepEqual([given.status, given.headers['location']], [303, debitPath])
    assert.deepEqual({ ...(shop.asked.at(-1)?.['input'] as object) }, { holder: 'Lee Bau GmbH', iban: form.iban, isAgreed: true })
    const { isAgreed: _, ...silent } = form
    await shop.ask(debitPath, { ...german, form: silent })
    assert.deepEqual({ ...(shop.asked.at(-1)?.['input'] as object) }, { holder: 'Lee Bau GmbH', iban: form.iban, isAgreed: false })
    const message = 'Bitte prüfen Sie die IBAN.'
    refusal = { reason: 'mandate-invalid', message: 'Bitte prüfen Sie Ihre Angaben.', fields: [{ field: 'iban', message }] }
    const refused = await shop.ask(debitPath, { ...german, form })
    assert.equal(refused.status, 422)
    assert.match(refused.body, /href="#iban"/)
    assert.ok(textOf(refused.body).includes(message) && refused.body.includes('Lee Bau GmbH'))
    const revoked = await shop.ask(debitPath, { ...german, form: { do: 'revoke' } })
    assert.deepEqual([revoked.status, revoked.headers['location']], [303, debitPath])
    assert.match(String(revoked.headers['set-cookie']), /mandate-revoked/)
  } finally {
    await shop.close()
  }
})

test('the page shows the mandate by its last digits, why one has ended, and its buttons to administrators alone', async () => {
  const see = async (more: object) => (await pageOf(directDebit(more), debitPath, german)).body
  const active = await see({ mandate: mandate() })
  for (const part of ['Mandatsreferenz PURLIN-M10001', 'Lee Bau GmbH, Konto mit den letzten Stellen 3000', 'Erteilt am 2. Oktober 2026'])
    assert.ok(textOf(active).includes(part), part)
  assert.match(active, /value="revoke"/)
  assert.doesNotMatch(active, /name="iban"/)
  const reader = await see({ mandate: mandate(), canChange: false })
  assert.doesNotMatch(reader, /value="revoke"/)
  assert.doesNotMatch(await see({ canChange: false }), /name="iban"/)
  assert.match(await see({ mandate: mandate({ state: 'PENDING' }) }), /http-equiv="refresh"/i)
  for (const [endedBy, words] of [
    ['REVOKED', 'Ihr Unternehmen hat dieses Mandat widerrufen'],
    ['REJECTED', 'Die Bank kennt dieses Konto nicht'],
    ['BANK', 'Die Bank hat eine Lastschrift zurückgegeben'],
  ] as const) {
    const ended = await see({ mandate: mandate({ state: 'ENDED', endedBy, endedAt: '2026-11-05T10:00:00Z' }) })
    assert.ok(textOf(ended).includes(words), endedBy)
    assert.match(ended, /name="iban"/)
  }
  const closed = await see({ isOffered: false })
  assert.doesNotMatch(closed, /name="iban"/)
  assert.match(closed, /href="\/my-account\/company"/)
  assert.equal((await pageOf({ directDebit: null }, debitPath, german)).status, 404)
})

test('a statement names its way of payment: an announced debit instead of the account, and a transfer once it has failed', async () => {
  const path = `/my-invoices/statement/${statement().id}`
  const debit = (state: string, reason: string | null = null) => ({
    debit: { state, reason, collectOn: '2026-11-30', amount: money(20), reference: 'PURLIN-M10001', ibanEnd: '3000' },
  })
  const see = async (more: object) => textOf((await pageOf({ invoiceStatement: statement(more) }, path, german)).body)
  for (const [state, words] of [
    ['ANNOUNCED', 'werden am 30. November 2026 von dem Konto eingezogen, das auf 3000 endet'],
    ['SUBMITTED', 'Bitte überweisen Sie den Betrag nicht zusätzlich'],
    ['SETTLED', 'wurden von dem Konto eingezogen'],
  ] as const) {
    const text = await see(debit(state))
    assert.ok(text.includes(words) && text.includes('PURLIN-M10001'), `${state}: ${text}`)
    assert.ok(!text.includes('Verwendungszweck'), state)
  }
  for (const [state, reason, words] of [
    ['RETURNED', 'FUNDS', 'Das Konto war nicht gedeckt'],
    ['RETURNED', 'ACCOUNT', 'falsch, erloschen oder gesperrt'],
    ['RETURNED', 'MANDATE', 'kein Mandat vor'],
    ['RETURNED', 'REFUNDED', 'auf Wunsch Ihres Unternehmens erstattet'],
    ['DROPPED', 'ENDED', 'weil das Mandat beendet ist'],
    ['RETURNED', 'OTHER', 'konnte nicht ausgeführt werden'],
  ] as const) {
    const text = await see(debit(state, reason))
    assert.ok(text.includes(words) && text.includes('Verwendungszweck'), `${reason}: ${text}`)
  }
  assert.ok(!(await see({ ...debit('DROPPED', 'NOTHING'), open: money(0) })).includes('Verwendungszweck'))
})
