import { Amount, Breadcrumb, Container, Section } from '@purlin/ui'
import { canonicalSlug, notFound } from '@purlin/web'
import type { ReactNode } from 'react'
import { EntryCards } from '../advice/entry-cards.tsx'
import { InspirationDocument, InspirationGuidesDocument, type InspirationQuery } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { replaceable } from '../shell/replaceable-price.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import discovery from './discovery.module.css'
import styles from './inspiration.module.css'

export async function load(context: ShopContext) {
  const { client, t, origin } = context
  const slug = (context.params['query'] ?? '').toLowerCase()
  const path = paths.inspirationalMassLanding({ query: slug })
  const moved = canonicalSlug(context, path)
  if (moved) return moved
  const { inspiration } = await client.query(InspirationDocument, { slug })
  if (!inspiration) return notFound()
  const { guides, inspirations } = await client.query(InspirationGuidesDocument, { id: inspiration.category.id })
  const words = { query: inspiration.label, count: inspiration.total ?? 0 }
  return {
    data: { inspiration, guides, others: inspirations.filter((other) => other.slug !== slug), slug },
    title: t('inspiration.title', words),
    description: t('inspiration.description', words),
    canonical: path,
    // The slug is a word of this market's language.
    alternates: { [context.market]: path },
    ...(inspiration.looks[0]?.cards[0] && { picture: inspiration.looks[0].cards[0].imageFullpath }),
    tags: inspiration.looks.flatMap(({ cards }) => cards.map(({ productId }) => `card:${productId}`)),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [inspiration.category, { name: inspiration.label, url: path }])],
  }
}

type ShownInspiration = NonNullable<InspirationQuery['inspiration']>
type Look = ShownInspiration['looks'][number]

/** A product type to look around in: large pictures of it in use, colour by colour. */
export function Page({ data: { inspiration, guides, others, slug }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const { label, total, category, looks } = inspiration
  const named = looks.filter(({ value }) => value !== '')
  return (
    <Container>
      <div className={discovery.head}>
        <Breadcrumb
          label={t('shell.breadcrumb')}
          crumbs={[
            { label: t('shell.home'), href: '/' },
            { label: category.name, href: category.url },
          ]}
          here={label}
        />
        <h1>{t('inspiration.title', { query: label })}</h1>
        <p className={discovery.lead}>{t('inspiration.lead', { count: total ?? 0 })}</p>
      </div>
      {named.length > 1 && (
        <nav aria-label={t('inspiration.in-colour')}>
          <ul className={discovery.chips}>
            {named.map((look) => (
              <li key={look.value}>
                <a href={`#${idOf(look)}`}>
                  {look.hex && <span className={discovery.swatch} style={{ background: look.hex }} />}
                  {look.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {looks.map((look, at) => (
        <LookRow key={look.value} look={look} label={label} slug={slug} isFirst={at === 0} context={context} />
      ))}
      <p className={styles.all}>
        <a href={paths.massLanding({ query: slug })}>{t('inspiration.all')}</a>
      </p>
      {guides.length > 0 && (
        <Section title={t('inspiration.guides')} more={{ href: paths.ourAdvice(), label: t('advice.all-guides') }}>
          <EntryCards cards={guides} context={context} />
        </Section>
      )}
      {others.length > 0 && (
        <Section title={t('inspiration.more')}>
          <ul className={discovery.chips}>
            {others.slice(0, 24).map((other) => (
              <li key={other.slug}>
                <a href={paths.inspirationalMassLanding({ query: other.slug })}>{other.label}</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </Container>
  )
}

const idOf = ({ value }: Look): string => `look-${value.replace(/[^\w-]/g, '-')}`

interface LookRowProps {
  look: Look
  label: string
  slug: string
  isFirst: boolean
  context: ShopContext
}

function LookRow({ look, label, slug, isFirst, context }: LookRowProps): ReactNode {
  const { t } = context
  const listing = paths.massLanding({ query: slug })
  const href = look.value ? `${listing}?${new URLSearchParams({ 'f[color]': look.value })}` : listing
  return (
    <section className={styles.look} id={idOf(look)}>
      <div className={styles.lookHead}>
        {look.value && <h2>{t('inspiration.look', { query: label, color: look.label })}</h2>}
        <a href={href}>{t('inspiration.see', { count: look.count })}</a>
      </div>
      <ul className={styles.mosaic}>
        {look.cards.map((card, at) => (
          <li key={card.productId}>
            <a className={styles.tile} href={card.url}>
              <img
                src={inUse(card)}
                width={480}
                height={480}
                alt=""
                {...(isFirst && at === 0 ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
              />
              <span className={styles.caption}>
                <span>{card.title}</span>
                <Amount amount={card.prices.main} offerId={replaceable(context, card.offerId)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The picture of the product where it is used, if there is one. */
function inUse({ thumbnails, imageFullpath }: { thumbnails: readonly string[]; imageFullpath: string }): string {
  return thumbnails.find((picture) => /\/inUse\./.test(picture)) ?? imageFullpath
}
