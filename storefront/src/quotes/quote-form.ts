import { namesOf } from '@purlin/web/form-action.ts'
import { choice, optionalLines, optionalText } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** Requests a quote for the seller's lines of the cart, or for one offer. */
export const requestForm = v.object({
  message: optionalLines(2_000),
  wantedOn: optionalText(10),
  quantity: optionalText(6),
})

export const decideForm = v.object({ do: choice(['accept', 'end']) })
export const decideField = namesOf(decideForm)
