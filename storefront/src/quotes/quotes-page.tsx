import { ButtonLink, EmptyState, Table } from '@purlin/ui'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { AccountFrame } from '../account/account-frame.tsx'
import { MyQuotesDocument, type MyQuotesQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { pageIn, Pages } from '../shell/pages.tsx'
import { mayRequest } from './may-request.ts'
import { stateCase } from './state-case.ts'

export async function load(context: ShopContext) {
  const page = pageIn(context)
  const { myQuotes: quotes, size } = await context.client.query(MyQuotesDocument, { page })
  if (page > size.pages) return notFound()
  return {
    data: { quotes, page, pages: size.pages, canRequest: await mayRequest(context) },
    title: context.t('quote.title'),
    robots: 'noindex',
  }
}

/** Quotes of the company, newest first. */
export function Page({ data: { quotes, page, pages, canRequest }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <AccountFrame context={context} here="quotes" title={t('quote.title')}>
      {canRequest && (
        <p>
          <ButtonLink look="secondary" href={paths.quoteRequest()}>
            {t('quote.request')}
          </ButtonLink>
        </p>
      )}
      {quotes.length === 0 ? (
        <EmptyState icon="document" title={t('quote.none')} actions={<ButtonLink href="/">{t('account.shop')}</ButtonLink>}>
          <p>{t('quote.none.text')}</p>
        </EmptyState>
      ) : (
        <Table<MyQuotesQuery['myQuotes'][number]>
          caption={t('quote.title')}
          quietCaption
          rows={quotes}
          keyOf={({ id }) => id}
          columns={[
            {
              key: 'number',
              label: t('quote.number'),
              isHead: true,
              cell: ({ id, number }) => <a href={paths.quote({ id })}>{number}</a>,
            },
            {
              key: 'goods',
              label: t('quote.lines'),
              cell: ({ lines }) => t('quote.goods', { first: lines[0]?.title ?? '', more: lines.length - 1 }),
            },
            { key: 'seller', label: t('product.seller'), cell: ({ sellerName }) => sellerName },
            { key: 'state', label: t('quote.state-label'), cell: ({ state }) => t('quote.state', { state: stateCase(state) }) },
            {
              key: 'requested',
              label: t('quote.requested'),
              cell: ({ requestedBy, createdAt }) => (
                <div>
                  {t('quote.day', { at: createdAt })}
                  <br />
                  {requestedBy ?? t('quote.former-member')}
                </div>
              ),
            },
            {
              key: 'until',
              label: t('quote.pdf.valid-until'),
              cell: ({ validUntil }) => (validUntil ? t('quote.day', { at: validUntil }) : '–'),
            },
            { key: 'total', label: t('quote.sum'), align: 'end', cell: (quote) => <Totals quote={quote} t={t} /> },
          ]}
        />
      )}
      <Pages page={page} pages={pages} context={context} />
    </AccountFrame>
  )
}

/** Of sellers at home and abroad alike, so that quotes compare. */
function Totals({ quote, t }: { quote: MyQuotesQuery['myQuotes'][number]; t: ShopContext['t'] }): ReactNode {
  const { totalWithoutVat: net, totalWithVat: gross } = quote
  if (!net || !gross) return '–'
  return (
    <div>
      {t('quote.amount', { amount: net.formatted, tax: 'net' })}
      <br />
      {t('quote.amount', { amount: gross.formatted, tax: 'other' })}
    </div>
  )
}
