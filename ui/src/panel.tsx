import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './panel.module.css'

/** Maximum page width for all content. */
export function Container({ children, narrow }: { children: ReactNode; narrow?: boolean }): ReactNode {
  return <div className={cx('measure', narrow && styles.narrow)}>{children}</div>
}

export interface SectionProps {
  title: string
  /** Next to the heading: "See all". */
  more?: { href: string; label: string }
  children: ReactNode
  id?: string
}

export function Section({ title, more, children, id }: SectionProps): ReactNode {
  return (
    <section className={styles.section} id={id}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {more && (
          <a className={styles.more} href={more.href}>
            {more.label}
            <Icon name="right" size={16} />
          </a>
        )}
      </div>
      {children}
    </section>
  )
}

/** A raised area: an offer, a seller's lines, a form. */
export function Panel({ children, title, flush }: { children: ReactNode; title?: ReactNode; flush?: boolean }): ReactNode {
  return (
    <div className={cx(styles.panel, flush && styles.flush)}>
      {title && <h2 className={styles.panelTitle}>{title}</h2>}
      {children}
    </div>
  )
}

export interface SummaryLine {
  label: ReactNode
  value: ReactNode
  look?: 'plain' | 'quiet' | 'good' | 'total'
}

export interface SummaryProps {
  title: string
  lines: readonly SummaryLine[]
  /** The items that the figures add up. */
  goods?: ReactNode
  children?: ReactNode
}

/** The totals of a cart or an order. */
export function Summary({ title, lines, goods, children }: SummaryProps): ReactNode {
  return (
    <section className={cx(styles.panel, styles.summary)} aria-labelledby="summary-title">
      <h2 className={styles.panelTitle} id="summary-title">
        {title}
      </h2>
      {goods}
      <dl className={styles.lines}>
        {lines.map((line, index) => (
          <div key={index} className={cx(styles.line, line.look && styles[line.look])}>
            <dt>{line.label}</dt>
            <dd>{line.value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  )
}

export interface EmptyStateProps {
  icon: IconName
  title: string
  children?: ReactNode
  /** The next action. */
  actions?: ReactNode
  heading?: 'h1' | 'h2' | 'h3'
}

/** An empty state: the reason, and the next action. */
export function EmptyState({ icon, title, children, actions, heading: Heading = 'h2' }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>
        <Icon name={icon} size={36} />
      </span>
      <Heading className={styles.emptyTitle}>{title}</Heading>
      {children && <div className={styles.emptyText}>{children}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}

/** Progress towards something, such as free delivery. The text next to it says the same. */
export function Meter({ value, max, label }: { value: number; max: number; label: string }): ReactNode {
  const share = max > 0 ? Math.max(0, Math.min(100, Math.round((value / max) * 100))) : 0
  return (
    <div className={styles.meter} role="meter" aria-label={label} aria-valuenow={share} aria-valuemin={0} aria-valuemax={100}>
      <span className={share === 100 ? styles.full : undefined} style={{ inlineSize: `${share}%` }} />
    </div>
  )
}

export interface DisclosureProps {
  title: ReactNode
  children: ReactNode
  open?: boolean
  id?: string
  /** Sections that share a name open one at a time. */
  name?: string
}

/** A collapsible section: found by the browser's own search, works without a script. */
export function Disclosure({ title, children, open, id, name }: DisclosureProps): ReactNode {
  return (
    <details className={styles.disclosure} open={open} id={id} name={name}>
      <summary>
        <h2 className={styles.disclosureTitle}>{title}</h2>
        <Icon name="down" />
      </summary>
      <div className={styles.disclosureBody}>{children}</div>
    </details>
  )
}
