import { Alert, Button, ButtonLink, Container } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { redirect } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import * as v from 'valibot'
import { CompanyReview } from '../company/company-review.tsx'
import { CheckCreditLimitDocument, CompanyReviewDocument, MyCreditDocument, type MyCreditQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import { ClaimTable } from './claim-table.tsx'
import { CreditFigures } from './company-credit.tsx'
import styles from './credit.module.css'

export async function load(context: ShopContext) {
  const { myCredit: credit } = await context.client.query(MyCreditDocument)
  // A company whose number is still being checked has none yet.
  const company = credit?.reason === 'NUMBER_MISSING' ? (await context.client.query(CompanyReviewDocument)).company : null
  return {
    data: { credit, review: company?.review ?? null, isAsked: context.query['checked'] === '1' },
    title: context.t('credit.page.title'),
    robots: 'noindex',
  }
}

/** The worker asks the credit provider; the page shows the limit once it is known. */
export const action = formAction(v.object({}), async ({ client }: ShopContext) => {
  await client.mutate(CheckCreditLimitDocument)
  return redirect(303, paths.billie({}, { checked: '1' }))
})

/** Paying by invoice for companies: how it works, for whom, and what the company can spend. */
export function Page({ data: { credit, review, isAsked }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const unpaid = credit?.claims.filter(({ state }) => state === 'OPEN' || state === 'LATE') ?? []
  return (
    <Container narrow>
      <div className={styles.page}>
        <h1>{t('credit.page.title')}</h1>
        <p className={styles.lead}>{t('credit.page.lead')}</p>
        {credit && review ? (
          <CompanyReview review={review} company={credit.companyName} context={context} />
        ) : (
          credit && <Own credit={credit} isAsked={isAsked} context={context} />
        )}
        <section className={styles.part} aria-labelledby="how">
          <h2 id="how">{t('credit.page.how')}</h2>
          <ol className={styles.points}>
            <li>{t('credit.page.how.choose')}</li>
            <li>{t('credit.page.how.decide')}</li>
            <li>{t('credit.page.how.ship')}</li>
            <li>{t('credit.page.how.pay')}</li>
          </ol>
        </section>
        <section className={styles.part} aria-labelledby="who">
          <h2 id="who">{t('credit.page.who')}</h2>
          <ul className={styles.points}>
            <li>{t('credit.page.who.company')}</li>
            {credit && <li>{t('credit.page.who.amount', { least: credit.least.formatted, most: credit.most.formatted })}</li>}
            <li>{t('credit.page.who.check')}</li>
          </ul>
        </section>
        <section className={styles.part} aria-labelledby="late">
          <h2 id="late">{t('credit.page.late')}</h2>
          <p>{t('credit.page.late.text')}</p>
          <p>{t('credit.page.returns')}</p>
          <p>
            <a href={paths.financing()}>{t('financing.title')}</a>
          </p>
        </section>
        {credit && unpaid.length > 0 && (
          <section className={styles.part} aria-labelledby="claims">
            <h2 id="claims">{t('credit.claims')}</h2>
            <ClaimTable claims={unpaid} total={credit.toPay.formatted} title={t('credit.claims')} context={context} />
          </section>
        )}
      </div>
    </Container>
  )
}

type Credit = NonNullable<MyCreditQuery['myCredit']>

/** The company's own limit, or why it has none. */
function Own({ credit, isAsked, context }: { credit: Credit; isAsked: boolean; context: ShopContext }): ReactNode {
  const { t } = context
  const { reason, limit, companyName, isChecked, claims } = credit
  if (reason !== null)
    return (
      <Alert severity="info" title={t('credit.page.closed')}>
        <p>{t('credit.page.reason', { reason: reasonOf(reason) })}</p>
        {reason === 'NUMBER_MISSING' && (
          <p>
            <a href={paths.contact()}>{t('shell.contact')}</a>
          </p>
        )}
      </Alert>
    )
  return (
    <section className={styles.part} aria-labelledby="limit">
      <h2 id="limit">{t('credit.page.limit', { company: companyName })}</h2>
      {limit ? (
        <CreditFigures credit={credit} context={context} />
      ) : isAsked && !isChecked ? (
        <div role="status">
          <LookAgain seconds={3} />
          <p>{t('credit.page.checking')}</p>
        </div>
      ) : (
        <>
          <p>{t(claims.length > 0 ? 'credit.page.unknown.later' : 'credit.page.unknown')}</p>
          <form method="post">
            <Button look="secondary">{t('credit.page.check')}</Button>
          </form>
        </>
      )}
      <p>
        <ButtonLink href={paths.cart()} look="secondary">
          {t('credit.page.cart')}
        </ButtonLink>
      </p>
    </section>
  )
}

/** The cases of the message. */
function reasonOf(reason: NonNullable<Credit['reason']>) {
  const cases = { NUMBER_MISSING: 'number', OTHER_COUNTRY: 'country', NOT_ACCEPTED: 'declined' } as const
  return reason in cases ? cases[reason as keyof typeof cases] : 'other'
}
