import { Button, ButtonLink, Container, ErrorSummary, TextArea } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { choice, optionalLines } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { AnswerSurveyDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { RatingRow } from './rating-row.tsx'
import { RefusedNotice } from './refused-notice.tsx'
import styles from './reviews.module.css'

const scores = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const
const surveyForm = v.object({ score: choice(scores), comment: optionalLines(600) })

export function load({ query, t }: ShopContext) {
  return { data: { isDone: query['done'] === '1' }, title: t('survey.title'), robots: 'noindex' }
}

export const action = formAction(surveyForm, async ({ client }: ShopContext, { score, comment }) => {
  const answer = (await client.mutate(AnswerSurveyDocument, { score: Number(score), comment }))?.answerSurvey
  return answer?.refusal ? refuse(answer.refusal) : redirect(303, paths.survey({}, { done: '1' }))
})

/** One question after an order: how likely a recommendation is. */
export function Page({ data: { isDone }, context: { t }, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const field = fieldsOf(surveyForm, { typed, refusal })
  const errors = (['score', 'comment'] as const).flatMap((name) => {
    const { error } = field(name)
    return error ? [{ href: `#${name}`, message: error }] : []
  })
  return (
    <Container narrow>
      <h1 className={styles.title}>{t('survey.title')}</h1>
      {isDone ? (
        <div className={styles.form}>
          <p role="status">{t('survey.thanks')}</p>
          <p>
            <ButtonLink href="/">{t('checkout.receipt.continue')}</ButtonLink>
          </p>
        </div>
      ) : (
        <form method="post" className={styles.form}>
          {errors.length === 0 && <RefusedNotice refusal={refusal} />}
          <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
          <RatingRow
            id="score"
            name={field('score').name}
            legend={t('survey.question')}
            hint={t('survey.low')}
            options={scores.map((value) => ({ value, label: value }))}
            chosen={field('score').defaultValue}
            error={field('score').error}
          />
          <TextArea {...field('comment')} label={t('survey.comment')} optional={t('review.write.optional')} />
          <p className={styles.quiet}>{t('survey.note')}</p>
          <p>
            <Button>{t('survey.send')}</Button>
          </p>
        </form>
      )}
    </Container>
  )
}
