import { Alert, Button, ButtonLink } from '@purlin/ui'
import { formAction } from '@purlin/web/form-action.ts'
import { notFound, redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import { AcceptQuoteDocument, EndQuoteDocument, QuoteDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { mayRequest } from './may-request.ts'
import { decideField, decideForm } from './quote-form.ts'
import { QuoteLines } from './quote-lines.tsx'
import { stateCase, taxCase, tones } from './state-case.ts'

export async function load(context: ShopContext) {
  const { quote } = await context.client.query(QuoteDocument, { quoteId: context.params['id'] ?? '' })
  if (!quote) return notFound()
  return {
    data: { quote, canRequest: await mayRequest(context) },
    title: context.t('quote.name', { number: quote.number }),
    robots: 'noindex',
  }
}

export const action = formAction(decideForm, async ({ client, params }: ShopContext, input) => {
  const quoteId = params['id'] ?? ''
  const sent = await client.mutate(input.do === 'accept' ? AcceptQuoteDocument : EndQuoteDocument, { quoteId })
  const refusal = sent?.result.refusal
  if (refusal) return refuse(refusal)
  return input.do === 'accept'
    ? redirect(303, paths.cart(), { severity: 'success', key: 'flash.quote-accepted' })
    : redirect(303, paths.quote({ id: quoteId }), { severity: 'success', key: 'flash.quote-ended' })
})

/** One quote: its lines, the seller's answer, and what the buyer may do with it. */
export function Page({ data: { quote, canRequest }, context, refusal }: PageProps<typeof load, { message: string }>): ReactNode {
  const { t } = context
  const { state, delivery, total, validUntil, canAccept, canEnd } = quote
  const tax = taxCase(quote.taxKey)
  const isOver = state === 'EXPIRED' || state === 'REFUSED' || state === 'DECLINED' || state === 'WITHDRAWN'
  return (
    <AccountFrame
      context={context}
      here="quotes"
      title={t('quote.name', { number: quote.number })}
      back={{ to: paths.quotes(), label: t('quote.title') }}
    >
      {refusal && <Alert severity="danger" title={refusal.message} />}
      <section className={styles.card} aria-label={t('quote.state-label')}>
        <p className={styles.marks}>
          <span className={`${styles.state} ${styles[tones[state]]}`}>{t('quote.state', { state: stateCase(state) })}</span>
        </p>
        <p>{t('quote.requested-from', { seller: quote.sellerName, at: quote.createdAt })}</p>
        <p>{t('quote.requested-by-name', { name: quote.requestedBy ?? t('quote.former-member') })}</p>
        {state === 'REQUESTED' && <p>{t('quote.answer-by', { at: quote.answerBy })}</p>}
        {validUntil && (state === 'ANSWERED' || state === 'ACCEPTED') && <p>{t('quote.valid-until', { at: validUntil })}</p>}
        {quote.wantedOn && <p>{t('quote.wanted', { at: quote.wantedOn })}</p>}
        {quote.message && <p className={styles.quiet}>{t('quote.your-message', { message: quote.message })}</p>}
        {quote.note && <p>{t('quote.note', { note: quote.note })}</p>}
        {quote.orderId && (
          <p>
            <a href={paths.myOrders()}>{t('quote.ordered', { order: quote.orderId })}</a>
          </p>
        )}
      </section>
      <section className={styles.card} aria-label={t('quote.lines')}>
        <QuoteLines lines={quote.lines} taxKey={quote.taxKey} t={t} />
        {delivery && total && (
          <>
            <p>{t('quote.delivery', { amount: delivery.formatted, tax })}</p>
            {quote.saving && <p>{t('quote.saving', { amount: quote.saving.formatted, tax })}</p>}
            {quote.totalWithoutVat && <p>{t('quote.total', { amount: quote.totalWithoutVat.formatted })}</p>}
            {quote.vat && <p>{t('quote.vat', { amount: quote.vat.formatted })}</p>}
            {quote.totalWithVat && <p className={styles.total}>{t('quote.total-with-vat', { amount: quote.totalWithVat.formatted })}</p>}
          </>
        )}
      </section>
      <div className={styles.actions}>
        {(canAccept || canEnd) && (
          <form method="post" className={styles.actions}>
            {canAccept && (
              <Button name={decideField('do')} value="accept">
                {t('quote.accept')}
              </Button>
            )}
            {canEnd && (
              <Button look="secondary" name={decideField('do')} value="end">
                {state === 'ANSWERED' ? t('quote.decline') : t('quote.withdraw')}
              </Button>
            )}
          </form>
        )}
        {isOver && canRequest && <ButtonLink href={paths.quoteRequest({}, { again: quote.id })}>{t('quote.again')}</ButtonLink>}
        {quote.isInYourCart && <ButtonLink href={paths.cart()}>{t('quote.in-cart')}</ButtonLink>}
        {quote.pdfUrl && (
          <ButtonLink look="secondary" href={quote.pdfUrl} aria-label={t('quote.pdf.download.of', { number: quote.number })}>
            {t('quote.pdf.download')}
          </ButtonLink>
        )}
      </div>
    </AccountFrame>
  )
}
