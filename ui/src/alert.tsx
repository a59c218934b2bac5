import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './alert.module.css'

export type Severity = 'info' | 'success' | 'warning' | 'danger'
const icons: Record<Severity, IconName> = { info: 'info', success: 'good', warning: 'warning', danger: 'danger' }

export interface AlertProps {
  severity: Severity
  title?: string
  children?: ReactNode
  /** Set when it appears in response to an action, so that it is announced. */
  announces?: boolean
  /** Set on the reason why a form was refused, if no field has one: the page opens with the focus here. */
  takesFocus?: boolean
}

/** A permanent message within the page. */
export function Alert({ severity, title, children, announces, takesFocus }: AlertProps): ReactNode {
  return (
    <div
      className={cx(styles.alert, styles[severity])}
      role={announces ? (severity === 'danger' ? 'alert' : 'status') : undefined}
      {...(takesFocus && { tabIndex: -1, autoFocus: true })}
    >
      <Icon name={icons[severity]} size={22} />
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        {children}
      </div>
    </div>
  )
}

export interface FlashItem {
  severity: Severity
  message: string
}

/** Most severe first, of which the first three are shown. */
export function bySeverity<Item extends { severity: Severity }>(items: readonly Item[]): Item[] {
  const order: Severity[] = ['danger', 'warning', 'success', 'info']
  return items.toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
}

export interface FlashListProps {
  items: readonly FlashItem[]
  words: { area: string; close: string }
}

/** Transient messages over the page; the script `flash` dismisses them after their time. */
export function FlashList({ items, words }: FlashListProps): ReactNode {
  return (
    <div className={styles.flashes} role="status" aria-live="polite" aria-label={words.area} data-flashes>
      {bySeverity(items)
        .slice(0, 3)
        .map((item) => (
          <Flash key={item.message} {...item} close={words.close} />
        ))}
    </div>
  )
}

export function Flash({ severity, message, close }: FlashItem & { close: string }): ReactNode {
  return (
    <div className={cx(styles.alert, styles.flash)} data-flash={severity}>
      <Icon name={icons[severity]} size={22} />
      <p className={styles.body}>{message}</p>
      <button type="button" className={cx(styles.close, 'needs-js')} aria-label={close} data-flash-close>
        <Icon name="close" size={18} />
      </button>
    </div>
  )
}
