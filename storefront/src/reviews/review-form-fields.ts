import { choice, files, lines, optionalText, text } from '@purlin/web/form-input.ts'
import { namesOf } from '@purlin/web/form-action.ts'
import * as v from 'valibot'

/** Photos of one review. */
export const mostPhotos = 3

const starChoices = ['1', '2', '3', '4', '5'] as const
const aspect = v.optional(choice(['', ...starChoices]), '')

export const reviewForm = v.object({
  key: text(120),
  token: optionalText(60),
  stars: choice(starChoices),
  aspect0: aspect,
  aspect1: aspect,
  aspect2: aspect,
  title: text(80),
  body: lines(3_000),
  pros: optionalText(300),
  cons: optionalText(300),
  author: text(40),
  photo: files(mostPhotos),
})
export const reviewField = namesOf(reviewForm)
export const aspectFields = ['aspect0', 'aspect1', 'aspect2'] as const
export const starValues = [5, 4, 3, 2, 1] as const
