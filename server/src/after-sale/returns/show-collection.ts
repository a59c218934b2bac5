import { wordsFor } from '@purlin/words/catalogues.ts'
import type { Scope } from '#platform'
import { agreedHours, appointmentsFrom, canChange, hoursOf, isSame, valueOf, type Collection } from './collection.ts'
import { readCollection } from './collection-store.ts'
import { findReturnByLink, returnToken } from './return-link.ts'
import type { ReturnRequest } from './return-request.ts'

/** The collection a link of a mail leads to; null for forged, expired and foreign ones. */
export async function showCollection(scope: Scope, token: string) {
  const found = await findReturnByLink(scope, token)
  if (!found) return null
  const { request, order } = found
  const collection = await readCollection(scope.db, request.id)
  const part = order.sellerOrders.find(({ id }) => id === request.sellerOrderId)
  if (!collection || !part) return null
  const { market } = request
  const t = wordsFor(market)
  const { state, address } = collection
  const isChosen = state === 'accepted' || state === 'booked'
  return {
    number: request.number,
    state,
    stateLabel: t(`collection.state.${state}`),
    sellerName: part.seller.name,
    canChange: request.state === 'label-sent' && canChange(state),
    ...agreedHours(market, collection),
    address,
    appointments: appointmentsFrom(market, scope.now).map((each) => ({
      value: valueOf(each),
      ...hoursOf(market, each),
      isChosen: isChosen && isSame(each, collection),
    })),
    lines: request.lines.map(({ offerId, quantity }) => ({
      offerId,
      quantity,
      title: part.lines.find((line) => line.offerId === offerId)?.snapshot.title ?? '',
    })),
  }
}

/** For the page of a return: what has been agreed with the driver, and the way to change it. */
export async function collectionOf({ db }: Pick<Scope, 'db'>, { id, market, method }: ReturnRequest, mayChange: boolean) {
  const collection: Collection | undefined = method === 'home-collection' ? await readCollection(db, id) : undefined
  if (!collection) return null
  const { state } = collection
  return {
    state,
    stateLabel: wordsFor(market)(`collection.state.${state}`),
    token: mayChange ? returnToken(id) : null,
    ...agreedHours(market, collection),
  }
}
