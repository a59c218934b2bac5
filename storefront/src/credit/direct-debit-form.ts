import { text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

export const giveForm = v.object({ do: v.literal('give'), holder: text(70), iban: text(50), isAgreed: v.optional(v.literal('yes')) })
export const revokeForm = v.object({ do: v.literal('revoke') })

/** The forms of the page of the mandate, told apart by `do`. */
export const mandateForm = v.variant('do', [giveForm, revokeForm])
