import { Icon } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from './reviews.module.css'

interface Props {
  /** What is rated; errors of the page link here. */
  id: string
  name: string
  legend: string
  hint?: string
  options: readonly { value: string; label: string }[]
  chosen: string
  error: string | undefined
}

/** Ratings of which one is chosen: radio buttons, so that they work by keyboard and without scripts. */
export function RatingRow({ id, name, legend, hint, options, chosen, error }: Props): ReactNode {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <fieldset className={styles.stars} id={id} aria-describedby={described || undefined}>
      <legend>{legend}</legend>
      {hint && (
        <p className={styles.quiet} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={styles.fault} id={`${id}-error`}>
          <Icon name="warning" size={16} />
          {error}
        </p>
      )}
      <div className={styles.scores}>
        {options.map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name={name} value={value} required defaultChecked={chosen === value} />
            <span>{label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
