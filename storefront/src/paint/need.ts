import { typedNumber } from '@purlin/ui'
import { namesOf } from '@purlin/web/form-action.ts'
import { optionalText } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import type { ShopContext } from '../shell/context.ts'

/** The calculator's form; its answer is the page at another address, so it has no action. */
export const needField = namesOf(v.object({ area: optionalText(20), coats: optionalText(2) }))

/** A usual room: four walls of four metres. */
export const usual = { area: 40, coats: 2 }
const areaMax = 500
const coatsMax = 3

export interface TypedNeed {
  /** As typed, to show it again. */
  area: string
  coats: number
  isWrong: boolean
}

/** The area and coats in an address. */
export function needOf({ query }: ShopContext): TypedNeed {
  const typed = typeof query['area'] === 'string' ? query['area'].trim().slice(0, 20) : ''
  const area = typedNumber(typed)
  const coats = Number(query['coats'])
  return {
    area: typed,
    coats: Number.isInteger(coats) && coats >= 1 && coats <= coatsMax ? coats : usual.coats,
    isWrong: typed !== '' && (area === null || area < 1 || area > areaMax),
  }
}
