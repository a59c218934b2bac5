import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { choice, text } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import * as v from 'valibot'
import { VoteOnReviewDocument } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'

const voteForm = v.object({ id: text(40), isHelpful: choice(['yes', 'no']) })
export const voteField = namesOf(voteForm)

/** Votes on a page of reviews, which is shown again. */
export const voteAction = formAction(voteForm, async ({ client, pathname }: ShopContext, { id, isHelpful }) => {
  const answer = await client.mutate(VoteOnReviewDocument, { id, isHelpful: isHelpful === 'yes' })
  return answer?.voteOnReview.refusal
    ? refuse(answer.voteOnReview.refusal)
    : redirect(303, pathname, { severity: 'success', key: 'flash.vote-kept' })
})
