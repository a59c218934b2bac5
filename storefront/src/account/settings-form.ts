import { email, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

export const profileForm = v.object({
  do: v.literal('profile'),
  firstName: text(60),
  lastName: text(60),
  phone: optionalText(25),
  fiscalNumber: optionalText(20),
})

export const offersForm = v.object({
  do: v.literal('offers'),
  email: optionalText(2),
  sms: optionalText(2),
  smsPhone: optionalText(25),
})

export const phoneCodeForm = v.object({ do: v.literal('phone-code'), code: text(20) })

export const anotherCodeForm = v.object({ do: v.literal('another-code') })

export const dataForm = v.object({ do: v.literal('data') })

export const eraseForm = v.object({ do: v.literal('erase'), email: email() })

/** Submitted to a call of its own (contract/src/credentials.ts). */
export const credentialsForm = v.object({
  do: v.literal('credentials'),
  username: text(200),
  currentPassword: text(200),
  newPassword: text(200),
})

/** The other forms of the page, distinguished by `do`. */
export const settingsForm = v.variant('do', [profileForm, offersForm, phoneCodeForm, anotherCodeForm, dataForm, eraseForm])
