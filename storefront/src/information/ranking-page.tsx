import { Breadcrumb, Container } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { MessageKey } from '../messages/keys.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import styles from './information.module.css'

/** Parts in the order they are read; `points` are a list under the part's text, `after` what is said below it. */
const parts: { part: string; points?: readonly string[]; after?: readonly string[] }[] = [
  { part: 'lists', points: ['deals', 'sponsored', 'rest'] },
  { part: 'search', points: ['words', 'equal', 'raised', 'editors'] },
  { part: 'sort' },
  { part: 'offer', points: ['price', 'days', 'rating', 'stock'], after: ['weight', 'own'] },
  { part: 'sponsored' },
  { part: 'same' },
  { part: 'reductions' },
  { part: 'sellers' },
]

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
 * What decides the order of goods and offers, as Art. 5 of Regulation 2019/1150 and Art. 6a of Directive 2011/83 ask. It says
 * what `listing/listing-queries.ts`, `listing/index-settings.ts` and `pricing/buy-box.ts` of the server do, and changes with them.
 */
export function Page({ context: { t } }: PageProps<typeof load>): ReactNode {
  const say = (key: string) => t(`ranking.${key}` as MessageKey)
  return (
    <Container narrow>
      <article className={styles.page}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('ranking.title')} />
        <h1>{t('ranking.title')}</h1>
        <p className={styles.intro}>{t('ranking.intro')}</p>
        {parts.map(({ part, points = [], after = [] }) => (
          <section key={part} className={styles.part} id={part} aria-labelledby={`${part}-title`}>
            <h2 id={`${part}-title`}>{say(`${part}.title`)}</h2>
            <p>{say(`${part}.text`)}</p>
            {points.length > 0 && (
              <ol className={styles.points}>
                {points.map((point) => (
                  <li key={point}>{say(`${part}.${point}`)}</li>
                ))}
              </ol>
            )}
            {after.map((key) => (
              <p key={key}>{say(`${part}.${key}`)}</p>
            ))}
          </section>
        ))}
      </article>
    </Container>
  )
}
