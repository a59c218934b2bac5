import { Container, Icon, Section, type IconName } from '@purlin/ui'
import { formAction, ownPath, redirect } from '@purlin/web'
import { reachOf } from '@purlin/contract/actions.ts'
import { vatDisplayLine } from '@purlin/contract/site-settings.ts'
import type { ReactNode } from 'react'
import { ChooseVatDisplayDocument } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { GlancePlace } from '../pro/glance-place.tsx'
import { Rail } from '../shell/rail.tsx'
import { loadHome } from './load-home.ts'
import { vatForm } from '../shell/vat-form.ts'
import { BrandStrip, DepartmentTiles, EntryBanners, GuideStrip, Hero } from './home-parts.tsx'
import styles from './home.module.css'

const heroPicture = '/pictures/h/pro.svg'

export async function load(context: ShopContext) {
  return { ...(await loadHome(context)), title: context.t('home.pro-title'), description: context.t('home.pro-description') }
}

/** Stores how prices are displayed, for a signed-in person on all devices, and returns to the page of the choice. Display only (decision 5). */
export const action = formAction(vatForm, async (context: ShopContext, { vat, back }) => {
  const withVat = vat === 'with'
  context.setCookie(vatDisplayLine(context, withVat))
  const isKnown = reachOf(await context.principal(), 'profile.change', context.market) !== null
  if (isKnown) await context.client.mutate(ChooseVatDisplayDocument, { withVat })
  return redirect(303, ownPath(back))
})

/** Entry by trade; each links to the department its members buy from. */
const trades: { icon: IconName; trade: 'electrician' | 'plumber' | 'carpenter' | 'painter'; department: string }[] = [
  { icon: 'bolt', trade: 'electrician', department: 'electrical' },
  { icon: 'drop', trade: 'plumber', department: 'plumbing' },
  { icon: 'hammer', trade: 'carpenter', department: 'building' },
  { icon: 'roller', trade: 'painter', department: 'paint' },
]

/** The professional home page: search by number first, compact departments, pro conditions first. */
export function Page({ data: { home, guides, banners }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  return (
    <>
      <Hero picture={heroPicture} title={t('home.pro-hero')} text={t('home.pro-hero-text')} isPro>
        <form action="/search" className={styles.reference} role="search" aria-label={t('home.reference')}>
          <label htmlFor="reference">{t('home.reference')}</label>
          <div>
            <input id="reference" name="query" type="search" required maxLength={200} autoComplete="off" enterKeyHint="search" />
            <button>{t('shell.search')}</button>
          </div>
          <a href={paths.quickOrder()}>{t('quick-order.text')}</a>
        </form>
      </Hero>
      <Container>
        <GlancePlace />
        <ul className={styles.shortcuts}>
          {trades.map(({ icon, trade, department }) => {
            const target = home.departments.find((one) => one.department === department)
            return (
              target && (
                <li key={trade}>
                  <a href={target.url}>
                    <Icon name={icon} size={26} />
                    {t(`home.trade.${trade}`)}
                  </a>
                </li>
              )
            )
          })}
        </ul>
        <p>
          <a href={`${paths.proLanding()}#trades`}>{t('pro.pages')}</a>
        </p>
        <Rail title={t('home.pro-offers')} cards={home.highlights} context={context} />
        <Section title={t('home.departments')} id="departments">
          <DepartmentTiles departments={home.departments} isDense />
        </Section>
        <Rail
          title={t('home.pro-top-sales')}
          cards={home.topSales}
          context={context}
          more={{ href: paths.bestSellers(), label: t('discovery.best.all') }}
        />
        <Rail title={t('home.deals')} cards={home.deals} context={context} more={{ href: paths.goodDeals(), label: t('home.all-deals') }} />
        <EntryBanners banners={banners} />
        <GuideStrip guides={guides} context={context} />
        <BrandStrip brands={home.brands} context={context} />
      </Container>
    </>
  )
}
