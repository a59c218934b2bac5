import { failed, type Reply } from './answers.ts'
import type { Address, Store } from './store.ts'

const withoutPerson = ({ country }: Address): Address => ({
  name: 'removed',
  company: null,
  street1: '',
  street2: null,
  zip: '',
  city: '',
  country,
})

/**
 * `DELETE …/personal_data` of a shipment or a pickup: names, addresses and places go, of sender and recipient alike; number, weight and
 * events stay. Undefined for another address of the API.
 */
export function createRemovalApi(store: Store) {
  return (method: string, path: string): Reply | undefined => {
    const [, kind = '', key = ''] = /^\/v2\/(shipments|pickups)\/([\w-]{1,64})\/personal_data$/.exec(path) ?? []
    if (method !== 'DELETE' || key === '') return undefined
    if (kind === 'pickups') {
      const pickup = store.findPickup(key)
      if (!pickup) return failed(404, 'PICKUP.NOT_FOUND')
      store.replacePickup({ ...pickup, address: withoutPerson(pickup.address), instructions: null })
    } else {
      const shipment = store.find(key)
      if (!shipment) return failed(404, 'SHIPMENT.NOT_FOUND')
      const { from, to, plan } = shipment
      store.replace({
        ...shipment,
        from: withoutPerson(from),
        to: withoutPerson(to),
        // Those of earlier releases have the whole address.
        plan: plan.map((step) => ({ ...step, tracking_location: { city: null, country: step.tracking_location.country } })),
      })
    }
    store.truncateLog()
    return { status: 200, body: {} }
  }
}
