import { Alert, ButtonLink, Container } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import { ownPath } from '@purlin/web/own-path.ts'
import type { ReactNode } from 'react'
import styles from '../account/account.module.css'
import {
  ProConversionDocument,
  RequestProConversionDocument,
  type ProConversionQuery,
  type RefusalFragment,
} from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { LookAgain } from '../shell/look-again.tsx'
import { ConversionForm } from './conversion-form.tsx'
import { conversionForm } from './conversion-input.ts'

export async function load(context: ShopContext) {
  const [{ conversion }, principal] = await Promise.all([context.client.query(ProConversionDocument), context.principal()])
  if (!conversion) return notFound()
  const wanted = wantedBy(context)
  const next = conversion.status === 'CONVERTED' ? nextFor(context, principal.kind === 'member', wanted ?? '/') : null
  if (next !== null && wanted !== null) return redirect(302, next)
  return {
    data: { conversion, wanted, next, isMember: principal.kind === 'member' },
    title: context.t('conversion.title'),
    robots: 'noindex',
  }
}

/** The page of this shop that somebody was sent here from. */
function wantedBy({ query }: ShopContext): string | null {
  return ownPath(query['from'], '') || null
}

/** Address of the professional storefront, or of the session transfer; null for a session without a company. */
function nextFor({ mode, otherModeUrl }: ShopContext, isMember: boolean, path: string): string | null {
  if (mode === 'b2b') return isMember ? path : null
  return otherModeUrl(paths.exchangeToPro({}, { callbackUrl: path }))
}

export const action = formAction(conversionForm, async (context: ShopContext, input) => {
  const refusal = (await context.client.mutate(RequestProConversionDocument, { input }))?.result.refusal
  if (refusal) return refuse(refusal)
  const from = wantedBy(context)
  return redirect(303, paths.conversionFromB2c2B2b({}, from === null ? {} : { from }))
})

/** A consumer becomes a professional customer, or learns what happens next. */
export function Page({
  data: { conversion, wanted, next, isMember },
  context,
  refusal,
  typed,
}: PageProps<typeof load, RefusalFragment>): ReactNode {
  const { t } = context
  const asks = conversion.status === 'UNKNOWN' || conversion.status === 'REFUSED'
  return (
    <Container narrow>
      <div className={styles.alone}>
        <h1>{t('conversion.title')}</h1>
        {conversion.status === 'CONVERTED' ? (
          <Done next={next} t={t} />
        ) : (
          <Standing conversion={conversion} isMember={isMember} context={context} />
        )}
        {asks && (
          <>
            {wanted !== null && <Alert severity="info">{t('conversion.wanted')}</Alert>}
            <p>{t('conversion.lead')}</p>
            <section className={styles.part} aria-labelledby="how">
              <h2 id="how" className={styles.heading}>
                {t('conversion.how')}
              </h2>
              <ul className={styles.steps}>
                <li>{t('conversion.how.vat')}</li>
                <li>{t('conversion.how.register')}</li>
              </ul>
            </section>
            <ConversionForm
              refused={conversion.status === 'REFUSED' ? conversion : null}
              context={context}
              refusal={refusal}
              typed={typed}
            />
          </>
        )}
      </div>
    </Container>
  )
}

function Done({ next, t }: { next: string | null; t: ShopContext['t'] }): ReactNode {
  return (
    <>
      <Alert severity="success" title={t('conversion.done')}>
        <p>{t(next === null ? 'conversion.done.again' : 'conversion.done.text')}</p>
      </Alert>
      <p>
        <ButtonLink href={next ?? paths.authPreLogout()} size="l" rel="nofollow">
          {t(next === null ? 'shell.sign-out' : 'conversion.done.go')}
        </ButtonLink>
      </p>
    </>
  )
}

type Conversion = NonNullable<ProConversionQuery['conversion']>
const waits = { REGISTER_NUMBER: 'register_number', NAME_UNDISCLOSED: 'name_undisclosed', NAME_DIFFERS: 'name_differs' } as const

/** A registered company waits on the professional storefront, a consumer on the other one. */
function Standing({
  conversion,
  isMember,
  context: { t },
}: {
  conversion: Conversion
  isMember: boolean
  context: ShopContext
}): ReactNode {
  const { status, reason, isChecking } = conversion
  const company = conversion.companyName ?? ''
  if (status === 'REFUSED')
    return (
      <Alert severity="warning" title={t('conversion.refused')} announces>
        <p>{t('conversion.refused.text', { reason: reason === 'VAT_NOT_VALID' ? 'vat_not_valid' : 'other' })}</p>
        <p>
          <a href={paths.contact()}>{t('shell.contact')}</a>
        </p>
      </Alert>
    )
  if (status !== 'LEAD') return null
  const shown = reason !== null && reason in waits ? waits[reason as keyof typeof waits] : 'other'
  return (
    <>
      {isChecking && <LookAgain seconds={3} />}
      <Alert severity="info" title={t(isChecking ? 'conversion.checking' : 'conversion.review')} announces>
        <p>{isChecking ? t('conversion.checking.text') : t('conversion.review.text', { reason: shown, company })}</p>
        <p>{t(isMember ? 'company.review.meanwhile' : 'conversion.meanwhile')}</p>
      </Alert>
      <p>
        <ButtonLink href="/" look="secondary">
          {t('account.shop')}
        </ButtonLink>
      </p>
    </>
  )
}
