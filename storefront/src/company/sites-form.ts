import { namesOf } from '@purlin/web/form-action.ts'
import { choice, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'
import type { CompanySitesQuery } from '../generated/documents.ts'

export type CompanySites = NonNullable<CompanySitesQuery['companySites']>

export const siteForm = v.object({
  do: v.literal('site'),
  /** Id of the site being edited; empty for a new one. */
  id: optionalText(40),
  name: text(80),
  firstName: text(60),
  lastName: text(60),
  phone: text(25),
  line1: text(100),
  line2: optionalText(100),
  postcode: text(10),
  city: text(80),
  deliveryHours: optionalText(100),
})
/** In the order of the form, which the summary of errors follows. */
export const siteFields = ['name', 'line1', 'line2', 'postcode', 'city', 'firstName', 'lastName', 'phone', 'deliveryHours'] as const

export const costCentreForm = v.object({ do: v.literal('centre'), code: text(40), centreName: optionalText(80) })

/** The code stays: it is printed on invoices. */
export const renameForm = v.object({ do: v.literal('rename-centre'), id: text(40), newName: optionalText(80) })

/** The forms of the page, distinguished by `do`. */
export const sitesForm = v.variant('do', [
  siteForm,
  costCentreForm,
  renameForm,
  v.object({ do: v.literal('archive-site'), id: text(40), isArchived: choice(['yes', 'no']) }),
  v.object({ do: v.literal('archive-centre'), id: text(40), isArchived: choice(['yes', 'no']) }),
  v.object({ do: v.literal('rule'), isFree: choice(['yes', 'no']) }),
])
export const sitesField = namesOf(sitesForm)
