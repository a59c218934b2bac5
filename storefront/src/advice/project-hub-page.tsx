import { Breadcrumb, Container, EmptyState, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { ProjectHubDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import { EntryCards } from './entry-cards.tsx'
import { HubSearch, listData, searched } from './hub-page.tsx'
import styles from './hub.module.css'

/**
 * Turns a job description into a list of materials: matching projects and guides, with the stated area
 * passed on to their calculators. Without a description, all projects.
 */
export async function load(context: ShopContext) {
  const { t, origin, pathname } = context
  const asked = searched(context)
  const { projects, guides } = await context.client.query(ProjectHubDocument, { query: asked || null })
  return {
    data: { projects, guides: asked ? guides : [], asked, area: areaIn(asked) },
    title: t('advice.projects'),
    description: t('advice.projects-description'),
    canonical: pathname,
    ...(asked && { robots: 'noindex, follow' }),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: t('advice.projects'), url: pathname }]), ...listData(origin, projects)],
  }
}

/** "tile 18 m² of hallway", "20 mq", "12 square metres" → 18, 20, 12. */
export function areaIn(words: string): number | null {
  const [, figure] =
    /(\d{1,4}(?:[.,]\d{1,2})?)\s*(?:m²|m2|mq|qm|sqm|square met|mètres? carr|metros? cuadr|metri? quadr|quadratmeter)/iu.exec(words) ?? []
  const area = Number((figure ?? '').replace(',', '.'))
  return area > 0 ? area : null
}

export function Page({ data: { projects, guides, asked, area }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const sized = <Card extends { url: string | null }>(cards: readonly Card[]): Card[] =>
    cards.map((card) => ({ ...card, url: withArea(card.url, area) }))
  return (
    <Container>
      <header className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('advice.projects')} />
        <h1>{t('advice.projects-title')}</h1>
        <p className={styles.lead}>{t('advice.projects-lead')}</p>
        <HubSearch action={paths.craftyCompanion()} asked={asked} label={t('advice.describe')} context={context} />
        <ul className={styles.others}>
          <li>
            <a href={paths.ourAdvice()}>{t('advice.guides')}</a>
          </li>
          <li>
            <a href={paths.ourComparisons()}>{t('advice.comparisons')}</a>
          </li>
        </ul>
      </header>
      {asked && area !== null && <p className={styles.area}>{t('advice.for-area', { area })}</p>}
      {projects.length > 0 ? (
        <Section title={asked ? t('advice.projects-found') : t('advice.projects-all')}>
          <EntryCards cards={sized(projects)} context={context} />
        </Section>
      ) : (
        guides.length === 0 && (
          <EmptyState icon="document" title={t('advice.nothing')}>
            {asked && <p>{t('advice.nothing-for', { query: asked })}</p>}
          </EmptyState>
        )
      )}
      {guides.length > 0 && (
        <Section title={t('advice.guides-found')}>
          <EntryCards cards={sized(guides)} context={context} />
        </Section>
      )}
    </Container>
  )
}

/** The area as a square room for the calculator `floor`, whose list is then for so many square metres. */
function withArea(url: string | null, area: number | null): string | null {
  if (url === null || area === null) return url
  const side = (Math.round(Math.sqrt(area) * 100) / 100).toString()
  const width = (Math.round((area / Number(side)) * 100) / 100).toString()
  return `${url}?m[floor][length]=${side}&m[floor][width]=${width}`
}
