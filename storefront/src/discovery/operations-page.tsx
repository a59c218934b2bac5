import { Breadcrumb, Container, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { OperationsDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import { CardRow } from '../shell/card-list.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { DiscoveryEmpty } from './discovery-empty.tsx'
import styles from './discovery.module.css'
import { OperationTime } from './operation-time.tsx'

export async function load({ client, t }: ShopContext) {
  const { operations } = await client.query(OperationsDocument)
  return {
    data: { operations },
    title: t('discovery.operations.title'),
    description: t('discovery.operations.description'),
    canonical: paths.ourCurrentOffers(),
    tags: operations.flatMap(({ id, products }) => [`operation:${id}`, ...products.map(({ productId }) => `card:${productId}`)]),
  }
}

/** running operations with their products, and upcoming ones. */
export function Page({ data: { operations }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const running = operations.filter(({ state }) => state === 'running')
  const coming = operations.filter(({ state }) => state === 'coming')
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('discovery.operations.title')} />
        <h1>{t('discovery.operations.title')}</h1>
        <p className={styles.lead}>{t('deals.text')}</p>
      </div>
      {operations.length === 0 && <DiscoveryEmpty context={context} />}
      {running.map((operation) => (
        <section key={operation.id} className={styles.operation} aria-labelledby={`operation-${operation.id}`}>
          <h2 id={`operation-${operation.id}`}>
            <a href={operation.url}>{operation.name}</a>
          </h2>
          <OperationTime operation={operation} context={context} />
          {operation.products.length > 0 && <CardRow cards={operation.products} context={context} label={operation.name} />}
          <a className={styles.all} href={operation.url}>
            {t('discovery.operations.all', { name: operation.name })}
          </a>
        </section>
      ))}
      {coming.length > 0 && (
        <Section title={t('discovery.operations.soon')}>
          <ul className={styles.coming}>
            {coming.map((operation) => (
              <li key={operation.id}>
                <a href={operation.url}>{operation.name}</a>
                <OperationTime operation={operation} context={context} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <p className={styles.onward}>
        <a href={paths.goodDeals()}>{t('home.all-deals')}</a>
      </p>
    </Container>
  )
}
