import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './navigation.module.css'

export interface Crumb {
  label: string
  href: string
}

/** The breadcrumb; the page itself comes last, without a link. */
export function Breadcrumb({ crumbs, here, label }: { crumbs: readonly Crumb[]; here?: string; label: string }): ReactNode {
  return (
    <nav aria-label={label} className={styles.crumbs}>
      <ol>
        {crumbs.map((crumb) => (
          <li key={crumb.href}>
            <a href={crumb.href}>{crumb.label}</a>
          </li>
        ))}
        {here && (
          <li>
            <span aria-current="page">{here}</span>
          </li>
        )}
      </ol>
    </nav>
  )
}

export interface PaginationProps {
  page: number
  pages: number
  /** Address of a page: crawlable links. */
  hrefOf: (page: number) => string
  words: { label: string; previous: string; next: string; page: (page: number) => string }
}

export function Pagination({ page, pages, hrefOf, words }: PaginationProps): ReactNode {
  if (pages <= 1) return null
  return (
    <nav aria-label={words.label} className={styles.pages}>
      {page > 1 && (
        <a className={styles.step} href={hrefOf(page - 1)} rel="prev" aria-label={words.previous}>
          <Icon name="left" size={18} />
          <span>{words.previous}</span>
        </a>
      )}
      <ol>
        {pagesAround(page, pages).map((shown, index) => (
          <li key={shown ?? `gap-${index}`}>
            {shown === null ? (
              <span className={styles.gap}>…</span>
            ) : (
              <a
                className={styles.page}
                href={hrefOf(shown)}
                aria-label={words.page(shown)}
                aria-current={shown === page ? 'page' : undefined}
              >
                {shown}
              </a>
            )}
          </li>
        ))}
      </ol>
      {page < pages && (
        <a className={styles.step} href={hrefOf(page + 1)} rel="next" aria-label={words.next}>
          <span>{words.next}</span>
          <Icon name="right" size={18} />
        </a>
      )}
    </nav>
  )
}

/** First, last and two on each side of the current page; null for a gap. */
export function pagesAround(page: number, pages: number): (number | null)[] {
  const shown = [1, page - 2, page - 1, page, page + 1, page + 2, pages].filter((one) => one >= 1 && one <= pages)
  const unique = [...new Set(shown)].toSorted((one, other) => one - other)
  return unique.flatMap((one, index) => {
    const before = unique[index - 1]
    if (before === undefined || one === before + 1) return [one]
    // A gap for a single page is no shorter than the page itself.
    return one === before + 2 ? [one - 1, one] : [null, one]
  })
}

export interface Step {
  label: string
  /** A completed step links back. */
  href?: string
}

/** Progress of the order. */
export function Steps({ steps, current, label }: { steps: readonly Step[]; current: number; label: string }): ReactNode {
  return (
    <nav aria-label={label} className={styles.steps}>
      <ol>
        {steps.map((step, index) => (
          <li key={step.label} className={index < current ? styles.taken : undefined} aria-current={index === current ? 'step' : undefined}>
            <span className={styles.dot}>{index < current ? <Icon name="check" size={14} /> : index + 1}</span>
            {step.href && index < current ? <a href={step.href}>{step.label}</a> : <span>{step.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  )
}
