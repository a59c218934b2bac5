import { Button, Container, TextArea } from '@purlin/ui'
import { formAction, namesOf } from '@purlin/web/form-action.ts'
import { choice, optionalLines } from '@purlin/web/form-input.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { AnswerSurveyDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { RefusedNotice } from './refused-notice.tsx'
import styles from './reviews.module.css'

const scores = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const
const surveyForm = v.object({ score: choice(scores), comment: optionalLines(600) })
const field = namesOf(surveyForm)

export function load({ query, t }: ShopContext) {
  return { data: { isDone: query['done'] === '1' }, title: t('survey.title'), robots: 'noindex' }
}

export const action = formAction(surveyForm, async ({ client }: ShopContext, { score, comment }) => {
  const answer = (await client.mutate(AnswerSurveyDocument, { score: Number(score), comment }))?.answerSurvey
  return answer?.refusal ? refuse(answer.refusal) : redirect(303, paths.survey({}, { done: '1' }))
})

/** One question after an order: how likely a recommendation is. */
export function Page({ data: { isDone }, context: { t }, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  return (
    <Container narrow>
      <h1 className={styles.title}>{t('survey.title')}</h1>
      {isDone ? (
        <p role="status">{t('survey.thanks')}</p>
      ) : (
        <form method="post" className={styles.form}>
          <RefusedNotice refusal={refusal} />
          <fieldset className={styles.stars}>
            <legend>{t('survey.question')}</legend>
            <p className={styles.quiet}>{t('survey.low')}</p>
            <div className={styles.scores}>
              {scores.map((score) => (
                <label key={score}>
                  <input type="radio" name={field('score')} value={score} required defaultChecked={typed?.get('score') === score} />
                  <span>{score}</span>
                </label>
              ))}
            </div>
          </fieldset>
          <TextArea
            name={field('comment')}
            label={t('survey.comment')}
            optional={t('review.write.optional')}
            defaultValue={typed?.get('comment') ?? ''}
            maxLength={600}
          />
          <p className={styles.quiet}>{t('survey.note')}</p>
          <p>
            <Button>{t('survey.send')}</Button>
          </p>
        </form>
      )}
    </Container>
  )
}
