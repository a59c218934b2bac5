import { Breadcrumb, Container } from '@purlin/ui'
import { notFound } from '@purlin/web'
import type { ReactNode } from 'react'
import { BrandPageDocument } from '../generated/documents.ts'
import { inputOf, readChoice } from '../listing/listing-address.ts'
import { canonicalRedirect, idOf, listingHead } from '../listing/listing-page.ts'
import { ListingView } from '../listing/listing-view.tsx'
import styles from '../seller/seller.module.css'
import type { PageProps, ShopContext } from '../shell/context.ts'

export async function load(context: ShopContext) {
  const id = idOf(context)
  if (id === null) return notFound()
  const choice = readChoice(context.query)
  const { brand, listing } = await context.client.query(BrandPageDocument, {
    id,
    input: inputOf({ kind: 'brand', id }, choice),
  })
  if (!brand) return notFound()
  const instead = canonicalRedirect(context, brand.url, choice, listing)
  if (instead) return instead
  return {
    data: { brand, listing, choice },
    title: brand.name,
    description: brand.text ?? context.t('brand.description', { name: brand.name, count: listing.total }),
    ...listingHead(brand.url, choice, listing),
    // Another market has as many pages as it has goods: a later page stands for itself. (V-36)
    alternates: choice.page > 1 ? {} : Object.fromEntries(brand.alternates.map(({ market, url }) => [market, url])),
    tags: [`brand:${brand.id}`],
  }
}

export function Page({ data: { brand, listing, choice }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.crumbs}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={brand.name} />
      </div>
      <section className={styles.seller} aria-labelledby="brand-name">
        <img className={styles.logo} src={brand.logoUrl} width={112} height={72} alt="" />
        <div className={styles.intro}>
          <h1 id="brand-name">{brand.name}</h1>
          {brand.text && <p className={styles.about}>{brand.text}</p>}
        </div>
      </section>
      <div className={styles.folds} />
      <ListingView context={context} listing={listing} choice={choice} path={brand.url} what={{ kind: 'brand', id: brand.id }} />
    </Container>
  )
}
