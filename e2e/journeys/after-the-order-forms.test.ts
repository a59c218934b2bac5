import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Market } from '@purlin/contract/markets.ts'
import { paths } from '@purlin/storefront/paths.ts'
import type { Locator } from 'playwright-core'
import { enter } from '../support/account-states.ts'
import { answerBuyer, collect, deliver, handleReturn, returnOf, type SellerReturn } from '../support/after-sale.ts'
import { bought, shows, type Bought } from '../support/buyers.ts'
import { startJourney } from '../support/journey.ts'
import { linkIn } from '../support/mailbox.ts'
import { stateChecks, type StateOptions } from '../support/page-states.ts'
import { lookUntil } from '../support/professionals.ts'
import { variantsOf } from '../support/variants.ts'
import { people, type Visitor } from '../support/visitor.ts'
import { byKeyboard, byPointer, withoutBrowserChecks, type Way } from '../support/ways.ts'

/**
 * The forms that follow an order, by keyboard and without scripts. Each is sent with an error first: the page leads to it, and nothing
 * that was entered is lost.
 */

const journey = startJourney({ pictures: process.env['PICTURES'] !== undefined })

interface Walk {
  visitor: Visitor
  way: Way
  look(name: string, options?: StateOptions): Promise<void>
  /** A form as it opens: axe at every width, and Tab to every control. */
  lookAtForm(name: string): Promise<void>
  /** After an error: follows the link of the summary to its field. */
  goToError(id: string): Promise<void>
  /** Nothing was wrong on the pages. */
  assertFaultless(): void
}

function walkOf(visitor: Visitor, scripts: boolean): Walk {
  const { page } = visitor
  const { look, faults } = stateChecks(visitor, { scripts })
  const way = scripts ? byKeyboard(visitor) : byPointer(visitor)
  return {
    visitor,
    way,
    look,
    lookAtForm: async (name) => {
      await look(name, { everyWidth: scripts, byKeyboard: scripts })
      // The focus begins at the top again.
      if (scripts) await page.reload()
    },
    goToError: async (id) => {
      await way.follow(page.locator(`#error-summary a[href="#${id}"]`))
      await page.locator(`main #${id}-error`).waitFor()
    },
    assertFaultless: () => {
      assert.equal(faults.join('\n'), '')
      assert.deepEqual(
        visitor.complaints.filter((each) => !/status of 422/.test(each)),
        [],
      )
    },
  }
}

const field = ({ page }: Visitor, name: string): Locator => page.locator(`main [name="${name}"]`)
const button = ({ page }: Visitor, name: string): Locator => page.locator('main').getByRole('button', { name, exact: true }).first()
const link = ({ page }: Visitor, name: string): Locator => page.locator('main').getByRole('link', { name, exact: true }).first()
const heading = ({ page }: Visitor, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** A question with ratings: sent without one, the reason stays; with one it is answered. */
async function rate(
  { visitor, way, look, lookAtForm, goToError }: Walk,
  form: { page: string; name: string; send: string },
): Promise<void> {
  const { page, t } = visitor
  const reason = 'It took “three” calls & a letter.'
  await lookAtForm(form.page)
  await withoutBrowserChecks(visitor)
  await way.write(field(visitor, 'comment'), reason)
  await way.send(button(visitor, form.send))
  await page.locator(`#${form.name}-error`).waitFor()
  await look(`${form.page}-unrated`, { failing: true })
  assert.equal(await field(visitor, 'comment').inputValue(), reason)
  await goToError(form.name)
  await way.choose(form.name, 3)
  await way.send(button(visitor, form.send))
  await page.waitForURL(/[?&]done=1/)
  await page.locator('main [role="status"]').waitFor()
  await look(`${form.page}-thanks`)
  await way.follow(link(visitor, t('checkout.receipt.continue')))
  await page.waitForURL(`${visitor.origin}/`)
}

/** Withdraws from the contract about goods that a driver will collect. */
async function withdraw({ visitor, openOrder, sale }: Bought): Promise<SellerReturn> {
  const { page, t } = visitor
  await openOrder()
  await link(visitor, t('returns.withdraw.link')).click()
  await button(visitor, t('returns.continue')).click()
  await button(visitor, t('returns.confirm-withdrawal')).click()
  await page.waitForURL(/\/confirmation\//)
  await lookUntil(page, async () => (await link(visitor, t('returns.collection.address')).count()) > 0)
  return returnOf(sale)
}

async function changeAddress({ visitor, way, look, lookAtForm, goToError }: Walk): Promise<void> {
  const { page, t, market } = visitor
  await way.follow(link(visitor, t('returns.collection.address')))
  await heading(visitor, t('collection.address.title'))
  await lookAtForm('collection-address')
  await way.write(field(visitor, 'line1'), '7 Back Yard')
  await way.write(field(visitor, 'postcode'), '1')
  await way.send(button(visitor, t('collection.address.do')))
  await page.locator('#postcode-error').waitFor()
  await look('collection-address-wrong', { failing: true })
  assert.deepEqual(
    [await field(visitor, 'line1').inputValue(), await field(visitor, 'postcode').inputValue()],
    ['7 Back Yard', '1'],
    'what was entered is kept',
  )
  await goToError('postcode')
  await way.write(field(visitor, 'postcode'), people[market].postcode)
  await way.send(button(visitor, t('collection.address.do')))
  await heading(visitor, t('collection.title'))
  await page.locator('main address').getByText('7 Back Yard').waitFor()
}

/** Chooses an appointment, and waits until the carrier has confirmed it. */
async function book({ visitor, way }: Walk, choice: number): Promise<void> {
  const { page, t } = visitor
  await way.choose('appointment', choice)
  await way.send(button(visitor, t('collection.accept.do')))
  await lookUntil(page, async () => (await shows(visitor, t('collection.state.booked')).count()) > 0)
}

async function bookAndCancel(walk: Walk): Promise<void> {
  const { visitor, way, look, lookAtForm, goToError } = walk
  const { page, t } = visitor
  await lookAtForm('collection')
  await withoutBrowserChecks(visitor)
  await way.send(button(visitor, t('collection.accept.do')))
  await page.locator('#appointment-error').waitFor()
  await look('collection-unchosen', { failing: true })
  await goToError('appointment')
  await book(walk, 1)
  await look('collection-booked')
  await way.follow(link(visitor, t('collection.cancel.title')))
  await heading(visitor, t('collection.cancel.title'))
  await lookAtForm('collection-cancel')
  await way.send(button(visitor, t('collection.cancel.do')))
  await shows(visitor, t('collection.cancel.done')).waitFor()
  await look('collection-cancel-done')
  await way.follow(link(visitor, t('collection.back')))
  await shows(visitor, t('collection.state.cancelled')).waitFor()
  await look('collection-cancelled')
}

/** The driver has been there while the page was open. */
async function cancelTooLate({ visitor, way, look }: Walk, returnId: string): Promise<void> {
  const { page, t } = visitor
  await way.follow(link(visitor, t('collection.cancel.title')))
  await heading(visitor, t('collection.cancel.title'))
  // After a change of the address, an appointment, its cancellation, and another one.
  await collect(journey.shop, returnId, 4)
  const elsewhere = await page.context().newPage()
  await elsewhere.goto(page.url())
  const isClosed = async () => (await elsewhere.getByRole('button', { name: t('collection.cancel.do') }).count()) === 0
  await lookUntil(elsewhere, isClosed)
  await elsewhere.close()
  await way.send(button(visitor, t('collection.cancel.do')))
  await shows(visitor, t('collection.refusal.not-now')).waitFor()
  await look('collection-cancel-late', { failing: true })
  await way.follow(link(visitor, t('collection.back')))
  await shows(visitor, t('collection.state.collected')).waitFor()
  await look('collection-collected')
}

const accounts: Partial<Record<Market, string>> = { gb: 'GB33BUKB20201555555555', de: 'DE89370400440532013000' }

/** The card has taken no refund. */
async function giveAccount({ visitor, way, look, lookAtForm, goToError }: Walk, { openOrder }: Bought): Promise<void> {
  const { page, t, market } = visitor
  const iban = accounts[market]!
  await openOrder()
  await lookUntil(page, async () => (await link(visitor, t('refund.list.give-account')).count()) > 0)
  await look('order-refund-failed')
  await way.follow(link(visitor, t('refund.list.give-account')))
  await heading(visitor, t('refund.page.title'))
  await lookAtForm('refund-account')
  await way.write(field(visitor, 'holder'), 'Robin Field')
  await way.write(field(visitor, 'iban'), `${iban.slice(0, -1)}7`)
  await way.send(button(visitor, t('refund.page.send')))
  await page.locator('#iban-error').waitFor()
  await look('refund-account-wrong', { failing: true })
  assert.equal(await field(visitor, 'holder').inputValue(), 'Robin Field')
  assert.equal(await field(visitor, 'iban').inputValue(), `${iban.slice(0, -1)}7`)
  await goToError('iban')
  await way.write(field(visitor, 'iban'), iban)
  await way.send(button(visitor, t('refund.page.send')))
  await page.getByText(t('flash.refund-account-given')).first().waitFor()
  assert.equal(await field(visitor, 'iban').count(), 0)
  await look('refund-account-given')
}

/** The buyer asks, the seller answers, and the buyer rates the answer. */
async function rateAnswer({ visitor, way, look, lookAtForm }: Walk, { sale }: Bought): Promise<void> {
  const { page, origin, t } = visitor
  const conversation = origin + paths.conversation({ orderId: sale.sellerOrderId })
  await page.goto(conversation)
  await withoutBrowserChecks(visitor)
  await way.send(button(visitor, t('messages.send')))
  await shows(visitor, t('messages.refusal.message-empty')).waitFor()
  await look('conversation-empty-message', { failing: true })
  await way.write(field(visitor, 'text'), 'Do the shelves fit the shed?')
  await way.send(button(visitor, t('messages.send')))
  await shows(visitor, 'Do the shelves fit the shed?').waitFor()
  await answerBuyer(journey.shop, sale, 'They do, with the brackets that came with it.')
  await page.goto(conversation)
  await lookAtForm('conversation-answered')
  await way.send(button(visitor, t('messages.stars', { stars: 4 })))
  await page.waitForURL(origin + paths.sellerMessagesReviewConfirmation())
  await heading(visitor, t('messages.rated.title'))
  await lookAtForm('answer-rated')
  await way.follow(link(visitor, t('messages.rated.back')))
  await page.waitForURL(origin + paths.myMessages({ pageNumber: 1 }))
  await page.goto(conversation)
  await shows(visitor, t('messages.rated', { stars: 4 })).waitFor()
}

const walks: readonly { market: Market; scripts: boolean }[] = [
  { market: 'de', scripts: true },
  { market: 'gb', scripts: false },
  { market: 'gb', scripts: true },
  { market: 'de', scripts: false },
]

for (const { market, scripts } of variantsOf(walks, 2)) {
  const how = scripts ? 'by keyboard' : 'without scripts'

  test(`R-114 R-115 R-118 R-119 R-157 R-291 in ${market} a customer, ${how}, has something collected elsewhere, cancels that in time and too late, gives an account for the refund, and rates the return and an answer`, async () => {
    const options = { market, javaScript: scripts }
    const order = await bought(journey, options, 'customer', { lines: 1, isBulky: true, card: '4000000000000176' })
    const { visitor, sale, email } = order
    const { page, t } = visitor
    const walk = walkOf(visitor, scripts)
    await deliver(sale)
    const request = await withdraw(order)
    await changeAddress(walk)
    await bookAndCancel(walk)
    await book(walk, 2)
    const token = new URL(page.url()).searchParams.get('token') ?? ''
    await cancelTooLate(walk, request.id)

    await page.goto(visitor.origin + paths.returnFeedback({}, { token }))
    await shows(visitor, t('return-feedback.early')).waitFor()
    await walk.look('return-feedback-early')
    await handleReturn(sale, request, 'receive', 'inspect', 'refund')
    await giveAccount(walk, order)
    await page.goto(await linkIn(journey.shop.origin, email, /https?:\/\/[^\s"<>]+\/return\/feedback\?token=[\w-]+/))
    await rate(walk, { page: 'return-feedback', name: 'rating', send: t('return-feedback.send') })

    await rateAnswer(walk, order)
    walk.assertFaultless()
    await visitor.leave()
  })

  test(`R-276 R-291 in ${market} a customer answers the survey ${how}`, async () => {
    const visitor = await journey.visit({ market, javaScript: scripts })
    await enter(journey.shop.databaseUrl(), visitor)
    const walk = walkOf(visitor, scripts)
    await visitor.page.goto(visitor.origin + paths.survey())
    await rate(walk, { page: 'survey', name: 'score', send: visitor.t('survey.send') })
    walk.assertFaultless()
    await visitor.leave()
  })
}
