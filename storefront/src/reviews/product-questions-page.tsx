import { Breadcrumb, Button, Container, Field, Pagination, Panel, TextArea } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { canonicalSlug, notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AnswerQuestionDocument, AskQuestionDocument, ProductQuestionsDocument, type RefusalFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import textStyles from '../information/text.module.css'
import { QuestionList } from './questions.tsx'
import { questionField as name, questionForm } from './questions-form.ts'
import { RefusedNotice } from './refused-notice.tsx'
import styles from './reviews.module.css'

export async function load(context: ShopContext) {
  const { t, params, query, client } = context
  const page = typeof query['page'] === 'string' && /^[1-9]\d{0,2}$/.test(query['page']) ? Number(query['page']) : 1
  const { product } = await client.query(ProductQuestionsDocument, { id: params['id'] ?? '', page })
  if (!product || product.status === 'ENDED') return notFound()
  const { questions } = product
  if (page > 1 && page > questions.pages) return notFound()
  const at = { slug: product.slug, id: product.id }
  const moved = canonicalSlug(context, paths.productQuestions(at))
  if (moved) return moved
  const answered = questions.questions.filter(({ answers }) => answers.length > 0)
  return {
    data: { product, questions, at },
    title: t('question.about', { title: product.title }),
    canonical: paths.productQuestions(at, page > 1 ? { page: String(page) } : {}),
    ...(questions.total === 0 && { robots: 'noindex' }),
    ...(answered.length > 0 && {
      jsonLd: [
        {
          '@context': 'https://schema.org',
          '@type': 'FAQPage',
          mainEntity: answered.map(({ body, answers }) => ({
            '@type': 'Question',
            name: body,
            acceptedAnswer: { '@type': 'Answer', text: answers[0]?.body ?? '' },
          })),
        },
      ],
    }),
  }
}

export const action = formAction(questionForm, async ({ client, pathname, params }: ShopContext, input) => {
  if (input.do === 'answer') {
    const answer = (await client.mutate(AnswerQuestionDocument, { id: input.id, text: input.answer }))?.answerQuestion
    if (answer?.refusal) return refuse(answer.refusal)
    return redirect(303, pathname, { severity: 'success', key: answer?.isPending ? 'flash.question-pending' : 'flash.answer-published' })
  }
  const { text, author, website } = input
  const asked = (await client.mutate(AskQuestionDocument, { input: { productId: params['id'] ?? '', text, author, website } }))?.askQuestion
  if (asked?.refusal) return refuse(asked.refusal)
  return redirect(303, pathname, { severity: 'success', key: asked?.isPending ? 'flash.question-pending' : 'flash.question-published' })
})

/** All questions about a product; visitors ask, buyers answer. */
export function Page({ data: { product, questions, at }, context, refusal, typed }: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const errorOf = (field: string) => refusal?.fields.find((fault) => fault.field === field)?.message
  return (
    <Container>
      <Breadcrumb
        label={t('shell.breadcrumb')}
        crumbs={[
          { label: t('shell.home'), href: '/' },
          { label: product.title, href: product.url },
        ]}
        here={t('question.title')}
      />
      <h1 className={styles.title}>{t('question.about', { title: product.title })}</h1>
      <RefusedNotice refusal={refusal} />
      <div className={styles.columns}>
        <Panel title={t('question.ask')}>
          <form method="post" id="ask" className={styles.form}>
            <input type="hidden" name={name('do')} value="ask" />
            <TextArea
              name={name('text')}
              label={t('question.text')}
              hint={t('question.text-hint')}
              error={errorOf('text')}
              defaultValue={typed?.get('text') ?? ''}
              required
              maxLength={600}
            />
            <Field
              name={name('author')}
              label={t('review.write.author')}
              error={errorOf('author')}
              defaultValue={typed?.get('author') ?? ''}
              autoComplete="nickname"
              required
              maxLength={40}
            />
            <p className={textStyles.trap} aria-hidden="true">
              <label>
                {t('contact.leave-empty')} <input name={name('website')} tabIndex={-1} autoComplete="off" />
              </label>
            </p>
            <Button>{t('question.send')}</Button>
          </form>
        </Panel>
        <div className={styles.main}>
          {questions.total === 0 && <p>{t('question.none')}</p>}
          <QuestionList
            questions={questions.questions}
            context={context}
            heading="h2"
            form={({ id }) => (
              <details className={styles.how} lang={context.language}>
                <summary>{t('question.answer')}</summary>
                <form method="post" className={styles.form}>
                  <input type="hidden" name={name('do')} value="answer" />
                  <input type="hidden" name={name('id')} value={id} />
                  <TextArea
                    name={name('answer')}
                    label={t('question.answer-text')}
                    hint={t('question.answer-hint')}
                    required
                    maxLength={1_500}
                  />
                  <Button look="secondary">{t('question.answer')}</Button>
                </form>
              </details>
            )}
          />
          <Pagination
            page={questions.page}
            pages={questions.pages}
            hrefOf={(page) => paths.productQuestions(at, page > 1 ? { page: String(page) } : {})}
            words={{
              label: t('question.pages'),
              previous: t('listing.previous'),
              next: t('listing.next'),
              page: (number) => t('listing.page', { page: number }),
            }}
          />
        </div>
      </div>
    </Container>
  )
}
