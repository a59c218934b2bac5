import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './facets.module.css'

export interface FacetData {
  key: string
  label: string
  kind: 'values' | 'range' | 'boolean' | 'category'
  unit: string | null
  values: { value: string; label: string; count: number; selected: boolean; hex: string | null }[]
  min: number | null
  max: number | null
}

export interface FacetWords {
  /** "Filters" */
  title: string
  min: string
  max: string
  /** Submits a range without a script. */
  apply: string
  /** "Show 128 results", in the sheet on a phone. */
  show: string
  /** "23 more" */
  more: (count: number) => string
  close: string
  clear: string
  /** "1,120" */
  figure: (count: number) => string
}

export interface FacetsProps {
  /** A form that requests the same page, with the selection in its query. */
  action: string
  facets: readonly FacetData[]
  /** Selected limits of ranges by key. */
  ranges: Readonly<Record<string, { min: string; max: string }>>
  /** Other parameters to keep: sort order, page size. */
  kept: Readonly<Record<string, string>>
  words: FacetWords
  /** The same page with all values of a facet. */
  moreHref: (key: string) => string
  /** The facet all values of which are shown. */
  all: string | null
  /** Address without any filter. */
  clearHref: string
  chosen: number
}

/** Values of an open facet, and of a folded one; the others are a click away (V-40). */
const shownOpen = 5
const shownFolded = 3
const openAtFirst = 6

/**
 * Filters as one GET form: `f[brand]=12`, `min[price]=10`. Works without a script; with it (`facets`) a choice takes
 * effect at once on wide screens, and updates the result count in the sheet on phones.
 */
export function Facets({ action, facets, ranges, kept, words, moreHref, all, clearHref, chosen }: FacetsProps): ReactNode {
  return (
    <details className={styles.sheet} data-facet-sheet>
      <summary className={styles.opener}>
        <Icon name="filter" size={18} />
        {words.title}
        {chosen > 0 && <span className={styles.chosen}>{chosen}</span>}
      </summary>
      <form className={styles.form} action={action} method="get" autoComplete="off" data-facets>
        <div className={styles.head}>
          <h2 className={styles.heading}>{words.title}</h2>
          {chosen > 0 && (
            <a className={styles.clear} href={clearHref}>
              {words.clear}
            </a>
          )}
          <button type="button" className={styles.close} aria-label={words.close} data-facet-close>
            <Icon name="close" />
          </button>
        </div>
        {Object.entries(kept).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className={styles.list}>
          {facets.map((facet, index) => (
            <Facet
              key={facet.key}
              facet={facet}
              isOpen={index < openAtFirst || facet.key === all || isChosen(facet, ranges)}
              showsAll={facet.key === all}
              moreHref={moreHref(facet.key)}
              range={ranges[facet.key]}
              words={words}
            />
          ))}
        </div>
        <div className={styles.foot}>
          <button className={styles.show} data-facet-show>
            {words.show}
          </button>
        </div>
      </form>
    </details>
  )
}

function isChosen(facet: FacetData, ranges: FacetsProps['ranges']): boolean {
  return facet.key in ranges || facet.values.some((value) => value.selected)
}

interface FacetProps {
  facet: FacetData
  isOpen: boolean
  showsAll: boolean
  moreHref: string
  range: { min: string; max: string } | undefined
  words: FacetWords
}

/** One facet: details are a group, which its label names. */
function Facet({ facet, isOpen, showsAll, moreHref, range, words }: FacetProps): ReactNode {
  return (
    <details open={isOpen} data-facet={facet.key} aria-label={facet.label}>
      <summary>{facet.label}</summary>
      {facet.kind === 'range' ? (
        <Range facet={facet} range={range} words={words} />
      ) : (
        <Values facet={facet} most={showsAll ? Infinity : isOpen ? shownOpen : shownFolded} moreHref={moreHref} words={words} />
      )}
    </details>
  )
}

interface ValuesProps {
  facet: FacetData
  most: number
  moreHref: string
  words: FacetWords
}

function Values({ facet, most, moreHref, words }: ValuesProps): ReactNode {
  // Selected values are always shown; a link to a single hidden value would take as much room as the value.
  const isShort = facet.values.length <= most + 1
  const chosen = facet.values.filter((one) => one.selected)
  const shown = isShort
    ? facet.values
    : [...chosen, ...facet.values.filter((one) => !one.selected).slice(0, Math.max(0, most - chosen.length))]
  return (
    <>
      {shown.map((value) => (
        <label key={value.value} data-count={words.figure(value.count)}>
          <input type="checkbox" name={`f[${facet.key}]`} value={value.value} defaultChecked={value.selected} />
          {value.hex && <span className={styles.swatch} style={{ background: value.hex }} />}
          {value.label}
        </label>
      ))}
      {shown.length < facet.values.length && (
        <a href={moreHref} rel="nofollow" data-more="">
          {words.more(facet.values.length - shown.length)}
        </a>
      )}
    </>
  )
}

function Range({ facet, range, words }: { facet: FacetData; range: FacetProps['range']; words: FacetWords }): ReactNode {
  const end = (name: 'min' | 'max', label: string, limit: number | null) => (
    <label className={styles.end}>
      <span className={styles.endLabel}>{facet.unit ? `${label} (${facet.unit})` : label}</span>
      <input
        className={styles.number}
        type="number"
        inputMode="decimal"
        step="any"
        min={0}
        name={`${name}[${facet.key}]`}
        defaultValue={range?.[name] ?? ''}
        placeholder={limit === null ? undefined : String(name === 'min' ? Math.floor(limit) : Math.ceil(limit))}
      />
    </label>
  )
  return (
    <div className={styles.range}>
      {end('min', words.min, facet.min)}
      {end('max', words.max, facet.max)}
      <button className={styles.apply}>{words.apply}</button>
    </div>
  )
}

export interface ChipData {
  label: string
  /** The same page without this filter. */
  href: string
  /** "Remove 18 V" */
  remove: string
}

/** Selected filters; each can be removed. */
export function Chips({
  chips,
  clear,
  label,
}: {
  chips: readonly ChipData[]
  clear: { href: string; label: string }
  label: string
}): ReactNode {
  if (chips.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={label}>
      {chips.map((chip) => (
        <li key={chip.href}>
          <a className={styles.chip} href={chip.href} aria-label={chip.remove}>
            {chip.label}
            <Icon name="close" size={14} />
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a className={styles.clear} href={clear.href}>
            {clear.label}
          </a>
        </li>
      )}
    </ul>
  )
}
