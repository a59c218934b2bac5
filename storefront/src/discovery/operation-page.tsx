import { Breadcrumb, ButtonLink, Container, EmptyState } from '@purlin/ui'
import { notFound } from '@purlin/web'
import type { ReactNode } from 'react'
import { OperationListingDocument } from '../generated/documents.ts'
import { inputOf, readChoice } from '../listing/listing-address.ts'
import { canonicalRedirect, idOf, listingHead } from '../listing/listing-page.ts'
import { ListingView } from '../listing/listing-view.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import styles from './discovery.module.css'
import { OperationTime } from './operation-time.tsx'

export async function load(context: ShopContext) {
  const id = idOf(context)
  if (id === null) return notFound()
  const choice = readChoice(context.query)
  const { operation, listing } = await context.client.query(OperationListingDocument, {
    id,
    input: inputOf({ kind: 'operation', id }, choice),
  })
  if (!operation) return notFound()
  const instead = canonicalRedirect(context, operation.url, choice, listing)
  if (instead) return instead
  return {
    data: { operation, listing, choice },
    title: operation.name,
    description: context.t('discovery.operation.description', { name: operation.name, count: listing.total }),
    ...listingHead(operation.url, choice, listing),
    // An operation runs in some markets only.
    alternates: choice.page > 1 ? {} : { [context.market]: operation.url },
    // Its products are on sale all year: without the operation the page is not a useful search result.
    ...(operation.state === 'running' ? {} : { robots: 'noindex, follow' }),
    tags: [`operation:${operation.id}`],
  }
}

/** the products of an operation while it runs; before and after, its dates and the alternatives. */
export function Page({ data: { operation, listing, choice }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[
            { label: t('shell.home'), href: '/' },
            { label: t('discovery.operations.title'), href: paths.ourCurrentOffers() },
          ]}
          here={operation.name}
        />
        <h1>{operation.name}</h1>
        {operation.state === 'running' && <p className={styles.lead}>{t('deals.text')}</p>}
        <OperationTime operation={operation} context={context} />
      </div>
      {operation.state === 'running' ? (
        <ListingView
          context={context}
          listing={listing}
          choice={choice}
          path={operation.url}
          what={{ kind: 'operation', id: operation.id }}
        />
      ) : (
        <EmptyState
          icon="tag"
          title={t(`discovery.operation.${operation.state}.title`)}
          actions={<ButtonLink href={paths.ourCurrentOffers()}>{t('discovery.operations.title')}</ButtonLink>}
        >
          {t(`discovery.operation.${operation.state}.text`)}
        </EmptyState>
      )}
    </Container>
  )
}
