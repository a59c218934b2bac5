import { namesOf } from '@purlin/web/form-action.ts'
import { lines, optionalText, text } from '@purlin/web/form-input.ts'
import * as v from 'valibot'

export const questionForm = v.variant('do', [
  v.object({ do: v.literal('ask'), text: lines(600), author: text(40), website: optionalText(1_000) }),
  v.object({ do: v.literal('answer'), id: text(40), answer: lines(1_500) }),
])
export const questionField = namesOf(questionForm)
