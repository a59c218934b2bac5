/** Freight is announced by phone; parcels are not. The only case in which an order needs a phone number. (V-41) */
export function needsPhone(deliveryKind: string): boolean {
  return deliveryKind === 'kerbside' || deliveryKind === 'appointment'
}
