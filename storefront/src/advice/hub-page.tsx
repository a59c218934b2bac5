import { Breadcrumb, Button, Container, EmptyState, Field, Section } from '@purlin/ui'
import type { ReactNode } from 'react'
import { EntriesDocument, type EntryCardFragment } from '../generated/documents.ts'
import { paths } from '../paths.ts'
import type { PageProps, ShopContext } from '../shell/context.ts'
import { breadcrumbData } from '../shell/structured-data.ts'
import { EntryCards } from './entry-cards.tsx'
import styles from './hub.module.css'

/** All guides, or all comparisons, by department; and those that a search finds. */
export async function load(context: ShopContext) {
  const { t, origin, pathname } = context
  const isAdvice = pathname === paths.ourAdvice()
  const asked = searched(context)
  const { entries } = await context.client.query(EntriesDocument, { kind: isAdvice ? 'guide' : 'comparison', query: asked || null })
  const title = t(isAdvice ? 'advice.guides' : 'advice.comparisons')
  return {
    data: { entries, asked, isAdvice },
    title,
    description: t(isAdvice ? 'advice.guides-description' : 'advice.comparisons-description'),
    canonical: pathname,
    ...(asked && { robots: 'noindex, follow' }),
    jsonLd: [breadcrumbData(origin, t('shell.home'), [{ name: title, url: pathname }]), ...listData(origin, entries)],
  }
}

export function searched({ query }: ShopContext): string {
  const asked = query['q']
  return typeof asked === 'string' ? asked.trim().slice(0, 120) : ''
}

/** The list as schema.org names it. */
export function listData(origin: string, entries: readonly EntryCardFragment[]): object[] {
  if (entries.length === 0) return []
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'ItemList',
      itemListElement: entries.map(({ title, url }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: title,
        url: origin + (url ?? ''),
      })),
    },
  ]
}

export function Page({ data: { entries, asked, isAdvice }, context }: PageProps<typeof load>): ReactNode {
  const { t } = context
  const here = t(isAdvice ? 'advice.guides' : 'advice.comparisons')
  return (
    <Container>
      <header className={styles.head}>
        <Breadcrumb label={t('shell.breadcrumb')} crumbs={[{ label: t('shell.home'), href: '/' }]} here={here} />
        <h1>{here}</h1>
        <p className={styles.lead}>{t(isAdvice ? 'advice.guides-lead' : 'advice.comparisons-lead')}</p>
        <HubSearch
          action={isAdvice ? paths.ourAdvice() : paths.ourComparisons()}
          asked={asked}
          label={t('advice.search')}
          context={context}
        />
        <ul className={styles.others}>
          <li>
            <a href={isAdvice ? paths.ourComparisons() : paths.ourAdvice()}>{t(isAdvice ? 'advice.comparisons' : 'advice.guides')}</a>
          </li>
          <li>
            <a href={paths.craftyCompanion()}>{t('advice.projects')}</a>
          </li>
        </ul>
      </header>
      <Found entries={entries} asked={asked} context={context} />
    </Container>
  )
}

export function HubSearch({
  action,
  asked,
  label,
  context: { t },
}: {
  action: string
  asked: string
  label: string
  context: ShopContext
}): ReactNode {
  return (
    <form method="get" action={action} className={styles.search} role="search">
      <Field name="q" type="search" label={label} defaultValue={asked} maxLength={120} />
      <Button>{t('advice.find')}</Button>
    </form>
  )
}

function Found({ entries, asked, context }: { entries: readonly EntryCardFragment[]; asked: string; context: ShopContext }): ReactNode {
  const { t } = context
  if (entries.length === 0)
    return (
      <EmptyState icon="document" title={t('advice.nothing')}>
        {asked && <p>{t('advice.nothing-for', { query: asked })}</p>}
      </EmptyState>
    )
  if (asked)
    return (
      <Section title={t('advice.found', { count: entries.length, query: asked })}>
        <EntryCards cards={entries} context={context} />
      </Section>
    )
  return byDepartment(entries).map(({ id, name, cards }) => (
    <Section key={id} title={name ?? t('advice.more')} id={`department-${id}`}>
      <EntryCards cards={cards} context={context} />
    </Section>
  ))
}

/** In the order in which departments first come up; entries without one last. */
function byDepartment(entries: readonly EntryCardFragment[]): { id: number; name: string | null; cards: EntryCardFragment[] }[] {
  const groups = new Map<number, { id: number; name: string | null; cards: EntryCardFragment[] }>()
  for (const entry of entries) {
    const id = entry.department?.id ?? 0
    const group = groups.get(id) ?? { id, name: entry.department?.name ?? null, cards: [] }
    group.cards.push(entry)
    groups.set(id, group)
  }
  return [...groups.values()].toSorted((a, b) => Number(a.id === 0) - Number(b.id === 0) || a.id - b.id)
}
