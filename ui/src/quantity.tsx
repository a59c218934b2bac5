import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './quantity.module.css'

export interface QuantityProps {
  /** Id of the field, for code that fills it in. */
  id?: string
  name: string
  value: number
  /** Pack size: sold in multiples of this. */
  step?: number
  max: number
  words: { label: string; less: string; more: string }
  /**
   * With a name, the two buttons are submit buttons that send the next lower or higher quantity under it: a stepper
   * that works without a script; Enter in the field sends the field. Without a name they appear only with scripts.
   */
  submitAs?: string
  small?: boolean
}

/** A number field between two buttons. The script `quantity` makes the buttons work without a page load. */
export function Quantity({ id, name, value, step = 1, max, words, submitAs, small }: QuantityProps): ReactNode {
  const less = Math.max(submitAs ? 0 : step, value - step)
  const more = value + step > max ? value : value + step
  const button = (amount: number, kind: 'less' | 'more') => (
    <button
      type={submitAs ? 'submit' : 'button'}
      name={submitAs}
      value={submitAs && amount}
      className={submitAs ? styles.button : `${styles.button} needs-js`}
      data-step={kind === 'less' ? -step : step}
      aria-label={kind === 'less' ? words.less : words.more}
      disabled={amount === value}
    >
      <Icon name={kind === 'less' ? 'minus' : 'plus'} size={18} />
    </button>
  )
  return (
    <div className={small ? `${styles.quantity} ${styles.small}` : styles.quantity}>
      {submitAs && <button type="submit" className="hidden" tabIndex={-1} aria-hidden="true" />}
      {button(less, 'less')}
      <input
        id={id}
        className={styles.input}
        type="number"
        inputMode="numeric"
        name={name}
        defaultValue={value}
        min={submitAs ? 0 : step}
        max={max}
        step={step}
        aria-label={words.label}
        autoComplete="off"
      />
      {button(more, 'more')}
    </div>
  )
}
