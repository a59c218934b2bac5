import { Breadcrumb, Container, Disclosure, Facts, Icon, type IconName } from '@purlin/ui'
import { notFound } from '@purlin/web'
import type { ReactNode } from 'react'
import { SellerPageDocument, type ShownSellerFragment } from '../generated/documents.ts'
import { inputOf, readChoice } from '../listing/listing-address.ts'
import { canonicalRedirect, idOf, listingHead } from '../listing/listing-page.ts'
import { ListingView } from '../listing/listing-view.tsx'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { SellerOpinions } from '../reviews/seller-opinions.tsx'
import { Stars } from '../shell/stars.tsx'
import styles from './seller.module.css'

export async function load(context: ShopContext) {
  const { t } = context
  const id = idOf(context)
  if (id === null) return notFound()
  const choice = readChoice(context.query)
  const { seller, listing } = await context.client.query(SellerPageDocument, {
    id,
    input: inputOf({ kind: 'seller', id }, choice),
  })
  if (!seller) return notFound()
  const instead = canonicalRedirect(context, seller.url, choice, listing)
  if (instead) return instead
  return {
    data: { seller, listing, choice },
    title: seller.name,
    description: t('seller.description', { name: seller.name, country: seller.countryName, count: listing.total }),
    ...listingHead(seller.url, choice, listing),
    // Another market has as many pages as it has goods: a later page stands for itself. (V-36)
    alternates: choice.page > 1 ? {} : Object.fromEntries(seller.alternates.map(({ market, url }) => [market, url])),
    tags: [`seller:${seller.id}`],
  }
}

/** The seller's full identity, and their products. */
export function Page({ data: { seller, listing, choice }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <Container>
      <div className={styles.crumbs}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={seller.name} />
      </div>
      <section className={styles.seller} aria-labelledby="seller-name">
        <div className={styles.face} aria-hidden="true">
          {seller.name.slice(0, 1)}
        </div>
        <div className={styles.intro}>
          <h1 id="seller-name">{seller.name}</h1>
          <p className={styles.facts}>
            <Stars size="l" of={seller} context={context} />
            <Fact icon="pin" text={seller.countryName} />
            <Fact icon="clock" text={t('seller.answers', { hours: seller.responseHours })} />
            {seller.freeDeliveryFrom && <Fact icon="truck" text={t('seller.free-from', { amount: seller.freeDeliveryFrom.formatted })} />}
          </p>
          {seller.about && <p className={styles.about}>{seller.about}</p>}
        </div>
      </section>
      <div className={styles.folds}>
        <Disclosure title={t('seller.identity')} id="identity">
          <p className={styles.law}>{t('seller.identity-note')}</p>
          <Facts facts={identityFacts(seller, t)} />
        </Disclosure>
        {seller.returnTerms && (
          <Disclosure title={t('seller.returns')} id="returns">
            <p className={styles.about}>{seller.returnTerms}</p>
          </Disclosure>
        )}
      </div>
      <SellerOpinions seller={seller} context={context} />
      <h2 className={styles.goods}>{t('seller.goods', { name: seller.name })}</h2>
      <ListingView context={context} listing={listing} choice={choice} path={seller.url} what={{ kind: 'seller', id: seller.id }} />
    </Container>
  )
}

function Fact({ icon, text }: { icon: IconName; text: string }): ReactNode {
  return (
    <span className={styles.fact}>
      <Icon name={icon} size={16} />
      {text}
    </span>
  )
}

/** Trader identity in reading order. */
export function identityFacts(seller: ShownSellerFragment, t: ShopContext['t']): { label: string; value: ReactNode }[] {
  return [
    { label: t('seller.legal-name'), value: seller.legalName },
    { label: t('seller.address'), value: `${seller.address}, ${seller.countryName}` },
    { label: t('seller.registration'), value: seller.registration },
    { label: t('seller.vat-number'), value: seller.vatNumber },
    { label: t('seller.email'), value: <a href={`mailto:${seller.email}`}>{seller.email}</a> },
    { label: t('seller.phone'), value: <a href={`tel:${seller.phone.replace(/\s/g, '')}`}>{seller.phone}</a> },
  ]
}
