import { cx } from '@purlin/ui'
import type { ReactNode } from 'react'
import styles from './account.module.css'

export interface ConfirmFirstProps {
  /** Text of the control that opens the question. */
  label: string
  /** Its accessible name, if the text alone does not say which of several things is meant. */
  name?: string | undefined
  /** The consequences. */
  text: string
  /** Whether nothing is lost by it, as by a change of plan. */
  isHarmless?: boolean
  /** The form with its button. */
  children: ReactNode
}

/** A step before what cannot be undone, or costs money: the button appears below its consequences. Works without a script. */
export function ConfirmFirst({ label, name, text, isHarmless, children }: ConfirmFirstProps): ReactNode {
  return (
    <details className={cx(styles.confirm, isHarmless && styles.harmless)}>
      <summary aria-label={name}>{label}</summary>
      <p>{text}</p>
      {children}
    </details>
  )
}
