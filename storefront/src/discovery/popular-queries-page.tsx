import { Breadcrumb, Container, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { PopularQueriesDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { DiscoveryEmpty } from './discovery-empty.tsx'
import styles from './discovery.module.css'
import { QueryLinks } from './query-links.tsx'

export async function load({ client, t }: ShopContext) {
  const { popularQueries, inspirations } = await client.query(PopularQueriesDocument)
  return {
    data: { departments: popularQueries, inspirations },
    title: t('discovery.popular.title'),
    description: t('discovery.popular.description'),
    canonical: paths.massLandingSitemap(),
    keep: popularQueries.length > 0,
  }
}

/** the most popular searches, department by department. */
export function Page({ data: { departments, inspirations }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('discovery.popular.title')} />
        <h1>{t('discovery.popular.title')}</h1>
        <p className={styles.lead}>{t('discovery.popular.text')}</p>
      </div>
      {departments.length === 0 && <DiscoveryEmpty context={context} />}
      <div className={styles.departments}>
        {departments.map(({ category, queries }) => (
          <section key={category.id} className={styles.department} aria-labelledby={`popular-${category.id}`}>
            <img src={category.pictureUrl} width={72} height={72} alt="" loading="lazy" />
            <h2 id={`popular-${category.id}`}>{category.name}</h2>
            <QueryLinks queries={queries} />
            <a className={styles.all} href={paths.massLandingSitemapCategory({ category: category.slug, id: category.id })}>
              {t('discovery.popular.all', { category: category.name })}
            </a>
          </section>
        ))}
      </div>
      {inspirations.length > 0 && (
        <Section title={t('inspiration.more')}>
          <ul className={styles.chips}>
            {inspirations.map(({ label, slug }) => (
              <li key={slug}>
                <a href={paths.inspirationalMassLanding({ query: slug })}>{label}</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Container>
  )
}
