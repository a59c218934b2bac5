import { Breadcrumb, ButtonLink, Container, Price } from '@purlin/ui'
import { canonicalSlug, notFound, redirect } from '@purlin/web'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { priceWords } from '../shell/words.ts'
import { placeOf } from './load-product.ts'
import { InformationsDocument } from '../generated/documents.ts'
import { Sheet } from './sheet.tsx'
import styles from './product.module.css'

/** Technical data, documents and safety, independent of sellers; the product page is the canonical one. */
export async function load(context: ShopContext) {
  const { product } = await context.client.query(InformationsDocument, { id: context.params['id'] ?? '' })
  if (!product) return notFound()
  const path = paths[placeOf(product)]({ slug: product.slug, id: product.id })
  // An ended product is reported at its own address.
  if (product.status === 'ENDED') return redirect(301, path + context.search)
  const moved = canonicalSlug(context, `${path}/informations`)
  if (moved) return moved
  return {
    data: { product, path },
    title: context.t('product.informations-title', { title: product.title }),
    description: context.t('product.informations-description', { title: product.title }),
    canonical: path,
    ...(placeOf(product) === 'catalogueProduct' && { robots: 'noindex, follow' }),
    tags: [`product:${product.id}`],
  }
}

export function Page({ data: { product, path }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const [picture] = product.pictures
  return (
    <Container>
      <div className={styles.crumbs}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[
            { label: t('shell.home'), href: '/' },
            ...product.categories.map(({ name, url }) => ({ label: name, href: url })),
            { label: product.title, href: path },
          ]}
          here={t('product.informations')}
        />
      </div>
      <div className={styles.informations}>
        {picture && <img src={picture.url} width={480} height={480} alt="" />}
        <div className={styles.head}>
          <h1 className={styles.title}>{t('product.informations-title', { title: product.title })}</h1>
          <div className={styles.back}>
            {product.bestOffer && (
              <Price block={product.bestOffer.price} words={priceWords(context)} offerId={replaceable(context, product.bestOffer.id)} />
            )}
            <ButtonLink href={path}>{t(product.bestOffer ? 'product.to-offer' : 'product.to-product')}</ButtonLink>
          </div>
        </div>
      </div>
      <Sheet product={product} context={context} />
    </Container>
  )
}
