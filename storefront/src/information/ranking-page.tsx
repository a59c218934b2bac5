import { Breadcrumb, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { PlainKey } from '@purlin/words/catalogues.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import styles from './information.module.css'

type RankingKey = Extract<PlainKey, `ranking.${string}`>

/** Sections in reading order; `points` are a list below the section's text, `after` is a closing text. */
const parts = [
  { part: 'lists', points: ['ranking.lists.deals', 'ranking.lists.sponsored', 'ranking.lists.rest'] },
  { part: 'search', points: ['ranking.search.words', 'ranking.search.equal', 'ranking.search.raised', 'ranking.search.editors'] },
  { part: 'sort' },
  {
    part: 'offer',
    points: ['ranking.offer.price', 'ranking.offer.days', 'ranking.offer.rating', 'ranking.offer.stock'],
    after: ['ranking.offer.weight', 'ranking.offer.own'],
  },
  { part: 'sponsored' },
  { part: 'same' },
  { part: 'reductions' },
  { part: 'sellers' },
] as const satisfies { part: string; points?: RankingKey[]; after?: RankingKey[] }[]

export async function load({ t, origin }: ShopContext) {
  const title = t('ranking.title')
  return {
    data: null,
    title,
    description: t('ranking.description'),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: title, url: paths.ranking() }])],
  }
}

/**
 * Explains the ranking of products and offers, as required by Art. 5 of Regulation 2019/1150 and Art. 6a of Directive 2011/83. It
 * describes `listing/listing-queries.ts`, `listing/index-settings.ts` and `pricing/buy-box.ts` of the server, and changes with them.
 */
export function Page({ context: { t } }: PageProps<typeof load>): ReactNode {
  return (
    <Container narrow>
      <article className={styles.page}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('ranking.title')} />
        <h1>{t('ranking.title')}</h1>
        <p className={styles.intro}>{t('ranking.intro')}</p>
        {parts.map(({ part, ...more }) => (
          <section key={part} className={styles.part} id={part} aria-labelledby={`${part}-title`}>
            <h2 id={`${part}-title`}>{t(`ranking.${part}.title`)}</h2>
            <p>{t(`ranking.${part}.text`)}</p>
            {'points' in more && (
              <ol className={styles.points}>
                {more.points.map((point) => (
                  <li key={point}>{t(point)}</li>
                ))}
              </ol>
            )}
            {'after' in more && more.after.map((key) => <p key={key}>{t(key)}</p>)}
          </section>
        ))}
      </article>
    </Container>
  )
}
