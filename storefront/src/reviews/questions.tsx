import type { ReactNode } from 'react'
import type { ShownQuestionFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { LanguageNote } from './language-note.tsx'
import styles from './reviews.module.css'

interface Props {
  questions: readonly ShownQuestionFragment[]
  context: ShopContext
  /** Below each question: the form for an answer. */
  form?: (question: ShownQuestionFragment) => ReactNode
  heading?: 'h2' | 'h3'
}

export function QuestionList({ questions, context, form, heading: Heading = 'h3' }: Props): ReactNode {
  const { t, language } = context
  return (
    <ul className={styles.list}>
      {questions.map((question) => (
        <li key={question.id} lang={question.language} className={styles.review}>
          <LanguageNote of={question.language} context={context} />
          <Heading className={styles.headline}>{question.body}</Heading>
          <p className={styles.quiet} lang={language}>
            {t('question.asked-by', { author: question.author, at: question.askedOn })}
          </p>
          {question.answers.map((answer) => (
            <div key={answer.id} className={styles.answer}>
              <p>{answer.body}</p>
              <p className={styles.quiet} lang={language}>
                {t('question.by', { kind: answer.kind, author: answer.author, at: answer.answeredOn })}
              </p>
            </div>
          ))}
          {question.answers.length === 0 && (
            <p className={styles.quiet} lang={language}>
              {t('question.unanswered')}
            </p>
          )}
          {form?.(question)}
        </li>
      ))}
    </ul>
  )
}
