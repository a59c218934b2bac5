import { consentPurposes } from '@purlin/contract/consent.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import { choice, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

/** The fields that `POST /api/v1/consent` takes; it checks them itself. */
const consentForm = v.object({
  choice: choice(['all', 'none', 'some']),
  purposes: v.array(choice(consentPurposes)),
  back: text(1_000),
  signal: choice(['', 'gpc']),
})
export const consentField = namesOf(consentForm)
