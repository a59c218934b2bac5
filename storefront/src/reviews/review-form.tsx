import { Button, ErrorSummary, Field, Select, TextArea } from '@purlin/ui'
import type { FormFields } from '@purlin/web/form.ts'
import { fieldsOf } from '@purlin/web/form-action.ts'
import { takenFile } from '@purlin/web/form-input.ts'
import type { ReactNode } from 'react'
import type { MyReviewableQuery, RefusalFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { RatingRow } from './rating-row.tsx'
import { aspectFields, mostPhotos, reviewField as name, reviewForm, starValues } from './review-form-fields.ts'
import styles from './reviews.module.css'

type Item = MyReviewableQuery['reviewable']['items'][number]

interface Props {
  item: Item
  token: string | null
  context: ShopContext
  refusal: RefusalFragment | null
  typed: FormFields | null
}

/** Pictures alone: documents are no photos. */
const accepted = 'image/jpeg,image/png,image/webp'

/** A review of a product or a seller. The stars are radio buttons, so that they work by keyboard and without scripts. */
export function ReviewForm({ item, token, context: { t }, refusal, typed }: Props): ReactNode {
  const isProduct = item.subject === 'product'
  const known = (field: string) => (field === 'author' ? item.author : '')
  const field = fieldsOf(reviewForm, { typed: typed ?? undefined, refusal: refusal ?? undefined, known })
  const labels = {
    stars: t('review.write.stars'),
    title: t('review.write.headline'),
    body: t('review.write.body'),
    pros: t('review.pros'),
    cons: t('review.cons'),
    author: t('review.write.author'),
  }
  const faults = refusal?.fields ?? []
  const photoFault = faults.filter((fault) => fault.field.startsWith('photo')).map(({ message }) => message)
  const errors = [
    ...(['stars', 'title', 'body', 'pros', 'cons', 'author'] as const).flatMap((each) => {
      const { error } = field(each)
      return error ? [{ href: `#${each}`, message: t('form.fault', { field: labels[each], message: error }) }] : []
    }),
    ...photoFault.map((message) => ({ href: '#photo', message })),
  ]
  const optional = t('review.write.optional')
  return (
    <form method="post" encType="multipart/form-data" className={styles.form} id="review">
      <ErrorSummary title={refusal?.message ?? ''} errors={errors} />
      <input type="hidden" name={name('key')} value={item.key} />
      {token && <input type="hidden" name={name('token')} value={token} />}
      <RatingRow
        id="stars"
        name={name('stars')}
        legend={labels.stars}
        options={starValues.map((stars) => ({ value: String(stars), label: t('review.star-row', { stars }) }))}
        chosen={field('stars').defaultValue}
        error={field('stars').error}
      />
      <div className={styles.aspectFields}>
        {item.aspects.map(({ aspect, label }, index) => {
          const at = aspectFields[index]
          return (
            at && (
              <Select
                key={aspect}
                id={at}
                name={name(at)}
                label={label}
                optional={optional}
                defaultValue={typed?.get(at) ?? ''}
                options={[
                  { value: '', label: t('review.write.aspect-none') },
                  ...starValues.map((stars) => ({ value: String(stars), label: t('review.star-row', { stars }) })),
                ]}
              />
            )
          )
        })}
      </div>
      <Field {...field('title')} label={labels.title} autoComplete="off" />
      <TextArea
        {...field('body')}
        label={labels.body}
        rows={6}
        hint={t(isProduct ? 'review.write.body-hint' : 'review.write.seller-hint')}
      />
      {isProduct && (
        <>
          <Field {...field('pros')} label={labels.pros} optional={optional} autoComplete="off" />
          <Field {...field('cons')} label={labels.cons} optional={optional} autoComplete="off" />
          {(typed?.all(name('photo')) ?? []).map((value) => (
            <p key={value} className={styles.quiet}>
              <input type="hidden" name={name('photo')} value={value} />
              {t('review.write.attached', { name: takenFile(value).name })}
            </p>
          ))}
          <Field
            id="photo"
            name={name('photo')}
            type="file"
            multiple
            accept={accepted}
            label={t('review.write.photos')}
            hint={t('review.write.photos-hint', { limit: mostPhotos })}
            optional={optional}
            {...(photoFault.length > 0 && { error: photoFault.join(' ') })}
          />
        </>
      )}
      <Field {...field('author')} label={labels.author} autoComplete="nickname" />
      <p className={styles.quiet}>{t('review.write.note')}</p>
      <p>
        <Button size="l">{t('review.write.send')}</Button>
      </p>
    </form>
  )
}
