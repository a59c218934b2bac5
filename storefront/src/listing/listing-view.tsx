import { Alert, ButtonLink, Chips, EmptyState, Facets, Pagination, Select, type ChipData } from '@purlin/ui'
import { Enhance } from '@purlin/web'
import type { ReactNode } from 'react'
import { CardList } from '../shell/card-list.tsx'
import type { ShopContext } from '../shell/context.ts'
import { queryText } from '@purlin/web/query-text.ts'
import {
  addressOf,
  allField,
  countOf,
  literalText,
  withAll,
  withoutFilters,
  withoutRange,
  withoutValue,
  withPage,
  type ListingChoice,
} from './listing-address.ts'
import type { ListingFragment } from '../generated/documents.ts'
import styles from './listing.module.css'

interface ListingViewProps {
  context: ShopContext
  listing: ListingFragment
  choice: ListingChoice
  /** Address without its query. */
  path: string
  /** The subject of the listing, for the script that counts. */
  what: { kind: string; id?: number; query?: string }
  /** Stands above the results, below their number. */
  understood?: ReactNode
  /** Replaces the default "nothing found". */
  empty?: ReactNode
}

const eagerCards = 4

/** Facets, selected filters, sort order, page size, cards and pagination: shared by category, search, seller and brand pages. */
export function ListingView({ context, listing, choice, path, what, understood, empty }: ListingViewProps): ReactNode {
  const { t, formats } = context
  const chosen = countOf(choice)
  if (!listing.available) {
    return (
      <Alert severity="warning" title={t('listing.unavailable.title')} announces>
        <p>{t('listing.unavailable.text')}</p>
        <p>
          <a href={addressOf(path, choice)}>{t('listing.again')}</a>
        </p>
      </Alert>
    )
  }
  if (listing.total === 0 && chosen === 0) return empty ?? <NothingHere context={context} />
  return (
    <Enhance with="listing" when="load">
      <div
        className={styles.listing}
        data-listing={JSON.stringify(what)}
        data-impression={listing.impressionId ?? undefined}
        data-show={JSON.stringify(context.catalogue['listing.show'])}
      >
        <aside className={styles.side} aria-label={t('listing.filters')}>
          <SkipToResults context={context} />
          <Facets
            action={path}
            facets={listing.facets.filter((facet) => facet.kind !== 'category')}
            ranges={choice.ranges}
            kept={{
              ...(choice.sort && { sort: choice.sort }),
              ...(choice.size && { size: String(choice.size) }),
              ...(choice.literal.length > 0 && { literal: literalText(choice.literal) }),
            }}
            clearHref={addressOf(path, withoutFilters(choice))}
            // Relative to this page: each facet has one.
            moreHref={(key) => withAll(addressOf('', choice), key)}
            all={queryText(context.query, allField) || null}
            chosen={chosen}
            words={{
              title: t('listing.filters'),
              min: t('listing.min'),
              max: t('listing.max'),
              apply: t('listing.apply'),
              show: t('listing.show', { count: listing.total }),
              more: (count) => t('listing.more-values', { count }),
              close: t('shell.close'),
              clear: t('listing.clear'),
              figure: formats.number,
            }}
          />
        </aside>
        <div className={styles.results} id="results" tabIndex={-1} data-results>
          <div className={styles.tools}>
            <p className={styles.total} role="status">
              {t('listing.count', { count: listing.total })}
            </p>
            <SortForm context={context} listing={listing} choice={choice} path={path} />
          </div>
          {understood}
          <Chips
            chips={chipsOf(listing, choice, path, context)}
            clear={{ href: addressOf(path, withoutFilters(choice)), label: t('listing.clear') }}
            label={t('listing.chosen')}
          />
          {listing.total === 0 ? (
            <EmptyState
              icon="filter"
              title={t('listing.too-narrow')}
              actions={<ButtonLink href={addressOf(path, withoutFilters(choice))}>{t('listing.clear')}</ButtonLink>}
            />
          ) : (
            <CardList cards={listing.cards} context={context} eager={eagerCards} />
          )}
          <Pagination
            page={listing.page}
            pages={listing.pages}
            hrefOf={(page) => addressOf(path, withPage(choice, page))}
            words={{
              label: t('listing.pages'),
              previous: t('listing.previous'),
              next: t('listing.next'),
              page: (page) => t('listing.page', { page }),
            }}
          />
        </div>
      </div>
    </Enhance>
  )
}

/** Skips filters and everything else before the products, for keyboard users. (V-39) */
export function SkipToResults({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <a className={styles.skip} href="#results">
      {t('listing.skip')}
    </a>
  )
}

/** Sort order and page size: a form that keeps the filters. */
function SortForm({ context: { t, formats }, listing, choice, path }: Omit<ListingViewProps, 'what'>): ReactNode {
  return (
    <form action={path} method="get" className={styles.sort} data-sort>
      {Object.entries(choice.filters).flatMap(([key, values]) =>
        values.map((value) => <input key={`${key} ${value}`} type="hidden" name={`f[${key}]`} value={value} />),
      )}
      {Object.entries(choice.ranges).map(([key, { min, max }]) => (
        <span key={key}>
          {min && <input type="hidden" name={`min[${key}]`} value={min} />}
          {max && <input type="hidden" name={`max[${key}]`} value={max} />}
        </span>
      ))}
      {choice.literal.length > 0 && <input type="hidden" name="literal" value={literalText(choice.literal)} />}
      <Select
        quiet
        id="sort"
        name="sort"
        label={t('listing.sort')}
        defaultValue={listing.sort}
        data-default={listing.sorts[0]?.key}
        options={listing.sorts.map(({ key, label }) => ({ value: key, label }))}
      />
      <Select
        quiet
        id="size"
        name="size"
        label={t('listing.size')}
        defaultValue={String(listing.pageSize)}
        data-default={listing.pageSizes[0]}
        className={styles.size}
        options={listing.pageSizes
          .toSorted((one, other) => one - other)
          .map((size) => ({ value: String(size), label: t('listing.per-page', { count: formats.number(size) }) }))}
      />
      <button className={`${styles.apply} without-js`}>{t('listing.apply')}</button>
    </form>
  )
}

export function NothingHere({ context: { t } }: { context: ShopContext }): ReactNode {
  return (
    <EmptyState icon="box" title={t('listing.empty.title')} actions={<ButtonLink href="/">{t('listing.home')}</ButtonLink>}>
      <p>{t('listing.empty.text')}</p>
    </EmptyState>
  )
}

function chipsOf(listing: ListingFragment, choice: ListingChoice, path: string, { t, formats }: ShopContext): ChipData[] {
  const chips: ChipData[] = []
  const add = (label: string, without: ListingChoice) =>
    chips.push({ label, href: addressOf(path, without), remove: t('listing.remove', { label }) })
  for (const [key, values] of Object.entries(choice.filters)) {
    const facet = listing.facets.find((one) => one.key === key)
    for (const value of values) {
      const label = facet?.values.find((one) => one.value === value)?.label ?? value
      add(facet?.kind === 'boolean' ? facet.label : label, withoutValue(choice, key, value))
    }
  }
  for (const [key, { min, max }] of Object.entries(choice.ranges)) {
    const facet = listing.facets.find((one) => one.key === key)
    // Not a price of the shop but a limit entered by a visitor.
    const plain = (text: string) => formats.number(Number(text))
    const figure = (text: string) =>
      key === 'price' ? t('listing.bound', { figure: Number(text) }) : facet?.unit ? `${plain(text)} ${facet.unit}` : plain(text)
    const span =
      min && max ? `${key === 'price' ? figure(min) : plain(min)} – ${figure(max)}` : min ? `≥ ${figure(min)}` : `≤ ${figure(max)}`
    add(`${facet?.label ?? key} ${span}`, withoutRange(choice, key))
  }
  return chips
}
