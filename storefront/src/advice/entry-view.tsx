import { Alert, Breadcrumb, Container, Icon, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import type { EntryFragment } from '../generated/documents.ts'
import type { ShopContext } from '../shell/context.ts'
import { EntryBlocks } from './entry-blocks.tsx'
import { EntryCards } from './entry-cards.tsx'
import type { Shelf, TypedMeasures } from './load-entry.ts'
import { levelOf, timeOf } from './say.ts'
import styles from './entry.module.css'

interface EntryViewProps {
  entry: EntryFragment
  measures: TypedMeasures
  shelf: Shelf
  context: ShopContext
}

/** An editorial page: title, picture, table of contents, blocks, and related entries. */
export function EntryView({ entry, measures, shelf, context }: EntryViewProps): ReactNode {
  const { t, formats } = context
  const sections = entry.blocks.filter(({ kind, level }) => kind === 'heading' && level === 2)
  const isArticle = entry.kind === 'guide' || entry.kind === 'comparison' || entry.kind === 'project'
  return (
    <Container>
      <article className={styles.page}>
        <header className={styles.head}>
          <div className={styles.intro}>
            <Breadcrumb
              label={t('shell.breadcrumb')}
              crumbs={[{ label: t('shell.home'), href: '/' }, ...(shelf ? [{ label: t(shelf.label), href: shelf.href }] : [])]}
              here={entry.title}
            />
            {entry.isPreview && <Alert severity="info">{t('advice.preview')}</Alert>}
            <h1>{entry.title}</h1>
            {entry.lead && <p className={styles.lead}>{entry.lead}</p>}
            {isArticle && (
              <p className={styles.byline}>{t('advice.byline', { author: t('advice.author'), date: formats.date(entry.changedOn) })}</p>
            )}
            {(entry.minutes !== null || entry.difficulty !== null) && (
              <ul className={styles.facts}>
                {entry.minutes !== null && (
                  <li>
                    <Icon name="clock" size={20} />
                    {t('advice.time', { time: timeOf(entry.minutes, t) })}
                  </li>
                )}
                {entry.difficulty !== null && (
                  <li>
                    <Icon name="hammer" size={20} />
                    {t('advice.difficulty', { level: levelOf(entry.difficulty) })}
                  </li>
                )}
              </ul>
            )}
          </div>
          {entry.pictureUrl && (
            <img className={styles.picture} src={entry.pictureUrl} width={480} height={480} alt="" fetchPriority="high" />
          )}
        </header>
        {sections.length > 2 && (
          <nav className={styles.contents} aria-labelledby="contents">
            <h2 id="contents">{t('text.contents')}</h2>
            <ol>
              {sections.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <div className={styles.body}>
          <EntryBlocks entry={entry} measures={measures} context={context} />
        </div>
      </article>
      {entry.related.length > 0 && (
        <Section title={t('advice.related')}>
          <EntryCards cards={entry.related} context={context} />
        </Section>
      )}
    </Container>
  )
}
