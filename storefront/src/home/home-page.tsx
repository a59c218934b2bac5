import { ButtonLink, Container, Icon, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { ExperimentMark } from '../experiments/experiment-mark.tsx'
import { HistoryPlace } from '../history/history-place.tsx'
import { Rail } from '../shell/rail.tsx'
import { loadHome } from './load-home.ts'
import { Banners, BrandStrip, DepartmentTiles, EntryBanners, GuideStrip, Hero } from './home-parts.tsx'
import styles from './home.module.css'

const heroPicture = '/pictures/h/workshop.svg'

export async function load(context: ShopContext) {
  return { ...(await loadHome(context)), title: context.t('home.title'), description: context.t('home.description') }
}

/** The consumer home page: departments first, then highlights. */
export function Page({ data: { home, guides, banners, isLinked }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const pro = isLinked ? context.otherModeUrl() : null
  const guidesFirst = context.variations['home-order'] === 'guides-first'
  return (
    <>
      <Hero picture={heroPicture} title={t('home.hero')} text={t('home.hero-text')}>
        <p className={styles.heroActions}>
          <ButtonLink href={paths.goodDeals()} size="l">
            {t('shell.deals')}
          </ButtonLink>
          {home.departments.length > 0 && (
            <ButtonLink href="#departments" look="secondary" size="l">
              {t('home.departments')}
            </ButtonLink>
          )}
        </p>
      </Hero>
      <Container>
        <Section title={t('home.departments')} id="departments">
          {home.departments.length > 0 ? <DepartmentTiles departments={home.departments} /> : <p>{t('home.empty')}</p>}
        </Section>
        <ExperimentMark name="home-order" context={context} />
        {guidesFirst && <GuideStrip guides={guides} context={context} />}
        <Rail title={t('home.deals')} cards={home.deals} context={context} more={{ href: paths.goodDeals(), label: t('home.all-deals') }} />
        <Banners departments={home.departments} />
        {pro !== null && (
          <a className={styles.pro} href={pro}>
            <Icon name="helmet" size={44} />
            <span>
              <b>{t('home.pro')}</b>
              <span className={styles.proText}>{t('home.pro-text')}</span>
            </span>
            <Icon name="right" size={28} />
          </a>
        )}
        <Rail
          title={t('home.top-sales')}
          cards={home.topSales}
          context={context}
          more={{ href: paths.bestSellers(), label: t('discovery.best.all') }}
        />
        <Rail title={t('home.new')} cards={home.highlights} context={context} />
        <EntryBanners banners={banners} />
        {!guidesFirst && <GuideStrip guides={guides} context={context} />}
        <HistoryPlace placement="homepage_b2c" />
        <BrandStrip brands={home.brands} context={context} />
      </Container>
    </>
  )
}
