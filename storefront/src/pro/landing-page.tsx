import { Alert, Breadcrumb, Container, Section } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import { notFound } from '@purlin/web/outcomes.ts'
import type { ReactNode } from 'react'
import { EntryCards } from '../advice/entry-cards.tsx'
import { ProLandingDocument, type TextFragment } from '../generated/documents.ts'
import { TextBlocks } from '../information/text-view.tsx'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import { Benefits } from './benefits.tsx'
import { GlancePlace } from './glance-place.tsx'
import { areLinked } from '../shell/linked-storefronts.ts'
import { ProActions } from './pro-actions.tsx'
import styles from './landing.module.css'

export async function load(context: ShopContext) {
  const { t, origin, query, client } = context
  const asked = query['version']
  const version = asked === undefined ? null : Number(asked)
  if (version !== null && !(Number.isInteger(version) && version > 0 && version < 10_000)) return notFound()
  const { text, ...lists } = await client.query(ProLandingDocument, { version })
  if (!text) return notFound()
  return {
    data: { text, ...lists },
    title: text.title,
    description: text.description,
    canonical: paths.proLanding(),
    ...(!text.current && { robots: 'noindex' }),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: text.title, url: paths.proLanding() }])],
  }
}

/** Benefits of a professional account, how to get one, and the pages by trade, industry and product family. */
export function Page({ data: { text, trades, industries, families, platformConfig }, context }: PageProps<typeof load>): ReactNode {
  const { t, mode, formats } = context
  const [registration, rest] = withoutRegistration(text.blocks)
  return (
    <>
      <Container>
        <header className={styles.head}>
          <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={t('shell.to-pros')} />
          {!text.current && (
            <Alert severity="info">{t.rich('text.earlier', { current: (words) => <a href={paths.proLanding()}>{words}</a> })}</Alert>
          )}
          <h1>{text.title}</h1>
          <p className={styles.lead}>{t('pro.lead')}</p>
          <ProActions context={context} isLinked={areLinked(platformConfig)} />
        </header>
        <GlancePlace />
        <Section title={t('pro.benefits')}>
          <Benefits days={platformConfig.freeReturnsB2b?.days} context={context} />
        </Section>
        {trades.length > 0 && (
          <Section title={t('pro.trades')} id="trades">
            <EntryCards cards={trades} context={context} />
          </Section>
        )}
        {industries.length > 0 && (
          <Section title={t('pro.industries')} id="industries">
            <EntryCards cards={industries} context={context} />
          </Section>
        )}
        {families.length > 0 && (
          <Section title={t('pro.families')} id="families">
            <EntryCards cards={families} context={context} />
          </Section>
        )}
        <article className={styles.text}>
          {mode === 'b2b' ? (
            <Enhance with="audience" when="load">
              <div className={styles.registration} data-audience="guests">
                <TextBlocks text={{ blocks: registration }} />
              </div>
            </Enhance>
          ) : (
            <TextBlocks text={{ blocks: registration }} />
          )}
          <TextBlocks text={{ blocks: rest }} />
          <p className={styles.date}>{t('text.changed', { date: formats.date(text.validFrom) })}</p>
        </article>
      </Container>
    </>
  )
}

type Blocks = TextFragment['blocks']

/** The section on how to register, which members of a company need no more, and the rest of the text. */
function withoutRegistration(blocks: Blocks): [Blocks, Blocks] {
  const from = blocks.findIndex(({ kind, id }) => kind === 'heading' && id === 'how')
  if (from < 0) return [[], blocks]
  const to = blocks.findIndex(({ kind, level }, index) => index > from && kind === 'heading' && level === 2)
  const end = to < 0 ? blocks.length : to
  return [blocks.slice(from, end), [...blocks.slice(0, from), ...blocks.slice(end)]]
}
