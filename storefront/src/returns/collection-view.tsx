import { ButtonLink } from '@purlin/ui'
import { Container, EmptyState } from '@purlin/ui/panel.tsx'
import type { ReactNode } from 'react'
import styles from '../checkout/checkout.module.css'
import { HomeCollectionDocument, type HomeCollectionQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { ShopContext } from '../shell/context.ts'

export type HomeCollection = NonNullable<HomeCollectionQuery['homeCollection']>

/** The token of a mail's link; empty without one. */
export const tokenOf = ({ query }: Pick<ShopContext, 'query'>): string => (typeof query['token'] === 'string' ? query['token'] : '')

/** The collection of the link. Without a token the page explains where links come from; a wrong one is not found. */
export async function loadCollection(context: ShopContext, title: string) {
  const token = tokenOf(context)
  const collection = token === '' ? null : (await context.client.query(HomeCollectionDocument, { token })).homeCollection
  return { data: { collection: collection ?? null, token }, title, robots: 'noindex', ...(token !== '' && !collection && { status: 404 }) }
}

/** The frame of the pages that a mail's link opens: which return it is about, or that the link does not work. */
export function LinkedPage({
  title,
  about,
  context: { t },
  children,
}: {
  title: string
  about: Pick<HomeCollection, 'number' | 'sellerName'> | null
  context: ShopContext
  children?: ReactNode
}): ReactNode {
  if (about === null)
    return (
      <Container>
        <EmptyState
          icon="box"
          heading="h1"
          title={t('collection.none.title')}
          actions={
            <>
              <ButtonLink href={paths.myOrders()}>{t('account.orders')}</ButtonLink>
              <ButtonLink href={paths.helpCenter()} look="secondary">
                {t('shell.help')}
              </ButtonLink>
            </>
          }
        >
          <p>{t('collection.none.text')}</p>
        </EmptyState>
      </Container>
    )
  return (
    <Container>
      <div className={styles.narrow}>
        <p className={styles.kicker}>{t('collection.number', { number: about.number, seller: about.sellerName })}</p>
        <h1>{title}</h1>
        {children}
      </div>
    </Container>
  )
}

/** The reason nothing can be changed any more. */
export function ClosedCollection({ collection, context: { t } }: { collection: HomeCollection; context: ShopContext }): ReactNode {
  const { state, sellerName } = collection
  return <p>{state === 'COLLECTED' ? t('collection.accept.collected', { seller: sellerName }) : t('collection.closed')}</p>
}

/** The goods to collect, and their address. */
export function CollectedGoods({ collection, context: { t } }: { collection: HomeCollection; context: ShopContext }): ReactNode {
  const { address, lines } = collection
  const name = `${address.firstName} ${address.lastName}`.trim()
  const town = `${address.postcode} ${address.city}`
  return (
    <section className={styles.panel} aria-labelledby="where">
      <h2 id="where">{t('collection.address')}</h2>
      <address>
        {[name, address.company, address.line1, address.line2, town, address.phone, address.instructions].map(
          (line) =>
            line && (
              <span key={line}>
                {line}
                <br />
              </span>
            ),
        )}
      </address>
      <ul className={styles.plainList}>
        {lines.map(({ offerId, quantity, title }) => (
          <li key={offerId}>{t('returns.line', { count: quantity, title })}</li>
        ))}
      </ul>
    </section>
  )
}
