import { Breadcrumb, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import { SiteMapDocument, type SiteMapQuery } from '../generated/documents.ts'
import type { PlainKey } from '@purlin/words/catalogues.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import styles from './sitemap.module.css'

type Branch = SiteMapQuery['categoryTree'][number]['children'][number]

export async function load({ client, t, origin }: ShopContext) {
  const { categoryTree, written, promos } = await client.query(SiteMapDocument)
  const title = t('shell.sitemap')
  return {
    data: { departments: categoryTree, written: [...written, ...promos] },
    title,
    description: t('text.sitemap.description'),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: title, url: paths.sitemap() }])],
  }
}

const service: { href: () => string; label: PlainKey }[] = [
  { href: paths.goodDeals, label: 'shell.deals' },
  { href: paths.ourCurrentOffers, label: 'discovery.operations.title' },
  { href: paths.bestSellers, label: 'discovery.best.title' },
  { href: paths.massLandingSitemap, label: 'discovery.popular.title' },
  { href: paths.ourBrands, label: 'shell.brands' },
  { href: paths.helpCenter, label: 'shell.help' },
  { href: paths.contact, label: 'shell.contact' },
  { href: paths.deliveryInformation, label: 'shell.delivery' },
  { href: paths.withdrawal, label: 'shell.withdrawal' },
  { href: paths.consumerInformation, label: 'shell.consumer' },
  { href: paths.ranking, label: 'shell.ranking' },
  { href: paths.proLanding, label: 'shell.to-pros' },
  { href: paths.subscriptionPublic, label: 'subscription.title' },
  { href: paths.termsAndConditions, label: 'shell.terms' },
  { href: paths.dataProtection, label: 'shell.privacy' },
  { href: paths.legals, label: 'shell.legal' },
  { href: paths.accessibility, label: 'shell.accessibility' },
]

/** All departments and categories, and the service pages. */
export function Page({ data: { departments, written }, context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container>
      <div className={styles.page}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('shell.sitemap')} />
        <h1>{t('shell.sitemap')}</h1>
        {departments.map((department) => (
          <section key={department.id} className={styles.department} aria-labelledby={`department-${department.id}`}>
            <h2 id={`department-${department.id}`}>
              <a href={department.url}>{department.name}</a>
            </h2>
            <Branches branches={department.children} />
          </section>
        ))}
        <section className={styles.department} aria-labelledby="service">
          <h2 id="service">{t('text.sitemap.service')}</h2>
          <ul className={styles.branches}>
            {service.map(({ href, label }) => (
              <li key={label}>
                <a href={href()}>{t(label)}</a>
              </li>
            ))}
            {written.map(
              ({ title, url }) =>
                url && (
                  <li key={url}>
                    <a href={url}>{title}</a>
                  </li>
                ),
            )}
          </ul>
        </section>
      </div>
    </Container>
  )
}

function Branches({ branches }: { branches: readonly Branch[] }): ReactNode {
  if (branches.length === 0) return null
  return (
    <ul className={styles.branches}>
      {branches.map((branch) => (
        <li key={branch.id}>
          <a href={branch.url}>{branch.name}</a>
          {branch.children.length > 0 && (
            <ul>
              {branch.children.map((leaf) => (
                <li key={leaf.id}>
                  <a href={leaf.url}>{leaf.name}</a>
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}
