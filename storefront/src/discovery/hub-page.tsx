import { Breadcrumb, ButtonLink, Container, Section } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { HubDocument, type HubQuery } from '../generated/documents.ts'
import { idOf } from '../listing/listing-page.ts'
import { addressOf, readChoice } from '../listing/listing-address.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { Rail } from '../shell/rail.tsx'
import { breadcrumbData } from '../shell/structured-data.ts'
import { BrandStrip } from '../home/home-parts.tsx'
import styles from './discovery.module.css'

export async function load(context: ShopContext) {
  const { client, t, origin } = context
  const id = idOf(context)
  if (id === null) return notFound()
  const { hub } = await client.query(HubDocument, { id })
  if (!hub) return notFound()
  const { category } = hub
  const path = paths.categoryHub({ category: category.slug, id: category.id })
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  const cards = [...hub.bestSellers, ...hub.deals]
  return {
    data: { hub },
    title: t('discovery.hub.title', { category: category.name }),
    description: category.text ?? t('discovery.hub.description', { category: category.name }),
    canonical: path,
    tags: [`category:${category.id}`, ...cards.map(({ productId }) => `card:${productId}`)],
    jsonLd: [breadcrumbData(origin, t('shell.home'), [...category.parents, { name: category.name, url: path }])],
    alternates: Object.fromEntries(category.alternates.map(({ market, url }) => [market, `/hub${url}`])),
    keep: cards.length > 0,
    ...(cards.length === 0 && { robots: 'noindex, follow' }),
  }
}

type Hub = NonNullable<HubQuery['hub']>

/** entry page of a category: its subcategories with pictures, the key questions, best sellers, brands. */
export function Page({ data: { hub }, context }: PageProps<typeof load>): ReactNode {
  const { t, formats } = context
  const { category } = hub
  const best = paths.bestSellersFamily({ slug: category.slug, id: category.id })
  return (
    <Container>
      <div className={styles.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[{ label: t('shell.home'), href: '/' }, ...category.parents.map(({ name, url }) => ({ label: name, href: url }))]}
          here={category.name}
        />
        <h1>{category.name}</h1>
        {category.text && <p className={styles.lead}>{category.text.split('\n\n')[0]}</p>}
        <p>
          <ButtonLink href={category.url}>{t('discovery.hub.all', { count: category.productCount })}</ButtonLink>
        </p>
      </div>
      {hub.parts.length > 0 && (
        <nav aria-label={t('category.inside', { name: category.name })}>
          <ul className={styles.tiles}>
            {hub.parts.map(({ category: part, pictureUrl }, at) => (
              <li key={part.id}>
                <a href={part.url}>
                  <img src={pictureUrl} width={120} height={120} alt="" loading={at < 6 ? undefined : 'lazy'} />
                  <b>{part.name}</b>
                  <small>{formats.number(part.productCount)}</small>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Questions questions={hub.questions} path={category.url} context={context} />
      <Rail
        title={t('discovery.best.of', { category: category.name })}
        cards={hub.bestSellers}
        context={context}
        more={{ href: best, label: t('discovery.best.all') }}
      />
      <Rail title={t('home.deals')} cards={hub.deals} context={context} more={{ href: paths.goodDeals(), label: t('home.all-deals') }} />
      <BrandStrip brands={hub.brands} context={context} />
    </Container>
  )
}

/** Each answer links to the category's list with that filter. */
function Questions({
  questions,
  path,
  context: { t, formats },
}: {
  questions: Hub['questions']
  path: string
  context: ShopContext
}): ReactNode {
  if (questions.length === 0) return null
  const plain = readChoice({})
  return (
    <Section title={t('discovery.hub.questions')}>
      <div className={styles.questions}>
        {questions.map(({ key, label, values }) => (
          <div key={key} className={styles.question}>
            <h3>{label}</h3>
            <ul className={styles.chips}>
              {values.map(({ value, label: answer, count, hex }) => (
                <li key={value}>
                  <a href={addressOf(path, { ...plain, filters: { [key]: [value] } })} rel="nofollow">
                    {hex && <span className={styles.swatch} style={{ background: hex }} />}
                    {answer}
                    <small>{formats.number(count)}</small>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  )
}
