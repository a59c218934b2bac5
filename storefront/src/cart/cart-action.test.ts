import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiDocument } from '@purlin/contract/document.ts'
import { knownDocuments } from '@purlin/contract/generated/known-documents.ts'
import { formFrom } from '@purlin/web/form.ts'
import type { ShopContext } from '../shell/context.ts'
import { cartAction } from './cart-action.ts'

/** A fake shop that records its requests and refuses on demand. */
function shop(refusal: { reason: string; message: string } | null = null) {
  const asked: { document: string; variables: Record<string, unknown> | undefined }[] = []
  const context = {
    t: (key: string) => key,
    client: {
      mutate: async ({ id }: ApiDocument<unknown, never>, variables: Record<string, unknown> = {}) => {
        asked.push({ document: knownDocuments[id] ?? '', variables })
        return { result: { refusal } }
      },
    },
  } as unknown as ShopContext
  const post = (fields: Record<string, string>) => cartAction.run(context, formFrom(Object.entries(fields)))
  return { asked, post }
}

test('each cart form sends one command and returns to the cart', async () => {
  const cases: [Record<string, string>, RegExp, Record<string, unknown>][] = [
    [{ do: 'add', offerId: 'o1', quantity: '3' }, /addToCart/, { offerId: 'o1', quantity: 3 }],
    [{ do: 'add', offerId: 'o1' }, /addToCart/, { offerId: 'o1', quantity: 1 }],
    [{ do: 'set', offerId: 'o1', quantity: '5' }, /setCartQuantity/, { offerId: 'o1', quantity: 5 }],
    [{ do: 'set', offerId: 'o1', quantity: '5', to: '6' }, /setCartQuantity/, { offerId: 'o1', quantity: 6 }],
    [{ do: 'set', offerId: 'o1', quantity: '5', to: '0' }, /setCartQuantity/, { offerId: 'o1', quantity: 0 }],
    [{ do: 'remove', offerId: 'o1' }, /removeFromCart/, { offerId: 'o1' }],
    [{ do: 'coupon', code: ' DIY10 ' }, /applyCoupon/, { code: 'DIY10' }],
    [{ do: 'remove-coupon' }, /removeCoupon/, {}],
    [{ do: 'delivery', sellerId: '4', kind: 'relay' }, /chooseCartDelivery/, { sellerId: 4, kind: 'relay' }],
    [{ do: 'confirm' }, /confirmCartChanges/, {}],
    [{ do: 'replace', offerId: '1', byOfferId: '2' }, /replaceInCart/, { offerId: '1', byOfferId: '2' }],
  ]
  for (const [fields, mutation, variables] of cases) {
    const { asked, post } = shop()
    const answer = await post(fields)
    assert.equal(answer.outcome, 'redirect', JSON.stringify(fields))
    assert.deepEqual(answer.outcome === 'redirect' && [answer.status, answer.to], [303, '/cart'])
    assert.equal(asked.length, 1)
    assert.match(asked[0]!.document, mutation)
    assert.deepEqual(asked[0]!.variables, variables)
  }
})

test('a refusal by the shop is shown at the form concerned, with its message', async () => {
  const { post } = shop({ reason: 'out-of-stock', message: 'Only 3 left.' })
  const answer = await post({ do: 'set', offerId: 'o1', quantity: '9' })
  assert.deepEqual(answer, { outcome: 'refuse', refusal: { form: 'set', offerId: 'o1', message: 'Only 3 left.' }, status: 422 })
})

test('malformed input is refused without a request to the shop', async () => {
  const nonsense: Record<string, string>[] = [
    { do: 'add', offerId: '', quantity: '1' },
    { do: 'add', offerId: 'o1', quantity: '-1' },
    { do: 'add', offerId: 'o1', quantity: '1.5' },
    { do: 'set', offerId: 'o1', quantity: '' },
    { do: 'delivery', sellerId: 'x', kind: 'home' },
    { do: 'coupon', code: '  ' },
    { do: 'coupon', code: 'x'.repeat(65) },
    { do: 'toString', offerId: 'o1' },
    { do: '' },
  ]
  for (const fields of nonsense) {
    const { asked, post } = shop()
    const answer = await post(fields)
    assert.equal(answer.outcome, 'refuse', JSON.stringify(fields))
    assert.equal(asked.length, 0)
  }
})
