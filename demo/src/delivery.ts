import type { DemoSeller } from './sellers.ts'
import type { DemoProduct } from './product.ts'
import type { Market } from './languages.ts'

export interface DemoDelivery {
  kind: 'standard' | 'kerbside' | 'express' | 'relay' | 'appointment'
  /** Minor units with VAT. */
  fee: number
  daysMin: number
  daysMax: number
}

const parcelLimitG = 30_000
const relayLimitG = 20_000

/**
 * A seller's delivery options for a product in a market. Abroad costs more and takes longer; heavy or bulky goods are freight.
 * @param roll numbers of 0…1 by salt, the offer's own
 */
export function deliveryOf(
  product: DemoProduct,
  seller: DemoSeller,
  market: Market,
  isMmf: boolean,
  roll: (salt: number) => number,
): DemoDelivery[] {
  const isHome = seller.country.toLowerCase() === market
  const abroadFee = isHome || isMmf ? 0 : 300
  const abroadDays = isHome || isMmf ? 0 : 2
  const kilos = product.weightG / 1000
  if (product.weightG > parcelLimitG || product.flags.includes('bulky')) return freight(kilos, abroadFee, abroadDays, roll)

  const fee = roll(1) < 0.2 ? 0 : ([290, 390, 490, 590, 690][Math.floor(roll(2) * 5)] as number) + abroadFee + (kilos > 10 ? 300 : 0)
  const daysMin = (isMmf ? 1 : 2) + abroadDays
  const deliveries: DemoDelivery[] = [{ kind: 'standard', fee, daysMin, daysMax: daysMin + 2 }]
  if ((isHome && roll(3) < 0.45) || isMmf)
    deliveries.push({ kind: 'express', fee: 990 + 300 * Math.floor(roll(4) * 3), daysMin: 1, daysMax: 1 })
  if (product.weightG <= relayLimitG && roll(5) < 0.55) {
    deliveries.push({ kind: 'relay', fee: Math.max(0, fee - 150), daysMin: daysMin + 1, daysMax: daysMin + 3 })
  }
  return deliveries
}

function freight(kilos: number, abroadFee: number, abroadDays: number, roll: (salt: number) => number): DemoDelivery[] {
  const fee = (kilos > 300 ? 8990 : kilos > 70 ? 5990 : 2990) + 500 * Math.floor(roll(2) * 4) + abroadFee * 5
  const appointment: DemoDelivery = {
    kind: 'appointment',
    fee: roll(1) < 0.15 ? 0 : fee,
    daysMin: 4 + abroadDays,
    daysMax: 8 + 2 * abroadDays,
  }
  if (kilos > 70) return [{ ...appointment, kind: 'kerbside' }, appointment]
  return [
    { kind: 'standard', fee: 1490 + 500 * Math.floor(roll(6) * 3) + abroadFee * 2, daysMin: 3 + abroadDays, daysMax: 6 + abroadDays },
    appointment,
  ]
}
