import type { ReactNode } from 'react'
import styles from './account.module.css'

export interface ConfirmFirstProps {
  /** Text of the control that opens the question. */
  label: string
  /** Its accessible name, if the text alone does not say which of several things is meant. */
  name?: string | undefined
  /** The consequences. */
  text: string
  /** The form with its button. */
  children: ReactNode
}

/** A step before what cannot be undone: the button appears below its consequences. Works without a script. */
export function ConfirmFirst({ label, name, text, children }: ConfirmFirstProps): ReactNode {
  return (
    <details className={styles.confirm}>
      <summary aria-label={name}>{label}</summary>
      <p>{text}</p>
      {children}
    </details>
  )
}
