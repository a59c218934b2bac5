import { Alert, Button, ButtonLink, EmptyState, Field, TextArea } from '@purlin/ui'
import { fieldsOf, formAction } from '@purlin/web/form-action.ts'
import { redirect, refuse } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import styles from '../account/account.module.css'
import { QuoteDraftDocument, QuoteSellersDocument, RequestQuoteDocument, type QuoteSellersQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { QuoteLines } from './quote-lines.tsx'
import { requestForm } from './quote-form.ts'

/** The address names a seller of the cart, an offer or an earlier quote: `?seller=7`, `?offer=123&quantity=10`, `?again=…`. */
function subjectOf({ query }: Pick<ShopContext, 'query'>) {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '')
  const number = (name: string) => (/^\d{1,9}$/.test(text(name)) ? Number(text(name)) : null)
  return { sellerId: number('seller'), offerId: text('offer') || null, quantity: number('quantity'), quoteId: text('again') || null }
}

export async function load(context: ShopContext) {
  const { quoteDraft: draft } = await context.client.query(QuoteDraftDocument, subjectOf(context))
  // Without a subject the buyer chooses among the sellers of the cart.
  const sellers = draft ? [] : (await context.client.query(QuoteSellersDocument)).cart.sellers.map(({ seller }) => seller)
  return { data: { draft, sellers, isOffer: subjectOf(context).offerId !== null }, title: context.t('quote.request'), robots: 'noindex' }
}

export const action = formAction(requestForm, async (context: ShopContext, { message, wantedOn, quantity }) => {
  const subject = subjectOf(context)
  const typed = /^\d{1,6}$/.test(quantity ?? '') ? Number(quantity) : subject.quantity
  const input = { ...subject, quantity: typed, message: message ?? '', wantedOn: wantedOn || null }
  const { quoteId = null, refusal = null } = (await context.client.mutate(RequestQuoteDocument, { input }))?.result ?? {}
  if (refusal || quoteId === null) return refuse(refusal ?? { reason: '', message: '' })
  return redirect(303, paths.quote({ id: quoteId }), { severity: 'success', key: 'flash.quote-requested' })
})

/** The goods to be quoted, by when, and anything the seller should know. */
export function Page({
  data: { draft, sellers, isOffer },
  context,
  refusal,
  typed,
}: PageProps<typeof load, { message: string }>): ReactNode {
  const { t } = context
  if (!draft)
    return (
      <AccountFrame context={context} here="quotes" title={t('quote.request')} back={{ to: paths.quotes(), label: t('quote.title') }}>
        {sellers.length > 0 ? (
          <SellersToChoose sellers={sellers} t={t} />
        ) : (
          <EmptyState
            icon="document"
            title={t('quote.refusal.nothing-to-quote')}
            actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}
          >
            <p>{t('quote.none.text')}</p>
          </EmptyState>
        )}
      </AccountFrame>
    )
  const [line] = draft.lines
  const field = fieldsOf(requestForm, { typed, known: (name) => (name === 'quantity' ? String(line?.quantity ?? 1) : '') })
  return (
    <AccountFrame context={context} here="quotes" title={t('quote.request')} back={{ to: paths.quotes(), label: t('quote.title') }}>
      {refusal && <Alert severity="danger" title={refusal.message} announces />}
      <p>{t('quote.request.lead', { seller: draft.sellerName })}</p>
      <QuoteLines lines={draft.lines} isOpen={isOffer} taxKey={draft.taxKey} t={t} />
      <form method="post" className={styles.form}>
        {isOffer && <Field {...field('quantity')} type="number" min={1} max={999} label={t('cart.quantity')} />}
        <Field {...field('wantedOn')} type="date" min={draft.wantedFrom} max={draft.wantedUntil} label={t('quote.wanted-on')} />
        <TextArea {...field('message')} label={t('quote.message')} rows={4} />
        <Button>{t('quote.request.send')}</Button>
      </form>
    </AccountFrame>
  )
}

interface ChoiceProps {
  sellers: readonly QuoteSellersQuery['cart']['sellers'][number]['seller'][]
  t: ShopContext['t']
}

function SellersToChoose({ sellers, t }: ChoiceProps): ReactNode {
  return (
    <section className={styles.card}>
      <p>{t('quote.choose-seller')}</p>
      <div className={styles.actions}>
        {sellers.map(({ id, name }) => (
          <ButtonLink key={id} look="secondary" href={paths.quoteRequest({}, { seller: String(id) })}>
            {t('quote.of-seller', { seller: name })}
          </ButtonLink>
        ))}
      </div>
    </section>
  )
}
