import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { consentValue } from '@purlin/contract/consent.ts'
import { createApiKey } from '@purlin/server/after-sale/integrations/api-keys.ts'
import { handlers as orderMails } from '@purlin/server/after-sale/notify/jobs.ts'
import { runWork } from '@purlin/server/edges/worker/testing.ts'
import { newId } from '@purlin/server/foundation/platform/index.ts'
import { useSettings } from '@purlin/server/foundation/platform/testing.ts'
import { addCustomer, signIn } from '@purlin/server/people/accounts/testing.ts'
import { newVisitorId } from '@purlin/server/people/consent/issued-visitor.ts'
import { addToCart } from '@purlin/server/selling/cart/index.ts'
import { companiesIn, draftOrder, must, newBuyer, type Buyer } from '@purlin/server/selling/checkout/testing.ts'
import { createCredential } from '@purlin/server/selling/punchout/manage-credentials.ts'
import type { QuotaRow, QuotaRows } from './quota-row.ts'
import { newSubscription, requestsOf, silence, tooMany, vitalBody } from './quota-requests.ts'
import { quotaRowsOfCompanies } from './quota-rows-of-companies.ts'
import { quotaRowsOfCustomers } from './quota-rows-of-customers.ts'
import { quotaRowsOfSellers } from './quota-rows-of-sellers.ts'
import type { VisitorsShop } from './visitors.ts'

/** One row for each quota and subject: how a stranger uses it up, by requests to the running shop. */
export function quotaRows(shop: VisitorsShop, operatorKey: string): QuotaRows {
  const { database } = shop
  const { db, pool } = database
  const requests = requestsOf(shop)
  const { newAddress, asks, graphql, count, leaving, mailsTo, jobs } = requests

  const byAddress = (refusal: string, send: (from: string) => Promise<string>): QuotaRow => ({
    refusal,
    newSender: async () => {
      const counted = newAddress()
      return { counted, send: () => send(counted) }
    },
  })
  /** Everything but the subject is new in each request. */
  const by = <Subject extends { counted: string }>(
    refusal: string,
    subject: () => Promise<Subject>,
    send: (subject: Subject, from: string) => Promise<string>,
  ): QuotaRow => ({
    refusal,
    newSender: async () => {
      const one = await subject()
      return { counted: one.counted, send: () => send(one, newAddress()) }
    },
  })

  const newEmail = async () => ({ counted: `${randomUUID()}@quotas.example` })
  const newGuest = async (email?: string) => {
    const { id, token } = await signIn(db, {})
    const guest = newBuyer(database, {
      principal: { kind: 'guest', id, email: email ?? `${id}@quotas.example` },
      session: { id },
    })
    return { counted: id, cookie: `__Host-purlin=${token}`, buyer: guest }
  }
  const newCustomer = async () => {
    const customer = await addCustomer(db)
    const { id, token } = await signIn(db, { customerId: customer.id })
    const buyer = newBuyer(database, { principal: { kind: 'customer', ...customer }, session: { id } })
    return { counted: customer.id, cookie: `__Host-purlin=${token}`, buyer }
  }
  type Visitor = Awaited<ReturnType<typeof newGuest>>
  const withCart = async <Who extends { buyer: Buyer }>(who: Who): Promise<Who> => {
    must(await who.buyer.does((scope) => addToCart(scope, { offerId: '410', quantity: 1 })))
    return who
  }
  const withDraft = async <Who extends { buyer: Buyer }>(who: Who) => ({
    ...who,
    orderId: await draftOrder(who.buyer, [{ offerId: '410', quantity: 1 }]),
  })

  const guess = ({ cookie }: Pick<Visitor, 'cookie'>, from: string) =>
    graphql(from, 'mutation ($code: String!) { answer: applyCoupon(code: $code) { refusal { reason } } }', {
      cookie,
      variables: { code: `W${randomBytes(4).toString('hex')}` },
      served: ['coupon-unknown'],
    })
  const order = ({ cookie, orderId }: { cookie: string; orderId: string }, from: string) =>
    graphql(
      from,
      'mutation ($orderId: ID!, $key: String!) { answer: placeOrder(customerOrderId: $orderId, idempotencyKey: $key) { refusal { reason } } }',
      { cookie, variables: { orderId, key: randomUUID() } },
    )
  const message = (from: string, email: string, input: object = {}, cookie = '') =>
    graphql(from, 'mutation ($input: MessageInput!) { answer: sendMessage(input: $input) { refusal { reason } } }', {
      cookie,
      variables: { input: { kind: 'question', name: 'Robin Field', email, text: 'Where is my saw, please?', ...input } },
    })
  const withdrawal = { kind: 'withdrawal', orderId: 'P0123456789ABCDEF' }
  const link = (from: string, orderId: string, email: string) =>
    leaving(jobs('notify.order-link'), () =>
      graphql(from, 'mutation ($orderId: String!, $email: String!) { answered: requestOrderLink(orderId: $orderId, email: $email) }', {
        variables: { orderId, email },
      }),
    )
  const subscribe = (from: string, email: string) =>
    leaving(jobs('newsletter.ask'), () =>
      graphql(from, 'mutation ($email: String!) { answer: subscribeToNewsletter(email: $email) { refusal { reason } } }', {
        variables: { email },
      }),
    )
  const remind = async (from: string, email: string) => {
    const { cookie, buyer } = await newGuest(email)
    await draftOrder(buyer, [{ offerId: '410', quantity: 1 }])
    return leaving(
      () => count('reminders.guest where email = $1', email),
      () => graphql(from, 'mutation { answered: agreeToBasketReminder }', { cookie }),
    )
  }
  const expire = async (email: string, from: string) => {
    const { orderId, ...guest } = await withDraft(await newGuest(email))
    const placed = await order({ ...guest, orderId }, from)
    if (placed !== 'served') return placed
    await database.command({}, async (scope) =>
      scope.emit('order.cancelled', { customerOrderId: orderId, market: 'gb', reason: 'hold-expired' }),
    )
    return leaving(mailsTo(email), async () => {
      await runWork(database, orderMails)
      return 'served'
    })
  }

  const punchOut = (from: string, name = 'nobody', secret = 'none') =>
    asks(
      '/api/v1/punch-out/oci',
      { mode: 'b2b', form: { USERNAME: name, PASSWORD: secret, HOOK_URL: 'https://srm.buyer.example/' } },
      [303, 401],
    )(from)
  const newSystem = async () => {
    const companies = companiesIn(database)
    const admin = await companies.join(await companies.newCompany(), 'admin')
    const { identity, secret } = must(
      await admin.does((scope) => createCredential(scope, { name: 'SRM', protocol: 'oci', memberId: admin.principal.id })),
    )
    const { rows } = await pool.query<{ id: string }>('select id from punchout.credential where identity = $1', [identity])
    return { counted: rows[0]?.id ?? '', identity, secret }
  }

  const consented = (visitorId: string) => `mm_consent=${consentValue(['statistics', 'userPreferences'], null)}; mm_visitor_id=${visitorId}`
  /** The cookies go in any case; what is stored goes with the event. */
  const withdraw = (from: string, visitorId: string) =>
    leaving(
      () => count(`platform.outbox where type = 'consent.withdrawn'`),
      () => asks('/api/v1/consent', { json: { choice: 'none' }, cookies: consented(visitorId) }, [204])(from),
    )
  const event = (from: string, visitorId: string, agent?: string) =>
    asks(
      '/api/v1/events',
      {
        cookies: consented(visitorId),
        json: { events: [{ id: newId(), name: 'add_to_cart', page: { name: 'product', type: 'product' }, data: {} }] },
        ...(agent && { headers: { 'user-agent': agent } }),
      },
      // Of a program nothing is stored.
      [agent ? 202 : 204],
    )(from)
  const vital = (from: string, visitorId: string) =>
    asks('/api/v1/web-vitals/beacon', { cookies: consented(visitorId), json: vitalBody }, [204])(from)
  const subscribeToPush = (from: string) =>
    asks('/api/v1/push/subscriptions', { cookies: consented(newVisitorId()), json: newSubscription() }, [201])(from)
  /** In a list of a search of its own. */
  const click = async (from: string) => {
    const queryID = randomBytes(16).toString('hex')
    await pool.query(`insert into merchandising.asked (query_id, market, day, query) values ($1, 'gb', current_date, 'drill')`, [queryID])
    return leaving(
      () => count('merchandising.search_event'),
      () =>
        asks('/search-engine/1/events', {
          cookies: consented(newVisitorId()),
          headers: { 'x-algolia-api-key': 'purlin-search' },
          json: {
            events: [
              {
                eventType: 'click',
                eventName: 'card',
                index: 'products_gb',
                userToken: 'visitor-1',
                objectIDs: ['41'],
                queryID,
              },
            ],
          },
        })(from),
    )
  }
  const flags = { context: { CHANNEL: 'web', MARKET: 'gb', PLATFORM: 'b2c' }, visitor_id: randomUUID() }
  /** A program without a name counts as a crawler. */
  const person = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const seen = (from: string) =>
    leaving(
      () => count('experiments.exposure'),
      () =>
        asks(
          '/api/v1/experiment-exposures',
          { cookies: consented(newVisitorId()), json: ['quota-rows'], headers: { 'user-agent': person } },
          [204],
        )(from),
    )
  /** An experiment that everybody takes part in. */
  const experiment = async () => {
    const variations = [1, 2].map((id) => ({ id, name: `v${id}`, weight: 1 }))
    const json = {
      name: 'quota-rows',
      state: 'running',
      type: 'ab',
      layer: 'pages',
      slots: [0, 1000],
      markets: ['gb'],
      modes: ['b2c'],
      variations,
    }
    const headers = { authorization: `Bearer ${operatorKey}` }
    const { status, body } = await shop.ask('anonymous', 'b2c', '/api/v1/operator/experiments/1', { method: 'PUT', json, headers })
    if (status !== 204) throw new Error(`The experiment was not started: ${status} ${body}`)
  }
  const started = { experiment: undefined as Promise<void> | undefined }

  const newProgram = async () => {
    const made = await database.command({}, (scope) => createApiKey(scope, { name: 'A partner', costPerMinute: 200_000, days: 1 }))
    if (!made) throw new Error('The key was not created')
    return { counted: made.key.id, secret: made.secret }
  }
  const withKey = async ({ secret }: { secret: string }, from: string) => {
    useSettings({ ...shop.provider.settings, OPERATOR_API_KEY: operatorKey, PUBLIC_API: 'on', DOCUMENTS_PROCESS: 'on' })
    try {
      return await graphql(from, '{ site { market } }', { headers: { 'x-api-key': secret } })
    } finally {
      useSettings({ ...shop.provider.settings, OPERATOR_API_KEY: operatorKey })
    }
  }

  const challenge = createHash('sha256').update('a secret').digest('base64url')
  let postcode = 10
  return {
    page: { address: byAddress(tooMany, asks('/p/cordless-drill-41')) },
    request: { address: byAddress(tooMany, asks('/api/auth/session')) },
    file: { address: byAddress(tooMany, asks('/pictures/p/41/main.svg', {}, [200, 404])) },
    search: { address: byAddress(tooMany, asks('/search/drill')) },
    query: { address: byAddress(tooMany, (from) => graphql(from, '{ site { market } }')) },
    'public-api': { key: by(tooMany, newProgram, withKey) },
    suggestion: { address: byAddress(tooMany, asks('/api/v1/address-suggestions?country=GB&text=Man')) },
    'pick-up-points': {
      // Places found before are known.
      address: byAddress(tooMany, (from) => graphql(from, `{ answered: pickUpPoints(near: "M${++postcode} 1AE") { __typename } }`)),
    },
    event: {
      address: byAddress(tooMany, (from) => event(from, newVisitorId())),
      session: by(
        tooMany,
        async () => ({ counted: newVisitorId() }),
        ({ counted }, from) => event(from, counted),
      ),
    },
    'web-vital': {
      address: byAddress(tooMany, (from) => vital(from, newVisitorId())),
      session: by(
        tooMany,
        async () => ({ counted: newVisitorId() }),
        ({ counted }, from) => vital(from, counted),
      ),
    },
    measurement: { line: byAddress(tooMany, (from) => event(from, newVisitorId(), 'Mozilla/5.0 (X11; Linux x64) Chrome/140')) },
    'search-event': { address: byAddress(silence, click), line: byAddress(silence, click) },
    experiment: { address: byAddress(tooMany, asks('/ab-test/api/v1/user/flags', { json: flags })) },
    'counted-visitor': {
      address: byAddress(silence, async (from) => {
        await (started.experiment ??= experiment())
        return seen(from)
      }),
    },
    ...quotaRowsOfSellers(shop, requests),
    ...quotaRowsOfCompanies(shop, requests),
    ...quotaRowsOfCustomers(shop, requests),
    session: {
      address: byAddress(tooMany, (from) =>
        graphql(from, 'mutation { answer: addToCart(offerId: "410", quantity: 1) { refusal { reason } } }'),
      ),
    },
    'punch-out': {
      address: byAddress(tooMany, punchOut),
      key: by(tooMany, newSystem, ({ identity, secret }, from) => punchOut(from, identity, secret)),
    },
    'sign-in': { address: byAddress(tooMany, asks('/api/v1/register', {}, [302])) },
    exchange: {
      customer: by(tooMany, newCustomer, ({ cookie }, from) =>
        asks(`/api/v1/exchange-to-pro?challenge=${challenge}`, { cookies: cookie }, [302])(from),
      ),
    },
    'coupon-guess': {
      session: by('too-many-attempts', async () => withCart(await newGuest()), guess),
      customer: by('too-many-attempts', async () => withCart(await newCustomer()), guess),
      address: byAddress('too-many-attempts', async (from) => guess(await withCart(await newGuest()), from)),
    },
    order: {
      session: by('too-many-attempts', async () => withDraft(await newGuest()), order),
      customer: by('too-many-attempts', async () => withDraft(await newCustomer()), order),
      address: byAddress('too-many-attempts', async (from) => order(await withDraft(await newGuest()), from)),
    },
    message: {
      session: by('too-many-messages', newGuest, ({ cookie, counted }, from) => message(from, `${counted}@quotas.example`, {}, cookie)),
      customer: by('too-many-messages', newCustomer, ({ cookie, counted }, from) => message(from, `${counted}@quotas.example`, {}, cookie)),
      address: byAddress('too-many-messages', async (from) => message(from, (await newEmail()).counted)),
    },
    'customer-message': {
      address: byAddress('too-many-messages', async (from) => {
        const { counted, cookie } = await newCustomer()
        return message(from, `${counted}@quotas.example`, {}, cookie)
      }),
    },
    acknowledgement: {
      email: by(silence, newEmail, ({ counted }, from) => leaving(mailsTo(counted), () => message(from, counted))),
    },
    'order-link': {
      key: by(
        silence,
        async () => {
          const { counted: email } = await newEmail()
          const orderId = `P${randomBytes(8).toString('hex').toUpperCase()}`
          return { counted: `${orderId} ${createHash('sha256').update(email).digest('base64url')}`, orderId, email }
        },
        ({ orderId, email }, from) => link(from, orderId, email),
      ),
      address: byAddress(silence, async (from) =>
        link(from, `P${randomBytes(8).toString('hex').toUpperCase()}`, (await newEmail()).counted),
      ),
    },
    'unpaid-order': { email: by(silence, newEmail, ({ counted }, from) => expire(counted, from)) },
    withdrawal: { address: byAddress('too-many-messages', async (from) => message(from, (await newEmail()).counted, withdrawal)) },
    'unmatched-withdrawal': {
      address: byAddress(silence, async (from) => {
        const { counted: email } = await newEmail()
        return leaving(mailsTo(email), () => message(from, email, withdrawal))
      }),
      email: by(silence, newEmail, ({ counted }, from) => leaving(mailsTo(counted), () => message(from, counted, withdrawal))),
    },
    newsletter: {
      email: by(silence, newEmail, ({ counted }, from) => subscribe(from, counted)),
      address: byAddress(silence, async (from) => subscribe(from, (await newEmail()).counted)),
    },
    'basket-reminder': {
      email: by(silence, newEmail, ({ counted }, from) => remind(from, counted)),
      address: byAddress(silence, async (from) => remind(from, (await newEmail()).counted)),
    },
    consent: { address: byAddress(tooMany, asks('/api/v1/consent', { json: { choice: 'all' } }, [204])) },
    'consent-withdrawal': {
      address: byAddress(silence, (from) => withdraw(from, newVisitorId())),
      line: byAddress(silence, (from) => withdraw(from, newVisitorId())),
      key: by(
        silence,
        () => Promise.resolve({ counted: newVisitorId() }),
        ({ counted }, from) => withdraw(from, counted),
      ),
    },
    push: { address: byAddress(tooMany, asks('/api/v1/push/key')) },
    'new-push': { line: byAddress(tooMany, subscribeToPush) },
    sheet: {
      // A form without a sheet is refused after it has been counted.
      address: byAddress(
        tooMany,
        asks(
          '/api/v1/quick-order/sheet',
          { mode: 'b2b', text: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
          [303, 400, 415],
        ),
      ),
    },
    vote: {
      address: byAddress('too-many-votes', async (from) =>
        graphql(from, `mutation { answer: voteOnReview(id: "${randomUUID()}", isHelpful: true) { refusal { reason } } }`, {
          cookie: (await newGuest()).cookie,
          served: ['unknown-review'],
        }),
      ),
    },
    question: {
      address: byAddress('too-many-questions', async (from) =>
        graphql(from, 'mutation ($input: QuestionInput!) { answer: askQuestion(input: $input) { refusal { reason } } }', {
          cookie: (await newGuest()).cookie,
          variables: { input: { productId: '41', text: 'Does it come with a battery and a charger?', author: 'Robin' } },
        }),
      ),
    },
  }
}
