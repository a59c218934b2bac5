import { Alert } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { ReviewFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

const states = { CHECKING: 'checking', IN_REVIEW: 'in_review', REFUSED: 'other' } as const

/** How far the check of a registered company has come, what it can do until then, and what to do after a refusal. */
export function CompanyReview({
  review,
  company,
  context: { t },
}: {
  review: ReviewFragment
  company: string
  context: ShopContext
}): ReactNode {
  const isRefused = review.state === 'REFUSED'
  return (
    <Alert severity={isRefused ? 'warning' : 'info'} title={t('company.review.title', { isRefused })}>
      <p>{t('company.review.text', { state: states[review.state], company })}</p>
      {!isRefused ? (
        <p>{t('company.review.meanwhile')}</p>
      ) : review.isOwn ? (
        <p>
          <a href={paths.conversionFromB2c2B2b()}>{t('company.review.again')}</a>
        </p>
      ) : (
        <p>{t('company.review.colleague')}</p>
      )}
    </Alert>
  )
}
