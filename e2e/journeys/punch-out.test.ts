import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { enter } from '../support/account-states.ts'
import { startJourney, type Journey } from '../support/journey.ts'
import { stateChecks } from '../support/page-states.ts'
import { addToBasket, goodsOf, proMarkets, withoutNotes, type ProMarket } from '../support/professionals.ts'

/** A buyer who comes from a purchasing system by OCI and takes the basket back to it. Walked with `--all` alone. */

interface Credential {
  address: string
  user: string
  password: string
}

/** A purchasing system that knows OCI alone: a form of the buyer's browser calls the shop, and the basket arrives as another. */
const purchasing: { called: Credential; basket: URLSearchParams } = {
  called: { address: '', user: '', password: '' },
  basket: new URLSearchParams(),
}
const server = createServer(
  (request, response) => void serve(request).then((page) => response.setHeader('content-type', 'text/html').end(page)),
)
const listening = Promise.withResolvers<string>()

async function serve(request: IncomingMessage): Promise<string> {
  if (request.method === 'POST') {
    purchasing.basket = new URLSearchParams(await text(request))
    return '<!doctype html><title>Requisition</title><h1>Requisition 7</h1>'
  }
  const { address, user, password } = purchasing.called
  const fields = { USERNAME: user, PASSWORD: password, HOOK_URL: `${await listening.promise}/return?requisition=7`, '~OkCode': 'ADDI' }
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  return `<!doctype html><title>Catalogues</title><form method="post" action="${address}">${inputs.join('')}<button>Purlin</button></form>`
}

async function comeAndGo(journey: Journey, market: ProMarket): Promise<void> {
  const admin = await journey.visit({ market, mode: 'b2b' })
  await enter(journey.shop.databaseUrl(), admin)
  const made = stateChecks(admin)
  const { t } = admin
  await admin.page.goto(`${admin.origin}/my-account/company/punch-out`)
  await made.look('punch-out-credentials')
  await admin.page.locator('main [name="name"]').fill('SAP')
  await admin.page.getByRole('button', { name: t('punch-out.create') }).press('Enter')
  await admin.page.getByText(t('punch-out.new.done')).waitFor()
  await made.look('punch-out-secret')
  const [address = '', user = '', password = ''] = await admin.page
    .locator('main [role="alert"] code, main [role="status"] code')
    .allInnerTexts()
  purchasing.called = { address, user, password }

  const visitor = await journey.visit({ market, mode: 'b2b' })
  const { page, origin } = visitor
  await withoutNotes(page)
  const checks = stateChecks(visitor)
  const host = new URL(await listening.promise).host
  await page.goto(await listening.promise)
  await page.getByRole('button').press('Enter')
  await page.waitForURL(/\/punch-out\/start\//)
  const start = page.url()
  assert.ok((await page.locator('main').innerText()).includes(host))
  await checks.look('punch-out-start')
  await page.getByRole('button', { name: t('punch-out.start.go') }).press('Enter')
  await page.waitForURL(`${origin}/`)

  const [goods] = await goodsOf(visitor)
  assert.ok(goods)
  await addToBasket(visitor, goods)
  await page.goto(`${origin}/cart`)
  await checks.look('punch-out-basket')
  assert.equal(await page.locator('main').getByText(t('quote.request')).count(), 0, 'a visit asks for no quote')
  await page.getByRole('link', { name: t('punch-out.return', { host }) }).press('Enter')
  await page.getByRole('heading', { level: 1, name: t('punch-out.return.title') }).waitFor()
  await checks.look('punch-out-return')
  await page.getByRole('button', { name: t('punch-out.return.go', { host }) }).press('Enter')
  await page.getByRole('heading', { name: 'Requisition 7' }).waitFor()
  const field = (name: string) => purchasing.basket.get(`NEW_ITEM-${name}[1]`)
  assert.deepEqual([field('VENDORMAT'), field('QUANTITY'), purchasing.basket.get('~OkCode')], [goods.offerId, '1.000', 'ADDI'])

  assert.equal((await page.goto(start))?.status(), 410)
  await checks.look('punch-out-over')
  await page.goto(`${origin}/punch-out/return`)
  await checks.look('punch-out-return-again')
  assert.deepEqual([...made.faults, ...checks.faults], [])
  await visitor.leave()
  await admin.leave()
}

if (process.env['ALL_STATES'] !== undefined) {
  const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })
  server.listen(0, '127.0.0.1', () => listening.resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  after(() => server.close())
  for (const market of proMarkets)
    test(`in ${market} a buyer comes from a purchasing system, fills a basket and takes it back, by keyboard`, () =>
      comeAndGo(journey, market))
}
