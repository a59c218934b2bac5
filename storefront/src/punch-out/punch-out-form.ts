import { namesOf } from '@purlin/web/form-action.ts'
import { choice, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import { revokeForm } from '../company/company-form.ts'

export const protocols = ['OCI', 'CXML'] as const

export const createForm = v.object({ do: v.literal('create'), name: text(60), protocol: choice(protocols), memberId: text(40) })

/** The forms of the page of credentials, told apart by `do`. */
export const credentialsForm = v.variant('do', [createForm, revokeForm])

/** The form of the start page, which the gateway reads itself. */
export const startField = namesOf(v.object({ token: text(64) }))
