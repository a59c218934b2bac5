import { markets } from '@purlin/contract/markets.ts'
import { checkAddress, type AddressInput, type FieldRefusals } from '#addresses'
import { enqueue, type Scope } from '#platform'
import type { ReturnJob } from './arrange-way-back.ts'
import { appointmentsFrom, canChange, isSame, maxRounds, valueOf, type Collection } from './collection.ts'
import { lockCollection, writeCollection } from './collection-store.ts'
import { findReturnByLink } from './return-link.ts'
import { notifyCollection } from './notify-collection.ts'
import type { ReturnRequest } from './return-request.ts'

export type ChangedCollection =
  | { ok: true; collection: Collection }
  | { ok: false; reason: 'unknown-link' | 'not-now' | 'too-often' | 'appointment-gone' }
  | { ok: false; reason: 'address-invalid'; fields: FieldRefusals }

type Change = (request: ReturnRequest, collection: Collection) => Collection | Extract<ChangedCollection, { ok: false }>

/** The buyer chooses an appointment by its value, or another one: the carrier is told by the worker. */
export function acceptCollection(scope: Scope, token: string, wanted: string): Promise<ChangedCollection> {
  return change(scope, token, ({ market }, collection) => {
    const chosen = appointmentsFrom(market, scope.now).find((each) => valueOf(each) === wanted)
    if (!chosen) return { ok: false, reason: 'appointment-gone' }
    const isBooked = collection.state === 'accepted' || collection.state === 'booked'
    if (isBooked && isSame(chosen, collection)) return collection
    return { ...collection, ...chosen, state: 'accepted', round: collection.round + 1 }
  })
}

/** The goods are somewhere else. An appointment that was chosen is kept. */
export function changeCollectionAddress(scope: Scope, token: string, input: AddressInput): Promise<ChangedCollection> {
  return change(scope, token, ({ market }, collection) => {
    const { line1, line2, postcode, city, phone, instructions, firstName, lastName, company } = input
    const checked = checkAddress(market, { line1, line2, postcode, city, phone, instructions, firstName, lastName, company })
    if ('fields' in checked) return { ok: false, reason: 'address-invalid', fields: checked.fields }
    if (checked.address.phone === '') return { ok: false, reason: 'address-invalid', fields: { phone: 'missing' } }
    const isBooked = collection.state === 'accepted' || collection.state === 'booked'
    const address = { ...checked.address, country: markets[market].country }
    return { ...collection, address, state: isBooked ? 'accepted' : collection.state, round: collection.round + 1 }
  })
}

/** No driver comes; another appointment can still be chosen while the goods are expected. */
export function cancelCollection(scope: Scope, token: string): Promise<ChangedCollection> {
  return change(scope, token, (_request, collection) =>
    collection.state === 'cancelled' ? collection : { ...collection, state: 'cancelled', round: collection.round + 1 },
  )
}

/** One change under the row's lock; each is a round of its own with the carrier, so that the last one counts. */
async function change(scope: Scope, token: string, next: Change): Promise<ChangedCollection> {
  const request = (await findReturnByLink(scope, token))?.request
  const before = request && (await lockCollection(scope.db, request.id))
  if (!request || !before) return { ok: false, reason: 'unknown-link' }
  if (request.state !== 'label-sent' || !canChange(before.state)) return { ok: false, reason: 'not-now' }
  const after = next(request, before)
  if ('ok' in after) return after
  if (after === before) return { ok: true, collection: before }
  if (after.round > maxRounds && after.state !== 'cancelled') return { ok: false, reason: 'too-often' }
  await writeCollection(scope.db, after)
  if (after.state === 'cancelled') await notifyCollection(scope, request, after, 'cancelled')
  const payload: ReturnJob = { requestId: request.id }
  await enqueue(scope.db, { name: 'returns.arrange-collection', key: request.id, payload })
  return { ok: true, collection: after }
}
