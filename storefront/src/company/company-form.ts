import { choice, email, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

export const memberRoles = ['ADMIN', 'APPROVER', 'BUYER', 'ACCOUNTANT', 'VIEWER'] as const

export const inviteForm = v.object({ do: v.literal('invite'), email: email(), role: choice(memberRoles) })
export const roleForm = v.object({ do: v.literal('role'), id: text(40), role: choice(memberRoles) })
export const removeForm = v.object({ do: v.literal('remove'), id: text(40) })
export const leaveForm = v.object({ do: v.literal('leave'), id: text(40) })
export const revokeForm = v.object({ do: v.literal('revoke'), id: text(40) })
/** The member acts for another of their companies. */
export const switchForm = v.object({ do: v.literal('switch'), id: text(40) })

/** Whether the company pays its invoices once a month or one by one. */
export const payMonthlyForm = v.object({ do: v.literal('pay-monthly') })
export const payEachForm = v.object({ do: v.literal('pay-each') })

/** The forms of the company's page, told apart by `do`. */
export const companyForm = v.variant('do', [
  inviteForm,
  roleForm,
  removeForm,
  leaveForm,
  revokeForm,
  switchForm,
  payMonthlyForm,
  payEachForm,
])

/** The role in the words of the catalogue. */
export const roleWords = { ADMIN: 'admin', APPROVER: 'approver', ACCOUNTANT: 'accountant', VIEWER: 'viewer', BUYER: 'other' } as const
